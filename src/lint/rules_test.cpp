#include <algorithm>
#include <gtest/gtest.h>

#include "devices/profile.h"
#include "lint/lint.h"
#include "lint/test_frame.h"

namespace tilebound::lint {

namespace {

using model::LoadOp;
using model::StoreOp;
using test::Builder;

std::vector<std::string> ids(const model::ApiFrame& frame, const Options& options = {}) {
  std::vector<std::string> out;
  for (const model::Finding& finding : lint(frame, options).findings) out.push_back(finding.id);
  std::sort(out.begin(), out.end());
  return out;
}

bool finds(const model::ApiFrame& frame, const std::string& id, const Options& options = {}) {
  const std::vector<std::string> all = ids(frame, options);
  return std::find(all.begin(), all.end(), id) != all.end();
}

Options for_device(const std::string& id) {
  Options out;
  for (model::Device& device : devices::all_devices()) {
    if (device.id == id) out.device = std::move(device);
  }
  EXPECT_TRUE(out.device) << id;
  return out;
}

using Ids = std::vector<std::string>;

/// A frame that wastes nothing: a scene with depth, sampled by a pass that is presented. The names
/// are indices into the frame.
struct Scene : Builder {
  std::size_t color = image("R8G8B8A8_UNORM");
  std::size_t depth = image("D24_UNORM_S8_UINT", 1, test::kDepth | test::kTransient);
  std::size_t screen = swapchain();

  model::Attachment& scene_color() { return frame.passes[0].attachments[0]; }
  model::Attachment& scene_depth() { return frame.passes[0].attachments[1]; }

  Scene() {
    pass("Scene");
    attach(color, LoadOp::clear, StoreOp::store);
    attach(depth, LoadOp::clear, StoreOp::dont_care);
    draw();
    pass("Screen");
    attach(screen, LoadOp::dont_care, StoreOp::store);
    sample(color);
    draw(3);
    present(screen);
  }
};

TEST(Rules, CleanSceneIsSilent) {
  EXPECT_EQ(ids(Scene().frame), Ids{});
  EXPECT_EQ(ids(Scene().frame, for_device("mali-g71")), Ids{});
  EXPECT_EQ(ids(Scene().frame, for_device("adreno-650")), Ids{});
}

TEST(Rules, DepthStoredNeverRead) {
  Scene s;
  s.frame.images[s.depth].usage = test::kDepth | test::kSampled;
  s.frame.images[s.depth].lazily_allocated = false;
  s.scene_depth().store = StoreOp::store;
  const Result result = lint(s.frame, {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].id, "depth_stored_never_read");
  EXPECT_EQ(result.findings[0].severity, model::Severity::error);
  EXPECT_EQ(result.findings[0].saving.bytes_per_frame, 2400.0 * 1080 * 4);
  // Near miss: the last pass samples it.
  s.frame.uses.push_back({s.frame.passes[1].first_event, model::UseKind::sampled, {s.depth}, 1});
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, DepthKeptForTheNextFrame) {
  Scene s;
  s.frame.images[s.depth].usage = test::kDepth | test::kSampled;
  s.frame.images[s.depth].lazily_allocated = false;
  s.scene_depth().store = StoreOp::store;
  s.scene_depth().stencil_store = StoreOp::store;
  // The next frame reads it before it clears it: reprojection.
  s.frame.uses.insert(s.frame.uses.begin(), {0, model::UseKind::sampled, {s.depth}, {}});
  EXPECT_FALSE(finds(s.frame, "depth_stored_never_read"));
}

TEST(Rules, WorkedExample) {
  Builder b;
  const std::size_t screen = b.swapchain();
  b.pass("Scene");
  b.attach(b.image("R8G8B8A8_UNORM", 4, test::kColor | test::kTransient), LoadOp::clear,
           StoreOp::dont_care);
  b.resolve_to(screen);
  b.attach(b.image("D24_UNORM_S8_UINT", 4, test::kDepth), LoadOp::clear, StoreOp::store);
  b.draw();
  b.present(screen);
  Options options;
  options.fps = 60;
  const Result result = lint(b.frame, options);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].id, "depth_stored_never_read");
  EXPECT_EQ(result.findings[0].saving.bytes_per_frame, 41'472'000.0);
  EXPECT_NE(result.findings[0].evidence.back().find("2.49 GB/s at 60"), std::string::npos)
      << result.findings[0].evidence.back();
  EXPECT_EQ(result.context.passes[0].traffic.written, 51'840'000U);
  // The colour stored as well.
  b.frame.passes[0].attachments[0].store = StoreOp::store;
  b.frame.images[1].usage = test::kColor;
  const Result both = lint(b.frame, options);
  const auto color = std::find_if(both.findings.begin(), both.findings.end(),
                                  [](const auto& f) { return f.id == "msaa_stored"; });
  ASSERT_NE(color, both.findings.end());
  EXPECT_EQ(color->saving.bytes_per_frame, 41'472'000.0);
}

