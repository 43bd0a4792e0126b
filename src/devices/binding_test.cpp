#include <gtest/gtest.h>

#include "devices/catalogue.h"

namespace tilebound::devices {
namespace {

model::Capture capture_of(std::initializer_list<std::uint32_t> ids, std::string gpu = {}) {
  model::Capture capture;
  capture.axes.emplace_back();
  if (!gpu.empty()) capture.gpu_names = {std::move(gpu)};
  for (const std::uint32_t id : ids) {
    model::Counter counter;
    counter.id = id;
    counter.name = "counter " + std::to_string(id);
    counter.named = false;
    counter.axis = 0;
    capture.counters.push_back(std::move(counter));
  }
  return capture;
}

void add_named(model::Capture& capture, std::string name, std::optional<std::uint32_t> id = {},
               std::uint32_t gpu = 0) {
  model::Counter counter;
  counter.id = id;
  counter.name = std::move(name);
  counter.gpu = gpu;
  counter.axis = 0;
  capture.counters.push_back(std::move(counter));
}

std::string bound(const Binding& binding, std::size_t i) {
  const CounterDefinition* d = binding.entries.at(i).definition;
  return d == nullptr ? "unknown" : d->machine_name;
}

bool has_note(const Binding& binding, std::string_view id) {
  return std::any_of(binding.notes.begin(), binding.notes.end(),
                     [&](const model::Note& n) { return n.id == id; });
}

/// The list of a published guide for a Mali-G77 with driver r32.
const std::initializer_list<std::uint32_t> kGuideIds = {
    6,   196, 214, 68,  160, 175, 210, 211, 254, 203, 202, 204, 206, 207,
    208, 212, 234, 219, 220, 221, 222, 242, 243, 209, 70,  75,  85,  101};
constexpr const char* kGuideNames[] = {
    "MaliGPUActiveCy",      "MaliFragActiveCy",    "MaliNonFragActiveCy", "MaliTilerActiveCy",
    "MaliExtBusRdBt",       "MaliExtBusWrBt",      "MaliFragTile",        "MaliFragTileKill",
    "MaliSCBusTileWrBt",    "MaliFragRastQd",      "MaliFragRastPartQd",  "MaliFragEZSTestQd",
    "MaliFragEZSKillQd",    "MaliFragLZSTestQd",   "MaliFragLZSKillQd",   "MaliFragOpaqueQd",
    "MaliTexOutMsg",        "MaliEngFMAInstr",     "MaliEngCVTInstr",     "MaliEngSFUInstr",
    "MaliEngMsgInstr",      "MaliVar32IssueSlot",  "MaliVar16IssueSlot",  "MaliCoreAllRegsWarp",
    "MaliGeomTrianglePrim", "MaliGeomVisiblePrim", "MaliGeomPosShadTask", "MaliGeomVarShadTask"};

TEST(Bind, GuideIdsOnAKnownGpu) {
  const Binding binding = bind(capture_of(kGuideIds, "Mali-G77"), 0);
  EXPECT_EQ(binding.id_scheme, "job-manager layout");
  EXPECT_EQ(binding.gpu_key, "G77");
  for (std::size_t i = 0; i < std::size(kGuideNames); ++i)
    EXPECT_EQ(bound(binding, i), kGuideNames[i]);
  EXPECT_EQ(binding.find("MaliFragTile"), 6u);
  EXPECT_EQ(binding.find("MaliTilerPosCacheHit"), std::nullopt);
  EXPECT_TRUE(has_note(binding, "named_by_id"));
}

TEST(Bind, AWholeSetOfIdsDecidesWithItsSentinel) {
  // Twelve of the ids are none of the stable ones, and 6 is GPU active in one layout only.
  const Binding guide = bind(capture_of(kGuideIds), 0);
  EXPECT_EQ(guide.id_scheme, "job-manager layout");
  EXPECT_EQ(guide.gpu_key, "G77");
  EXPECT_FALSE(guide.gpu_key_certain) << "a G78 has them too";
  EXPECT_EQ(bound(guide, 15), "MaliFragOpaqueQd");
  EXPECT_EQ(bound(guide, 20), "MaliEngMsgInstr");
  // Ids that mean different counters on the GPUs that fit stay unknown.
  const Binding few = bind(capture_of({6, 196, 68, 160, 175, 204, 220, 221, 70, 75}), 0);
  EXPECT_EQ(few.id_scheme, "job-manager layout");
  EXPECT_EQ(bound(few, 1), "MaliFragActiveCy");
  EXPECT_EQ(bound(few, 6), "unknown");
  EXPECT_TRUE(has_note(few, "unknown_id"));
}

TEST(Bind, NeverByANumberAlone) {
  for (const std::uint32_t id : {6u, 196u, 212u, 214u, 220u, 242u, 175u}) {
    const Binding binding = bind(capture_of({id}), 0);
    EXPECT_EQ(bound(binding, 0), "unknown") << id;
    EXPECT_EQ(binding.id_scheme, "unknown");
    EXPECT_TRUE(has_note(binding, "unknown_id_scheme"));
  }
  // Many ids that exist in more than one numbering.
  EXPECT_EQ(bind(capture_of({6, 196, 212, 214, 220, 221, 222, 242, 243, 175}), 0).id_scheme,
            "unknown");
  // Without GPU-active cycles there is nothing to hold a set by.
  EXPECT_EQ(bind(capture_of({196, 68, 160, 202, 203, 204, 206, 208, 210, 234}), 0).id_scheme,
            "unknown");
}

TEST(Bind, CollidingIdsGoByGpu) {
  const auto ids = {6u, 212u, 214u, 220u, 221u, 222u, 242u, 243u, 175u, 45u};
  const Binding stable = bind(capture_of(ids, "Mali-G715"), 0);
  EXPECT_EQ(stable.id_scheme, "stable ids");
  EXPECT_EQ(bound(stable, 1), "MaliFragFPKActiveCy");
  EXPECT_EQ(bound(stable, 2), "MaliFragWarp");
  EXPECT_EQ(bound(stable, 3), "MaliFragEZSKillQd");
  EXPECT_EQ(bound(stable, 6), "MaliEngCVTInstr");
  EXPECT_EQ(bound(stable, 8), "MaliGeomVarShadTask");
  const Binding layout =
      bind(capture_of({6u, 212u, 214u, 220u, 221u, 222u, 242u, 243u, 175u}, "Mali-G78"), 0);
  EXPECT_EQ(layout.id_scheme, "job-manager layout");
  EXPECT_EQ(bound(layout, 1), "MaliFragOpaqueQd");
  EXPECT_EQ(bound(layout, 8), "MaliExtBusWrBt");
}

TEST(Bind, CommandStreamGpuNeedsASentinelOrTheIdSet) {
  // On a G710 both numberings exist: 4 is a slot there and no stable id of that GPU.
  EXPECT_EQ(bind(capture_of({196, 214}, "Mali-G710"), 0).id_scheme, "unknown");
  model::Capture old = capture_of({196, 214, 33}, "Mali-G710");
  add_named(old, "GPU active cycles", 4);
  EXPECT_EQ(bind(old, 0).id_scheme, "command-stream layout");
  EXPECT_EQ(bound(bind(old, 0), 1), "MaliNonFragActiveCy");
  model::Capture recent = capture_of({196, 214, 45}, "Mali-G710");
  add_named(recent, "GPU active cycles", 6);
  EXPECT_EQ(bind(recent, 0).id_scheme, "stable ids");
  EXPECT_EQ(bound(bind(recent, 0), 1), "MaliFragWarp");
}

TEST(Bind, NamedSentinelsDecideWithoutAGpuName) {
  model::Capture capture = capture_of({210, 212, 254, 222});
  add_named(capture, "GPU active cycles", 6);
  add_named(capture, "Tiler active cycles", 68);
  add_named(capture, "Arithmetic FMA pipe instructions", 219);
  const Binding binding = bind(capture, 0);
  EXPECT_EQ(binding.id_scheme, "job-manager layout");
  EXPECT_EQ(bound(binding, 0), "MaliFragTile");
  EXPECT_EQ(bound(binding, 1), "MaliFragOpaqueQd");
  EXPECT_EQ(bound(binding, 3), "MaliEngMsgInstr");
}

TEST(Bind, DerivedIdsOnlyWithStableIds) {
  EXPECT_EQ(bound(bind(capture_of({6, 196, 65579}, "Mali-G77"), 0), 2), "unknown");
  EXPECT_EQ(bound(bind(capture_of({6, 196, 65579}, "Mali-G715"), 0), 2), "MaliCoreUtil");
}

TEST(Bind, IdsThatFitNothing) {
  const Binding binding = bind(capture_of({6, 196, 4000}, "Mali-G77"), 0);
  EXPECT_EQ(binding.id_scheme, "unknown");
  EXPECT_EQ(bound(binding, 0), "unknown");
  const Binding adreno = bind(capture_of({21, 106}, "Adreno (TM) 660"), 0);
  EXPECT_EQ(adreno.id_scheme, "unknown");
  EXPECT_EQ(adreno.vendor, "qualcomm");
}

TEST(Bind, NamesFirstWhateverTheIds) {
  model::Capture capture;
  capture.axes.emplace_back();
  add_named(capture, "Fragment warps", 212);
  add_named(capture, "Occluding quads", 1);
  add_named(capture, "something of mine");
  const Binding binding = bind(capture, 0);
  EXPECT_EQ(binding.id_scheme, "names");
  EXPECT_EQ(bound(binding, 0), "MaliFragWarp");
  EXPECT_EQ(bound(binding, 1), "MaliFragOpaqueQd");
  EXPECT_EQ(binding.entries[0].how, Binding::How::name);
  EXPECT_TRUE(has_note(binding, "unknown_counter"));
}

TEST(Bind, GuessesTheGenerationFromNames) {
  model::Capture capture;
  capture.axes.emplace_back();
  add_named(capture, "GPU active cycles");
  add_named(capture, "Arithmetic FMA pipe instructions");
  add_named(capture, "Fragment queue active cycles");
  add_named(capture, "MMU stage 2 lookup requests");
  const Binding binding = bind(capture, 0);
  EXPECT_EQ(binding.gpu_key, "G77");
  EXPECT_FALSE(binding.gpu_key_certain);
  add_named(capture, "Any workload active cycles");
  EXPECT_EQ(bind(capture, 0).gpu_key, "G78");
  EXPECT_TRUE(bind(capture, 0).gpu_key_certain);
}

TEST(Bind, DuplicatesAndOtherGpus) {
  model::Capture capture;
  capture.axes.emplace_back();
  add_named(capture, "Tiles");
  add_named(capture, "FRAG_PTILES");
  add_named(capture, "Fragment warps", {}, 1);
  const Binding first = bind(capture, 0);
  EXPECT_EQ(bound(first, 0), "MaliFragTile");
  EXPECT_EQ(bound(first, 1), "unknown");
  EXPECT_EQ(bound(first, 2), "unknown");
  EXPECT_TRUE(has_note(first, "duplicate_counter"));
  EXPECT_EQ(bind(capture, 1).find("MaliFragWarp"), 2u);
  EXPECT_EQ(bind(capture, 7).vendor, "");
}

TEST(Bind, MissingCounters) {
  model::Capture capture = capture_of(kGuideIds, "Mali-G77");
  const auto absent = missing(bind(capture, 0), "Mali-G77");
  const auto is_missing = [&](std::string_view name) {
    return std::any_of(absent.begin(), absent.end(),
                       [&](const CounterDefinition* d) { return d->machine_name == name; });
  };
  EXPECT_TRUE(is_missing("MaliCoreActiveCy"));
  EXPECT_FALSE(is_missing("MaliFragTile"));
  EXPECT_FALSE(is_missing("MaliAnyActiveCy")) << "no G77 has it";
  EXPECT_FALSE(is_missing("MaliCoreUtil")) << "derived";
  EXPECT_TRUE(missing(bind(model::Capture{}, 0), "").empty());
}

}  // namespace
}  // namespace tilebound::devices
