#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "apicap/capture.h"
#include "apicap/gles/objects.h"
#include "model/api_frame.h"

/// One frame of OpenGL ES in the making. The API has no passes; a tile-based GPU makes them:
///
/// - A pass begins with the first draw or clear into a framebuffer, not with its binding. It ends
/// when
///   another framebuffer is drawn into, the frame ends, the commands are flushed, its attachments
///   change, or something reads or writes them otherwise (blit, copy, readback, mipmaps, compute).
/// - An attachment is loaded unless its whole was cleared before the first draw, or its content is
///   undefined: the window after a swap, new storage, what was invalidated.
/// - It is stored unless it was invalidated before the next work, or is the window's depth at a
/// swap
///   (EGL 1.5, 3.10.1.3). What no draw and no clear touched is neither loaded nor stored.
namespace tilebound::apicap::gles {

/// One draw call; empty numbers are in the indirect buffer.
struct DrawCall {
  bool indexed = false;
  std::optional<std::uint64_t> vertices;
  std::optional<std::uint64_t> instances;
  std::uint32_t first_instance = 0;
  std::uint32_t index_bits = 0;
  std::optional<std::uint64_t> offset;  // of indirect records in the bound buffer
  std::uint32_t draws = 1;              // records
  std::uint32_t stride = 0;             // of records
};

/// Attachments of a framebuffer that a call names.
struct Aspects {
  std::set<std::uint32_t> colors;  // by attachment number
  bool depth = false;
  bool stencil = false;
};

/// A part of an image.
struct ImagePart {
  Handle image = 0;
  std::uint32_t mip = 0;
  std::uint32_t layer = 0;
};

class FrameBuilder {
 public:
  /// Keeps references.
  FrameBuilder(Objects& objects, State& state, const BlobReader& blobs);

  /// Every call of the frame, before what it does. False: the frame has too many, do nothing.
  bool command(std::string_view call);

  void draw(const DrawCall& call);
  void dispatch(const std::optional<std::uint64_t>& offset,
                const std::array<std::uint32_t, 3>& groups);
  /// A clear of the draw framebuffer under the bound scissor and masks.
  void clear(const Aspects& aspects);
  void invalidate(Handle framebuffer, const Aspects& aspects);
  void blit(Handle from, Handle to, const Aspects& aspects, const model::Area& source,
            const model::Area& target);
  /// From the read framebuffer into a texture, or to the program where `to` is empty.
  void copy_out(const std::optional<ImagePart>& to, std::uint64_t pixels);
  void copy(const ImagePart& from, const ImagePart& to, std::uint64_t pixels);
  void upload(const ImagePart& to, std::uint64_t bytes);
  void generate_mips(Handle image);
  /// The attachments of a framebuffer are about to change.
  void change(Handle framebuffer);
  void flush();
  void swap();

  void push_label(std::string_view label) { labels_.emplace_back(label); }
  void pop_label() {
    if (!labels_.empty()) labels_.pop_back();
  }

  bool has_work() const { return !frame_.passes.empty(); }
  std::uint64_t presents() const { return frame_.presents.size(); }
  model::ApiFrame take();

 private:
  /// What the pass did to an aspect of an attachment so far.
  struct Touch {
    bool used = false;  // cleared, written or tested against
    bool written = false;
    bool drawn = false;        // used by a draw
    bool invalidated = false;  // after its last use
  };
  struct Touches {
    Touch main;  // colour or depth
    Touch stencil;
  };
  struct OpenPass {
    std::size_t index = 0;
    Handle framebuffer = 0;
    std::vector<Touches> touched;  // as Pass::attachments
  };
  /// The pass that ended last, while an invalidation can still keep it from storing.
  struct EndedPass {
    std::size_t index = 0;
    Handle framebuffer = 0;
    std::set<std::size_t> read;  // attachments that something read since
  };

  /// What a transfer moves: pixels of its image's format, or bytes, where known.
  struct Amount {
    std::optional<std::uint64_t> pixels;
    std::optional<std::uint64_t> bytes;
  };
  struct TextureUse {
    model::UseKind kind = model::UseKind::sampled;
    ImagePart part;
    bool all_layers = false;
    bool writes = false;
  };

  std::string label() const;
  model::Pass& new_pass(model::PassKind kind);
  std::size_t open_run(model::PassKind kind);
  model::Pass& open_pass();
  void add_attachment(model::Pass& pass, const AttachmentPoint& point, model::AttachmentRole role,
                      std::uint32_t slot);
  void end_pass(bool swapped = false);
  void settle(model::Pass& pass, model::Attachment& attachment, const Touches& touches,
              bool given_up);
  void set_defined(Handle image, std::uint32_t mip, std::uint32_t layer, bool defined);
  FramebufferObject* framebuffer(Handle handle);
  /// Indices of what a pass's framebuffer has of the aspects; resolve targets stay out.
  std::vector<std::size_t> attachments(const model::Pass& pass, const Aspects& aspects) const;
  bool is_attached(Handle image) const;
  void read_framebuffer(Handle handle, const Aspects& aspects);
  void read_image(Handle image);

  std::uint32_t color_mask(std::uint32_t number);
  std::vector<Handle> programs() const;
  std::vector<TextureUse> textures() const;
  bool uses_attachment() const;
  void use_textures(std::size_t pass);
  void use(model::UseKind kind, const model::ImageRange& range, std::optional<std::size_t> pass);
  void write_buffers();
  std::optional<std::size_t> image(Handle handle);
  std::optional<model::ImageRange> range_of(const ImagePart& part);
  std::size_t shader(Handle handle);
  std::size_t pipeline(bool compute);
  void take_vertices(model::Pipeline& facts, std::string& key);
  void add_transfer(model::TransferKind kind, const std::optional<ImagePart>& from,
                    const std::optional<ImagePart>& to, const Amount& amount);

  Objects& objects_;
  State& state_;
  const BlobReader& blobs_;
  model::ApiFrame frame_;
  std::string call_;
  std::uint64_t event_ = 0;
  std::vector<std::string> labels_;
  std::optional<OpenPass> pass_;
  std::optional<EndedPass> ended_;
  std::optional<std::size_t> run_;  // the open run of dispatches or transfers
  std::unordered_map<Handle, std::size_t> images_;
  std::vector<Handle> handles_;  // as ApiFrame::images
  std::map<Handle, std::size_t> shaders_;
  std::map<std::string, std::size_t> pipelines_;
  std::set<std::tuple<std::size_t, int, std::size_t, std::uint32_t, std::uint32_t>> used_;
};

}  // namespace tilebound::apicap::gles