TEST(Rules, ColorStoredNeverRead) {
  Scene s;
  s.frame.uses.erase(s.frame.uses.begin());  // nobody samples it
  EXPECT_EQ(ids(s.frame), Ids{"stored_never_read"});
  // Two images alike, one read first and not written: they may change places each frame.
  const std::size_t history = s.image("R8G8B8A8_UNORM");
  s.frame.uses.insert(s.frame.uses.begin(),
                      {s.frame.passes[0].first_event, model::UseKind::sampled, {history}, 0});
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, MissingInvalidate) {
  Scene s;
  s.frame.api = model::Api::gles;
  s.scene_depth().store = StoreOp::store;
  s.frame.images[s.depth].usage.reset();
  s.frame.images[s.depth].lazily_allocated.reset();
  EXPECT_EQ(ids(s.frame), Ids{"missing_invalidate"});
  s.scene_depth().store = StoreOp::dont_care;
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, UnknownOpsAreSilent) {
  Scene s;
  s.scene_depth().store = StoreOp::unknown;
  s.scene_depth().stencil_store = StoreOp::unknown;
  EXPECT_EQ(ids(s.frame), Ids{});
  EXPECT_EQ(lint(s.frame, {}).context.passes[0].traffic.written, std::nullopt);
}

model::ClearInPass clear_of(std::size_t pass, std::size_t attachment) {
  model::ClearInPass clear;
  clear.pass = pass;
  clear.attachments = {attachment};
  clear.first_in_subpass = true;
  return clear;
}

TEST(Rules, ClearedAfterLoad) {
  Scene s;
  s.scene_color().load = LoadOp::load;
  s.scene_color().undefined_before = false;
  s.frame.clears.push_back(clear_of(0, 0));
  EXPECT_TRUE(finds(s.frame, "cleared_after_load"));
  EXPECT_FALSE(finds(s.frame, "clear_in_pass"));
  s.frame.clears[0].area = model::Area{0, 0, 100, 100};
  EXPECT_FALSE(finds(s.frame, "cleared_after_load"));
  s.frame.clears[0].area.reset();
  s.frame.clears[0].first_in_subpass = false;
  EXPECT_FALSE(finds(s.frame, "cleared_after_load"));
}

TEST(Rules, ClearInPass) {
  Scene s;
  s.frame.clears.push_back(clear_of(0, 0));
  EXPECT_EQ(ids(s.frame), Ids{"clear_in_pass"});
  s.frame.clears[0].first_in_subpass = false;
  EXPECT_EQ(ids(s.frame), Ids{});
}

