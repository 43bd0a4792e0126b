#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/format.h"
#include "model/note.h"

/// One frame as an application submitted it, whatever recorded it: data only.
///
/// Commands of all kinds share one order: `event`, ascending in the order of submission (command
/// buffers expanded where they are submitted). An empty optional is "the source does not hold it",
/// never zero. Indices point into the vectors of the same ApiFrame.
namespace tilebound::model {

enum class Api : std::uint8_t { vulkan, gles };

struct Extent {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool operator==(const Extent&) const = default;
};

struct Area {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool operator==(const Area&) const = default;
};

/// An image, texture or renderbuffer that the frame touches.
struct Image {
  std::string id;    // the source's handle, as people meet it in the source's own viewer
  std::string name;  // debug name; empty where none was given
  Format format;
  Extent extent;
  std::uint32_t layers = 1;
  std::uint32_t mips = 1;
  std::uint32_t samples = 1;
  bool swapchain = false;              // presented by the window system
  std::optional<std::uint32_t> usage;  // VkImageUsageFlags
  std::optional<std::uint32_t> flags;  // VkImageCreateFlags
  std::optional<bool> linear_tiling;
  std::optional<bool> lazily_allocated;  // bound to lazily allocated memory
};

struct ImageRange {
  std::size_t image = 0;
  std::uint32_t mip = 0;  // first
  std::uint32_t mips = 1;
  std::uint32_t layer = 0;  // first
  std::uint32_t layers = 1;
};

enum class LoadOp : std::uint8_t { load, clear, dont_care, none, unknown };
enum class StoreOp : std::uint8_t { store, dont_care, none, unknown };

enum class AttachmentRole : std::uint8_t { color, depth_stencil, input, shading_rate };

/// What a pass binds. A resolve target is an attachment of its own, named by `resolve_target` of
/// the multisampled one.
struct Attachment {
  AttachmentRole role = AttachmentRole::color;
  bool is_resolve_target = false;
  std::uint32_t slot = 0;  // of its role, in the first subpass that uses it
  std::optional<ImageRange>
      range;      // empty: the source does not say which image (imageless, unbound)
  Format format;  // of the view
  std::uint32_t samples = 1;
  /// Of colour or depth; and of stencil, which has its own. An aspect that the format lacks is
  /// none.
  LoadOp load = LoadOp::unknown;
  StoreOp store = StoreOp::unknown;
  LoadOp stencil_load = LoadOp::none;
  StoreOp stencil_store = StoreOp::none;
  bool undefined_before = false;              // initial layout UNDEFINED: nothing to load
  bool read_only = false;                     // depth bound read-only in every subpass
  std::optional<std::size_t> resolve_target;  // index into Pass::attachments
  std::vector<std::uint32_t> written_in;      // subpasses where it is colour, depth or resolve
  std::vector<std::uint32_t> read_in;         // subpasses where it is an input attachment
};

/// VkSubpassDependency, or the barrier that stands for one. Masks as in Vulkan (64 bits).
struct Dependency {
  std::optional<std::uint32_t> from_subpass;  // empty: external
  std::optional<std::uint32_t> to_subpass;
  std::uint64_t src_stages = 0;
  std::uint64_t dst_stages = 0;
  std::uint64_t src_access = 0;
  std::uint64_t dst_access = 0;
  bool by_region = false;
};

enum class PassKind : std::uint8_t { render, compute, transfer };

/// A render pass instance (all its subpasses; a resumed dynamic pass goes on as the same one), a
/// run of dispatches, or a run of transfers outside passes.
struct Pass {
  PassKind kind = PassKind::render;
  std::string label;  // path of debug labels around it, "Frame/Shadow"; empty where there are none
  std::string name;   // of the render pass or framebuffer object, where it has a debug name
  std::uint64_t first_event = 0;
  std::uint64_t last_event = 0;
  std::uint32_t queue = 0;
  std::uint32_t submit = 0;  // which submission of the frame
  bool dynamic = false;      // vkCmdBeginRendering, or OpenGL ES
  Area area;                 // render area
  Extent framebuffer;
  std::uint32_t layers = 1;
  std::uint32_t views = 1;  // multiview: views rendered
  std::uint32_t subpasses = 1;
  std::vector<Attachment> attachments;
  std::vector<Dependency> dependencies;
};

/// One draw's or dispatch's record inside an indirect buffer.
struct IndirectRecord {
  std::uint32_t vertices = 0;  // or indices
  std::uint32_t instances = 0;
  std::uint32_t first_instance = 0;
};

enum class IndirectSource : std::uint8_t {
  direct,       // not indirect
  known,        // `records` holds what the GPU read
  gpu_written,  // a shader or transfer of the frame writes it
  not_captured  // the source lacks the buffer's content
};

struct Draw {
  std::uint64_t event = 0;
  std::string call;  // "vkCmdDrawIndexedIndirect", as the source calls it
  std::optional<std::size_t> pass;
  std::uint32_t subpass = 0;
  std::string label;
  bool indexed = false;
  /// Of a direct draw. For an indirect one: sums over the records, where those are known.
  std::optional<std::uint64_t> vertices;  // or indices, of one instance; summed for indirect
  std::optional<std::uint64_t> instances;
  std::uint32_t first_instance = 0;
  IndirectSource indirect = IndirectSource::direct;
  std::optional<std::uint32_t> draw_count;  // records asked for (the maximum with a count buffer)
  bool count_buffer = false;
  std::vector<IndirectRecord> records;
  std::optional<std::size_t> pipeline;
  std::optional<std::uint32_t> index_bits;    // 8, 16, 32
  std::vector<std::uint32_t> vertex_strides;  // of the bound vertex buffers that the pipeline reads
  std::optional<Area> scissor;
  std::optional<Area> viewport;
};

struct Dispatch {
  std::uint64_t event = 0;
  std::string call;
  std::optional<std::size_t> pass;
  std::string label;
  std::optional<std::uint32_t> groups[3];  // empty when indirect and not known
  std::optional<std::size_t> pipeline;
};

/// A clear inside a pass (vkCmdClearAttachments, glClear after a draw). A clear before the first
/// draw of an OpenGL ES pass is its load op instead.
struct ClearInPass {
  std::uint64_t event = 0;
  std::size_t pass = 0;
  std::uint32_t subpass = 0;
  std::vector<std::size_t> attachments;  // indices into Pass::attachments
  bool stencil_only = false;
  std::optional<Area> area;
  bool masked = false;            // write masks keep some of its channels or bits
  bool first_in_subpass = false;  // no draw before it
};

enum class TransferKind : std::uint8_t {
  copy,
  blit,
  resolve,
  clear,
  upload,
  fill,
  readback,
  generate_mips
};

/// Work outside render passes on images and buffers.
struct Transfer {
  std::uint64_t event = 0;
  std::string call;
  std::string label;
  TransferKind kind = TransferKind::copy;
  std::optional<std::size_t> pass;  // the transfer pass that it belongs to
  std::optional<ImageRange> from;
  std::optional<ImageRange> to;
  std::optional<std::uint64_t> bytes;
};

struct Barrier {
  std::uint64_t event = 0;
  std::optional<std::size_t> pass;  // inside a render pass
  std::uint64_t src_stages = 0;
  std::uint64_t dst_stages = 0;
  std::uint64_t src_access = 0;
  std::uint64_t dst_access = 0;
  bool by_region = false;
  std::vector<ImageRange> images;
  bool memory = false;  // a global or buffer barrier is part of it
};

enum class UseKind : std::uint8_t {
  attachment_load,   // by a load op, or by blending with what was loaded
  attachment_write,  // stored by a pass
  input_attachment,
  sampled,  // bound to a draw or dispatch of a shader that may read it
  storage,  // read or written by a shader
  transfer_read,
  transfer_write,
  present,
  host_read,
};

/// One use of an image by the frame, in order of `event`: its data flow.
struct ImageUse {
  std::uint64_t event = 0;
  UseKind kind = UseKind::sampled;
  ImageRange range;
  std::optional<std::size_t> pass;
};

enum class Stage : std::uint8_t { vertex, tessellation, geometry, fragment, compute, mesh };

/// Facts of a shader module's entry point, from SPIR-V. `analysed` is false where the source lacks
/// the code; then the rest means nothing.
struct Shader {
  std::string id;
  std::string name;  // debug name, else empty
  Stage stage = Stage::vertex;
  std::string entry;
  bool analysed = false;
  bool base_instance = false;   // reads BaseInstance
  bool instance_index = false;  // reads InstanceIndex
  bool draw_index = false;
  bool discards = false;  // OpKill, terminate, demote
  bool writes_depth = false;
  bool writes_sample_mask = false;
  bool early_fragment_tests = false;
  std::uint32_t float_operations = 0;       // arithmetic results of float type
  std::uint32_t relaxed_operations = 0;     // of those, decorated RelaxedPrecision or 16 bits wide
  std::uint32_t varying_components_32 = 0;  // of the interface to the rasteriser: inputs or outputs
  std::uint32_t varying_components_16 = 0;
  std::uint32_t texture_samples = 0;  // sampling instructions
  std::uint32_t instructions = 0;
};

struct VertexAttribute {
  std::uint32_t location = 0;
  std::uint32_t binding = 0;
  std::uint32_t offset = 0;
  Format format;
};

struct VertexBinding {
  std::uint32_t binding = 0;
  std::uint32_t stride = 0;
  bool per_instance = false;
};

struct Pipeline {
  std::string id;
  std::string name;
  bool compute = false;
  std::vector<std::size_t> shaders;  // into ApiFrame::shaders
  std::vector<VertexBinding> bindings;
  std::vector<VertexAttribute> attributes;
  std::optional<bool> depth_test;
  std::optional<bool> depth_write;
  std::vector<bool> blends;                     // a colour attachment each
  std::vector<std::uint32_t> write_masks;       // VkColorComponentFlags a colour attachment each
  std::optional<bool> covers_without_geometry;  // no vertex inputs: a full-screen triangle or such
  std::string topology;                         // "TRIANGLE_LIST"
};

struct Present {
  std::uint64_t event = 0;
  std::optional<std::size_t> image;
  /// VkSurfaceTransformFlagBitsKHR of the surface and of the swapchain, where recorded.
  std::optional<std::uint32_t> surface_transform;
  std::optional<std::uint32_t> pre_transform;
};

struct ApiFrame {
  std::string format;  // "renderdoc-xml", "gfxreconstruct-jsonl", ...
  std::string source;  // how messages call the input
  Api api = Api::vulkan;
  std::optional<std::uint64_t> number;  // of the frame in the program, where the source says
  std::uint64_t frames_in_source = 1;
  std::string application;
  std::string device;  // the GPU that it was captured on, as the source names it
  std::map<std::string, std::string> system;  // "driver", "api_version", "vendor_id", ...
  std::vector<Image> images;
  std::vector<Shader> shaders;
  std::vector<Pipeline> pipelines;
  std::vector<Pass> passes;  // by first_event
  std::vector<Draw> draws;
  std::vector<Dispatch> dispatches;
  std::vector<ClearInPass> clears;
  std::vector<Transfer> transfers;
  std::vector<Barrier> barriers;
  std::vector<ImageUse> uses;
  /// False where descriptor sets that the frame binds are not known: then an image that may be
  /// sampled can have readers that `uses` lacks.
  bool uses_complete = true;
  std::vector<Present> presents;
  std::map<std::string, std::uint64_t> calls;  // of the frame, by name: the census
  std::uint32_t submits = 0;
  /// Memory types that lazily allocated images can use exist; unknown where the source lacks it.
  std::optional<bool> device_has_lazy_memory;
  std::vector<Note> notes;

  void note(std::string_view id, Severity severity, std::string message, std::uint64_t count = 1) {
    add_note(notes, id, severity, std::move(message), count);
  }
};

}  // namespace tilebound::model
