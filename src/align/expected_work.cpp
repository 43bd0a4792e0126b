#include "align/expected_work.h"

#include <algorithm>
#include <cmath>

namespace tilebound::align {

namespace {

using model::Draw;
using model::IndirectSource;
using model::Pass;

constexpr model::Extent kUsualTile{16, 16};

/// Squares of a grid that an area touches along one axis.
std::uint64_t cells(std::int32_t from, std::uint32_t length, std::uint32_t cell) {
  const std::int64_t first = std::max<std::int64_t>(0, from);
  const std::int64_t end = std::max<std::int64_t>(first, std::int64_t{from} + length);
  return static_cast<std::uint64_t>((end + cell - 1) / cell - first / cell);
}

double grid(const Pass& pass, model::Extent cell) {
  const std::uint32_t copies = std::max(pass.layers, pass.views);
  return static_cast<double>(cells(pass.area.x, pass.area.width, cell.width)) *
         static_cast<double>(cells(pass.area.y, pass.area.height, cell.height)) * copies;
}

/// Primitives of one instance of `vertices`; nothing for a topology that does not tell.
std::optional<double> primitives_of(const std::string& topology, double vertices) {
  if (topology == "TRIANGLE_LIST") return std::floor(vertices / 3);
  if (topology == "TRIANGLE_STRIP" || topology == "TRIANGLE_FAN")
    return std::max(0.0, vertices - 2);
  if (topology == "LINE_LIST") return std::floor(vertices / 2);
  if (topology == "LINE_STRIP") return std::max(0.0, vertices - 1);
  if (topology == "POINT_LIST") return vertices;
  return std::nullopt;
}

void add(Amount& sum, std::optional<double> value) {
  if (!value) {
    sum.certainty = Certainty::unknown;
  } else {
    sum.value += *value;
  }
}

void add_draw(const lint::Context& context, const Draw& draw, PassWork& work) {
  const bool asks = draw.indirect != IndirectSource::direct;
  if (!asks) {
    work.jobs.value += 1;
  } else if (draw.draw_count && !draw.count_buffer) {
    work.jobs.value += *draw.draw_count;
  } else if (draw.indirect == IndirectSource::known) {
    work.jobs.value += static_cast<double>(draw.records.size());
  } else {
    work.jobs.certainty = Certainty::unknown;
  }
  const model::Pipeline* pipeline = context.pipeline_of(draw);
  const std::string topology = pipeline == nullptr ? std::string() : pipeline->topology;
  const auto add_instances = [&](double vertices, double instances) {
    const auto each = primitives_of(topology, vertices);
    add(work.primitives, each ? std::optional(*each * instances) : std::nullopt);
    add(work.vertices, vertices * instances);
  };
  if (!asks && draw.vertices && draw.instances) {
    add_instances(static_cast<double>(*draw.vertices), static_cast<double>(*draw.instances));
  } else if (draw.indirect == IndirectSource::known) {
    for (const model::IndirectRecord& record : draw.records) {
      add_instances(record.vertices, record.instances);
    }
  } else {
    work.primitives.certainty = Certainty::unknown;
    work.vertices.certainty = Certainty::unknown;
  }
}

Amount bytes(const std::optional<std::uint64_t>& value) {
  if (!value) return {};
  return {static_cast<double>(*value), Certainty::estimated};
}

void add_tiles(const lint::Context& context, std::size_t p, PassWork& work) {
  const Pass& pass = context.frame.passes[p];
  if (pass.area.width == 0 || pass.area.height == 0) return;
  const lint::PassFacts& facts = context.passes[p];
  const auto& hardware = context.target.hardware;
  model::Extent tile = kUsualTile;
  if (facts.fit && facts.fit->tile && !facts.fit->bins) {
    tile = *facts.fit->tile;
  } else if (hardware && hardware->full_tile.width > 0) {
    tile = hardware->full_tile;
  }
  const bool sure = hardware && facts.fit && !facts.fit->at_least && !facts.fit->bins;
  work.tiles = {grid(pass, tile), sure ? Certainty::exact : Certainty::estimated};
  work.tasks = {grid(pass, {kTaskSide, kTaskSide}), Certainty::exact};
}

PassWork render_work(const lint::Context& context, std::size_t p) {
  const Pass& pass = context.frame.passes[p];
  const lint::PassFacts& facts = context.passes[p];
  PassWork work;
  work.pass = p;
  work.fragment = true;
  add_tiles(context, p, work);
  work.jobs.certainty = Certainty::exact;
  work.primitives.certainty = Certainty::estimated;
  work.vertices.certainty = Certainty::estimated;
  work.shading.certainty = Certainty::estimated;
  for (const std::size_t d : facts.draws) {
    const Draw& draw = context.frame.draws[d];
    add_draw(context, draw, work);
    const model::Shader* shader = context.shader_of(draw, model::Stage::fragment);
    if (shader == nullptr) {
      work.shading.certainty = Certainty::unknown;
    } else {
      work.shading.value += static_cast<double>(shader->instructions) * pass.area.width *
                            pass.area.height * std::max(pass.layers, pass.views);
    }
  }
  work.non_fragment = !work.jobs.known() || work.jobs.value > 0;
  work.stored_bytes = bytes(facts.traffic.written);
  work.loaded_bytes = bytes(facts.traffic.read);
  const double pixels =
      static_cast<double>(pass.area.width) * pass.area.height * std::max(pass.layers, pass.views);
  work.pixels = {pixels, Certainty::estimated};
  work.depth_pixels = {facts.need.depth ? pixels : 0, Certainty::estimated};
  return work;
}

}  // namespace

std::vector<PassWork> expected_work(const lint::Context& context) {
  std::vector<PassWork> out;
  for (std::size_t p = 0; p < context.frame.passes.size(); ++p) {
    if (context.frame.passes[p].kind == model::PassKind::render) {
      out.push_back(render_work(context, p));
    } else if (context.frame.passes[p].kind == model::PassKind::compute) {
      PassWork work;
      work.pass = p;
      work.non_fragment = true;
      const auto dispatches = static_cast<double>(context.passes[p].counts.dispatches);
      work.jobs = {dispatches, Certainty::exact};
      work.primitives = {0, Certainty::exact};
      work.vertices = {0, Certainty::exact};
      out.push_back(work);
    }
  }
  return out;
}

}  // namespace tilebound::align