/// A pipeline that fills the screen.
std::size_t full_screen(Builder& b) {
  model::Shader shader;
  shader.stage = model::Stage::fragment;
  shader.analysed = true;
  shader.instructions = 40;
  shader.texture_samples = 1;
  b.frame.shaders.push_back(shader);
  model::Pipeline pipeline;
  pipeline.shaders = {b.frame.shaders.size() - 1};
  pipeline.topology = "TRIANGLE_LIST";
  pipeline.covers_without_geometry = true;
  pipeline.depth_test = false;
  pipeline.depth_write = false;
  pipeline.blends = {false};
  pipeline.write_masks = {0xf};
  b.frame.pipelines.push_back(pipeline);
  return b.frame.pipelines.size() - 1;
}

TEST(Rules, OverwrittenAfterLoad) {
  Scene s;
  s.frame.draws[1].pipeline = full_screen(s);
  s.frame.draws[1].scissor = model::Area{0, 0, 2400, 1080};
  model::Attachment& screen = s.frame.passes[1].attachments[0];
  screen.load = LoadOp::load;
  screen.undefined_before = false;
  EXPECT_TRUE(finds(s.frame, "overwritten_after_load"));
  s.frame.pipelines[0].blends = {true};
  EXPECT_FALSE(finds(s.frame, "overwritten_after_load"));
  s.frame.pipelines[0].blends = {false};
  s.frame.draws[1].scissor = model::Area{0, 0, 2400, 1079};
  EXPECT_FALSE(finds(s.frame, "overwritten_after_load"));
}

TEST(Rules, ClearByDraw) {
  Scene s;
  s.draw();
  s.frame.draws[2].pass = 1;
  s.frame.draws[1].pipeline = full_screen(s);
  s.frame.draws[1].scissor = model::Area{0, 0, 2400, 1080};
  EXPECT_FALSE(finds(s.frame, "clear_by_draw"));  // it samples a texture
  s.frame.shaders[0].texture_samples = 0;
  s.frame.shaders[0].instructions = 5;
  EXPECT_TRUE(finds(s.frame, "clear_by_draw"));
}

TEST(Rules, LoadedUndefined) {
  Scene s;
  s.scene_color().load = LoadOp::load;
  EXPECT_EQ(ids(s.frame), Ids{"loaded_undefined"});  // initial layout UNDEFINED
  s.scene_color().undefined_before = false;
  EXPECT_EQ(ids(s.frame), Ids{"loaded"});
}

TEST(Rules, ClearOnlyPass) {
  Builder b;
  const std::size_t screen = b.swapchain();
  b.pass("Clear");
  b.attach(screen, LoadOp::clear, StoreOp::store);
  b.pass("Draw");
  b.attach(screen, LoadOp::load, StoreOp::store);
  b.draw();
  b.present(screen);
  // One finding for the one store and load.
  EXPECT_EQ(ids(b.frame), Ids{"clear_only_pass"});
  b.frame.passes[0].area.width = 100;
  EXPECT_FALSE(finds(b.frame, "clear_only_pass"));
  EXPECT_TRUE(finds(b.frame, "loaded"));
}

TEST(Rules, ClearOutsidePass) {
  Builder b;
  const std::size_t screen = b.swapchain();
  model::Transfer transfer;
  transfer.event = b.next_event();
  transfer.kind = model::TransferKind::clear;
  transfer.to = model::ImageRange{screen};
  b.frame.transfers.push_back(transfer);
  b.frame.uses.push_back({transfer.event, model::UseKind::transfer_write, {screen}, {}});
  b.pass("Draw");
  b.attach(screen, LoadOp::load, StoreOp::store);
  b.draw();
  b.present(screen);
  EXPECT_TRUE(finds(b.frame, "clear_outside_pass"));
  b.frame.transfers[0].kind = model::TransferKind::copy;
  EXPECT_FALSE(finds(b.frame, "clear_outside_pass"));
}

