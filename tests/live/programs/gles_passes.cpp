// A frame of OpenGL ES as a mobile game draws it: a shadow map, a multisampled scene that is
// resolved by a blit, a compute filter, post-processing onto the window. "careful" tells the driver
// what it need not keep or load, "wasteful" leaves that out. Needs no window system.
//
// Usage: gles_passes careful|wasteful [FRAMES]; RenderDoc, where loaded, captures the last frame.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "renderdoc_api.h"

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 192;
constexpr int kShadow = 256;
constexpr int kSamples = 4;

constexpr const char* kVertex = R"(#version 310 es
layout(location = 0) in vec2 position;
out mediump vec2 place;
void main() {
  place = position * 0.5 + 0.5;
  gl_Position = vec4(position + 0.01 * float(gl_InstanceID), 0.5, 1.0);
})";
constexpr const char* kDepthOnly = R"(#version 310 es
void main() {}
)";
constexpr const char* kLit = R"(#version 310 es
precision mediump float;
uniform highp sampler2D shadow;
in vec2 place;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(place, texture(shadow, place).r, 1.0); }
)";
constexpr const char* kPost = R"(#version 310 es
precision mediump float;
uniform sampler2D scene;
uniform sampler2D filtered;
in vec2 place;
layout(location = 0) out vec4 colour;
void main() { colour = texture(scene, place) + texture(filtered, place); }
)";
constexpr const char* kFilter = R"(#version 310 es
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) writeonly uniform highp image2D result;
uniform highp sampler2D scene;
void main() {
  imageStore(result, ivec2(gl_GlobalInvocationID.xy), texelFetch(scene, ivec2(gl_GlobalInvocationID.xy) * 2, 0));
}
)";

[[noreturn]] void fail(std::string_view what) {
  std::cerr << "gles_passes: " << what << '\n';
  std::exit(EXIT_FAILURE);
}

GLuint compile(GLenum stage, const char* source) {
  const GLuint shader = glCreateShader(stage);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

GLuint link(std::initializer_list<GLuint> shaders) {
  const GLuint program = glCreateProgram();
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == 0) fail("a program does not link");
  return program;
}

GLuint draw_program(const char* fragment) {
  return link({compile(GL_VERTEX_SHADER, kVertex), compile(GL_FRAGMENT_SHADER, fragment)});
}

void label(GLenum kind, GLuint object, const char* name) {
  glObjectLabel(kind, object, -1, name);
}

GLuint texture(GLenum format, int width, int height, const char* name) {
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  label(GL_TEXTURE, made, name);
  return made;
}

GLuint renderbuffer(GLenum format, const char* name) {
  GLuint made = 0;
  glGenRenderbuffers(1, &made);
  glBindRenderbuffer(GL_RENDERBUFFER, made);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, kSamples, format, kWidth, kHeight);
  label(GL_RENDERBUFFER, made, name);
  return made;
}

GLuint framebuffer(const char* name) {
  GLuint made = 0;
  glGenFramebuffers(1, &made);
  glBindFramebuffer(GL_FRAMEBUFFER, made);
  label(GL_FRAMEBUFFER, made, name);
  return made;
}

GLuint buffer(GLenum target, const void* data, GLsizeiptr size) {
  GLuint made = 0;
  glGenBuffers(1, &made);
  glBindBuffer(target, made);
  glBufferData(target, size, data, GL_STATIC_DRAW);
  return made;
}