TEST(Rules, MsaaResolvedOutside) {
  Builder b;
  const std::size_t screen = b.swapchain();
  const std::size_t many = b.image("R8G8B8A8_UNORM", 4, test::kColor | test::kTransferSource);
  b.pass("Scene");
  b.attach(many, LoadOp::clear, StoreOp::store);
  b.draw();
  model::Transfer transfer;
  transfer.event = b.next_event();
  transfer.kind = model::TransferKind::resolve;
  transfer.from = model::ImageRange{many};
  transfer.to = model::ImageRange{screen};
  b.frame.transfers.push_back(transfer);
  b.frame.uses.push_back({transfer.event, model::UseKind::transfer_read, {many}, {}});
  b.frame.uses.push_back({transfer.event, model::UseKind::transfer_write, {screen}, {}});
  b.present(screen);
  // One finding for the one store.
  EXPECT_EQ(ids(b.frame), Ids{"msaa_resolved_outside"});
  b.frame.images[many].samples = 1;
  b.frame.passes[0].attachments[0].samples = 1;
  EXPECT_EQ(ids(b.frame), Ids{});
}

TEST(Rules, Samples) {
  const auto frame = [](std::uint32_t samples) {
    Builder b;
    b.pass("Scene");
    const std::size_t screen = b.swapchain();
    b.attach(b.image("R8G8B8A8_UNORM", samples, test::kColor | test::kTransient), LoadOp::clear,
             StoreOp::dont_care);
    b.resolve_to(screen);
    b.draw();
    return b.frame;
  };
  EXPECT_TRUE(finds(frame(8), "many_samples"));
  EXPECT_FALSE(finds(frame(4), "many_samples"));
  EXPECT_TRUE(finds(frame(2), "two_samples_as_four", for_device("mali-g77")));
  EXPECT_FALSE(finds(frame(2), "two_samples_as_four", for_device("mali-g720")));
  EXPECT_FALSE(finds(frame(2), "two_samples_as_four"));
}

TEST(Rules, Transient) {
  Scene s;
  s.frame.images[s.depth].usage = test::kDepth;
  s.frame.images[s.depth].lazily_allocated = false;
  EXPECT_EQ(ids(s.frame), Ids{"could_be_transient"});
  s.frame.device_has_lazy_memory = false;
  EXPECT_EQ(ids(s.frame), Ids{});
  EXPECT_EQ(ids(s.frame, for_device("mali-g77")), Ids{"could_be_transient"});
  s.frame.device_has_lazy_memory = true;
  s.frame.images[s.depth].usage = test::kDepth | test::kTransient;
  EXPECT_EQ(ids(s.frame), Ids{"transient_not_lazy"});
  s.frame.images[s.depth].lazily_allocated = true;
  EXPECT_EQ(ids(s.frame), Ids{});
  s.scene_depth().store = StoreOp::store;
  EXPECT_TRUE(finds(s.frame, "transient_moved"));
}

/// A G-buffer subpass and one that shades it.
struct Deferred : Builder {
  std::size_t albedo = image("R8G8B8A8_UNORM", 1, test::kColor | test::kInput | test::kTransient);
  std::size_t screen = swapchain();

  Deferred() {
    pass("Deferred").subpasses = 2;
    attach(albedo, LoadOp::clear, StoreOp::dont_care).read_in = {1};
    attach(screen, LoadOp::dont_care, StoreOp::store).written_in = {1};
    frame.passes[0].dependencies.push_back({0, 1, 0x400, 0x80, 0, 0, true});
    draw();
    draw(3).subpass = 1;
    present(screen);
  }
};

TEST(Rules, Subpasses) {
  EXPECT_EQ(ids(Deferred().frame), Ids{});
  Deferred region;
  region.frame.passes[0].dependencies[0].by_region = false;
  EXPECT_EQ(ids(region.frame), Ids{"subpass_dependency"});
  EXPECT_EQ(lint(region.frame, {}).findings[0].saving.bytes_per_frame, 2400.0 * 1080 * 4 * 2);
  Deferred all;
  all.frame.passes[0].dependencies[0].src_stages = 0x10000;
  EXPECT_EQ(ids(all.frame), Ids{"subpass_dependency"});
  Deferred vertex;
  vertex.frame.passes[0].dependencies[0].dst_stages = 0x88;
  EXPECT_EQ(ids(vertex.frame), Ids{"subpass_dependency"});
  Deferred sampled;
  sampled.frame.uses.push_back({2, model::UseKind::sampled, {sampled.albedo}, 0});
  EXPECT_TRUE(finds(sampled.frame, "input_also_sampled"));
  Deferred memory;
  memory.frame.images[memory.albedo].usage = test::kColor | test::kInput;
  memory.frame.images[memory.albedo].lazily_allocated = false;
  EXPECT_EQ(ids(memory.frame), Ids{"input_not_transient"});
}

struct TwoPasses : Builder {
  std::size_t screen = swapchain();

  explicit TwoPasses(bool between) {
    pass("Opaque");
    attach(screen, LoadOp::clear, StoreOp::store);
    draw();
    if (between) {
      pass("Particles").kind = model::PassKind::compute;
      model::Dispatch dispatch;
      dispatch.event = next_event();
      dispatch.pass = 1;
      frame.passes[1].last_event = dispatch.event;
      frame.dispatches.push_back(dispatch);
    }
    pass("Transparent");
    attach(screen, LoadOp::load, StoreOp::store);
    draw();
    present(screen);
  }
};

TEST(Rules, Merging) {
  const Result together = lint(TwoPasses(false).frame, {});
  EXPECT_EQ(together.findings[0].id, "passes_could_merge");
  EXPECT_EQ(together.findings[0].saving.bytes_per_frame, 2400.0 * 1080 * 4 * 2);
  EXPECT_TRUE(finds(TwoPasses(true).frame, "pass_split"));
  EXPECT_FALSE(finds(TwoPasses(true).frame, "passes_could_merge"));
  TwoPasses other(false);
  other.frame.passes[1].area.width = 1200;
  EXPECT_FALSE(finds(other.frame, "passes_could_merge"));
  TwoPasses read(true);  // what lies between reads the picture
  read.frame.uses.push_back(
      {read.frame.passes[1].last_event, model::UseKind::sampled, {read.screen}, 1});
  EXPECT_FALSE(finds(read.frame, "pass_split"));
}

TEST(Rules, CouldBeSubpasses) {
  const auto frame = [](bool both) {
    Builder b;
    const std::size_t screen = b.swapchain();
    const std::size_t albedo = b.image("R8G8B8A8_UNORM");
    const std::size_t normals = b.image("R8G8B8A8_UNORM");
    b.pass("G-buffer");
    b.attach(albedo, LoadOp::clear, StoreOp::store);
    b.attach(normals, LoadOp::clear, both ? StoreOp::store : StoreOp::dont_care);
    b.draw();
    b.pass("Light");
    b.attach(screen, LoadOp::dont_care, StoreOp::store);
    b.sample(albedo);
    if (both) b.sample(normals);
    b.draw(3);
    b.present(screen);
    return b.frame;
  };
  EXPECT_TRUE(finds(frame(true), "could_be_subpasses"));
  EXPECT_FALSE(finds(frame(false), "could_be_subpasses"));
}

TEST(Rules, VertexWaitsForFragment) {
  Scene s;
  model::Barrier barrier;
  barrier.event = s.frame.passes[1].first_event;
  barrier.src_stages = 0x400;
  barrier.dst_stages = 0x80;
  s.frame.barriers.push_back(barrier);
  EXPECT_EQ(ids(s.frame), Ids{});
  s.frame.barriers[0].dst_stages = 0x8 | 0x80;
  EXPECT_EQ(ids(s.frame), Ids{"vertex_waits_for_fragment"});
  s.frame.barriers[0].event = 1000;  // after the last pass
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, IndirectDraws) {
  Scene s;
  s.frame.draws[0].indirect = model::IndirectSource::known;
  s.frame.draws[0].draw_count = 3;
  s.frame.draws[0].records = {{36, 1, 0}, {36, 0, 1}, {36, 1, 2}};
  const Result result = lint(s.frame, {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].id, "indirect_empty_records");
  EXPECT_EQ(result.findings[0].evidence[0],
            "1 of 3 records (33.3 %) have no instances or no vertices");
  s.frame.draws[0].indirect = model::IndirectSource::gpu_written;
  s.frame.draws[0].records.clear();
  const Result unknown = lint(s.frame, {});
  EXPECT_EQ(unknown.findings.size(), 0U);
  EXPECT_EQ(unknown.context.passes[0].counts.empty_records, std::nullopt);
  s.frame.draws[0].draw_count = 0;
  EXPECT_EQ(ids(s.frame), Ids{"empty_draw"});
}