class Scene {
 public:
  explicit Scene(bool careful) : careful_(careful) {
    glGenVertexArrays(1, &vertices_);
    glBindVertexArray(vertices_);
    const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    buffer(GL_ARRAY_BUFFER, corners, sizeof corners);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    const std::uint16_t order[] = {0, 1, 2, 2, 1, 3};
    buffer(GL_ELEMENT_ARRAY_BUFFER, order, sizeof order);
    // Records of glDrawElementsIndirect: indices, instances, first index, first vertex, reserved.
    const std::uint32_t records[] = {6, 2, 0, 0, 0, 6, 0, 0, 0, 0};
    records_ = buffer(GL_DRAW_INDIRECT_BUFFER, records, sizeof records);

    shadow_framebuffer_ = framebuffer("Shadow");
    shadow_ = texture(GL_DEPTH_COMPONENT24, kShadow, kShadow, "shadow map");
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_, 0);
    scene_framebuffer_ = framebuffer("Scene");
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              renderbuffer(GL_RGBA8, "scene colour, multisampled"));
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              renderbuffer(GL_DEPTH24_STENCIL8, "scene depth, multisampled"));
    resolve_framebuffer_ = framebuffer("Resolve");
    scene_ = texture(GL_RGBA8, kWidth, kHeight, "scene");
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, scene_, 0);
    filtered_ = texture(GL_RGBA8, kWidth / 2, kHeight / 2, "filtered");
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("an incomplete framebuffer");

    depth_only_ = draw_program(kDepthOnly);
    lit_ = draw_program(kLit);
    post_ = draw_program(kPost);
    glUseProgram(post_);
    glUniform1i(glGetUniformLocation(post_, "filtered"), 1);
    filter_ = link({compile(GL_COMPUTE_SHADER, kFilter)});
    glEnable(GL_DEPTH_TEST);
  }

  void draw() const {
    draw_shadow();
    draw_scene();
    filter();
    draw_post();
  }

 private:
  static void group(const char* name) {
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, name);
  }

  void draw_shadow() const {
    group("Shadow");
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_);
    glViewport(0, 0, kShadow, kShadow);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(depth_only_);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 3);
    glPopDebugGroup();
  }

  void draw_scene() const {
    group("Scene");
    glBindFramebuffer(GL_FRAMEBUFFER, scene_framebuffer_);
    glViewport(0, 0, kWidth, kHeight);
    if (careful_) glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glUseProgram(lit_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shadow_);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, records_);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, nullptr);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                           reinterpret_cast<const void*>(std::uintptr_t{20}));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolve_framebuffer_);
    glBlitFramebuffer(0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    if (careful_) {
      const GLenum unread[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT};
      glInvalidateFramebuffer(GL_READ_FRAMEBUFFER, 2, unread);
    }
    glPopDebugGroup();
  }

  void filter() const {
    group("Filter");
    glUseProgram(filter_);
    glBindTexture(GL_TEXTURE_2D, scene_);
    glBindImageTexture(0, filtered_, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(kWidth / 16, kHeight / 16, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    glPopDebugGroup();
  }

  void draw_post() const {
    group("Post");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (careful_) glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(post_);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, filtered_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glPopDebugGroup();
  }

  bool careful_;
  GLuint vertices_ = 0, records_ = 0;
  GLuint shadow_framebuffer_ = 0, scene_framebuffer_ = 0, resolve_framebuffer_ = 0;
  GLuint shadow_ = 0, scene_ = 0, filtered_ = 0;
  GLuint depth_only_ = 0, lit_ = 0, post_ = 0, filter_ = 0;
};

/// A context with an off-screen surface that can be swapped.
class Window {
 public:
  Window() {
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (eglInitialize(display_, nullptr, nullptr) == EGL_FALSE)
      fail("no EGL display without a window system");
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES3_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    eglChooseConfig(display_, wanted, &config, 1, &found);
    if (found == 0) fail("no fitting EGL configuration");
    const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, config, size);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    const EGLContext context = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (eglMakeCurrent(display_, surface_, surface_, context) == EGL_FALSE)
      fail("no OpenGL ES 3.1 context");
  }
  void swap() const { eglSwapBuffers(display_, surface_); }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string_view manner = count > 1 ? arguments[1] : "";
  if (manner != "careful" && manner != "wasteful")
    fail("usage: gles_passes careful|wasteful [FRAMES]");
  const int frames = count > 2 ? std::atoi(arguments[2]) : 3;
  const Window window;
  const Scene scene(manner == "careful");
  const RenderDoc renderdoc = RenderDoc::loaded();
  for (int frame = 0; frame < frames; ++frame) {
    const bool captured = renderdoc && frame == frames - 1;
    if (captured) renderdoc.begin();
    scene.draw();
    window.swap();
    if (captured) renderdoc.end();
  }
  if (glGetError() != GL_NO_ERROR) fail("OpenGL ES reports an error");
  return EXIT_SUCCESS;
}