TEST(Rules, BaseInstance) {
  Scene s;
  model::Shader shader;
  shader.analysed = true;
  shader.base_instance = true;
  s.frame.shaders.push_back(shader);
  model::Pipeline pipeline;
  pipeline.shaders = {0};
  s.frame.pipelines.push_back(pipeline);
  s.frame.draws[0].pipeline = 0;
  EXPECT_EQ(ids(s.frame), Ids{});  // a direct draw
  s.frame.draws[0].indirect = model::IndirectSource::gpu_written;
  EXPECT_EQ(ids(s.frame), Ids{"base_instance_indirect"});
  EXPECT_EQ(lint(s.frame, {}).findings[0].severity, model::Severity::info);
  s.frame.system["driver"] = "54.1";
  EXPECT_EQ(lint(s.frame, for_device("mt9500")).findings[0].severity, model::Severity::error);
  EXPECT_EQ(ids(s.frame, for_device("adreno-840")), Ids{});
  s.frame.shaders[0].analysed = false;
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, SmallDraws) {
  Scene s;
  for (int i = 0; i < 9; ++i) s.draw(6);
  EXPECT_EQ(ids(s.frame), Ids{});  // ten with the one of the screen
  s.draw(6);
  EXPECT_EQ(ids(s.frame), Ids{"small_draws"});
}

TEST(Rules, IdlePass) {
  TwoPasses b(false);
  b.frame.draws.pop_back();
  EXPECT_TRUE(finds(b.frame, "idle_pass"));
  b.frame.passes[1].attachments[0].load = LoadOp::clear;
  EXPECT_FALSE(finds(b.frame, "idle_pass"));
}

TEST(Rules, Shaders) {
  Scene s;
  const std::size_t pipeline = full_screen(s);
  s.frame.pipelines[pipeline].depth_write = true;
  s.frame.shaders[0].discards = true;
  s.frame.draws[0].pipeline = pipeline;
  EXPECT_EQ(ids(s.frame), Ids{});  // the last of its pass
  model::Draw& after = s.draw();
  after.pass = 0;
  const std::size_t plain = full_screen(s);
  s.frame.pipelines[plain].depth_write = true;
  s.frame.draws.back().pipeline = plain;
  EXPECT_EQ(ids(s.frame), Ids{"late_depth"});
  s.frame.shaders[0].early_fragment_tests = true;
  EXPECT_EQ(ids(s.frame), Ids{});
  s.frame.shaders[0].varying_components_32 = 12;
  EXPECT_EQ(ids(s.frame), Ids{"full_precision_varyings"});
  s.frame.shaders[0].varying_components_16 = 2;
  s.frame.shaders[0].float_operations = 100;
  EXPECT_EQ(ids(s.frame), Ids{});
  s.frame.system["engine"] = "ANGLE";
  EXPECT_EQ(ids(s.frame), Ids{"no_relaxed_precision"});
  s.frame.shaders[1].relaxed_operations = 1;
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, Geometry) {
  Scene s;
  model::Pipeline pipeline;
  pipeline.bindings = {{0, 32, false}};
  pipeline.attributes = {{0, 0, 0, test::format("R32G32B32_SFLOAT")},
                         {1, 0, 12, test::format("R32G32B32_SFLOAT")}};
  s.frame.pipelines.push_back(pipeline);
  s.frame.draws[0].pipeline = 0;
  EXPECT_EQ(ids(s.frame), Ids{"interleaved_positions"});
  s.frame.pipelines[0].bindings.push_back({1, 20, false});
  s.frame.pipelines[0].attributes[1].binding = 1;
  EXPECT_EQ(ids(s.frame), Ids{});
  s.frame.draws[0].vertices = 30000;
  s.frame.draws[0].indexed = true;
  s.frame.draws[0].index_bits = 32;
  EXPECT_EQ(ids(s.frame), Ids{"wide_indices"});
  s.frame.draws[0].vertices = 70000;
  EXPECT_EQ(ids(s.frame), Ids{});
}

TEST(Rules, CompressionAndDisplay) {
  Scene s;
  s.frame.images[s.color].usage = test::kColor | test::kSampled | test::kStorage;
  EXPECT_EQ(ids(s.frame), Ids{"compression_lost"});
  s.frame.uses.push_back({100, model::UseKind::storage, {s.color}, {}});
  EXPECT_EQ(ids(s.frame), Ids{});
  s.frame.images[s.color].linear_tiling = true;
  EXPECT_EQ(ids(s.frame), Ids{"compression_lost"});
  Scene turned;
  turned.frame.presents[0].surface_transform = 2;
  turned.frame.presents[0].pre_transform = 1;
  EXPECT_EQ(ids(turned.frame), Ids{"not_pre_rotated"});
  turned.frame.presents[0].pre_transform = 2;
  EXPECT_EQ(ids(turned.frame), Ids{});
  Scene cut;
  cut.frame.passes[1].area.width = 1001;
  EXPECT_EQ(ids(cut.frame), Ids{"render_area"});
  cut.frame.passes[1].area.width = 1024;
  cut.frame.passes[1].area.height = 1080;
  EXPECT_EQ(ids(cut.frame), Ids{});
}

TEST(Rules, TileBudget) {
  Builder b(1920, 1080);
  b.pass("G-buffer");
  for (const char* format : {"R16G16B16A16_SFLOAT", "R16G16B16A16_SFLOAT", "R8G8B8A8_UNORM"}) {
    b.attach(b.image(format, 1, test::kColor | test::kTransient), LoadOp::clear,
             StoreOp::dont_care);
  }
  b.attach(b.image("D24_UNORM_S8_UINT", 1, test::kDepth | test::kTransient), LoadOp::clear,
           StoreOp::dont_care);
  b.draw();
  const auto severity = [&](const Options& options) {
    const Result result = lint(b.frame, options);
    EXPECT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings.at(0).id, "tile_budget");
    return result.findings.at(0).severity;
  };
  EXPECT_EQ(severity({}), model::Severity::info);
  EXPECT_EQ(severity(for_device("mali-g71")), model::Severity::warning);
  EXPECT_EQ(severity(for_device("mali-g77")), model::Severity::info);
  EXPECT_EQ(severity(for_device("adreno-650")), model::Severity::info);
  EXPECT_EQ(severity(for_device("powervr")), model::Severity::info);
  b.frame.passes[0].attachments.erase(b.frame.passes[0].attachments.begin());
  EXPECT_EQ(ids(b.frame, for_device("mali-g71")), Ids{});  // 96 bits
}

TEST(Rules, CatalogueIsComplete) {
  std::vector<std::string> seen;
  for (const Rule* rule : catalogue()) {
    EXPECT_TRUE(std::find(seen.begin(), seen.end(), rule->id) == seen.end()) << rule->id;
    seen.emplace_back(rule->id);
    for (const std::string_view text :
         {rule->title, rule->applies, rule->why, rule->fix, rule->source}) {
      EXPECT_FALSE(text.empty()) << rule->id;
    }
    EXPECT_NE(rule->check, nullptr) << rule->id;
  }
}

}  // namespace

}  // namespace tilebound::lint
