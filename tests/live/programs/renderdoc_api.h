#pragma once

#include <cstdint>
#include <dlfcn.h>

/// The part of RenderDoc's in-application API, version 1.0, that these programs call. The library
/// hands out one table of functions in a fixed order
/// (https://renderdoc.org/docs/in_application_api.html).
class RenderDoc {
 public:
  /// The API of a RenderDoc that this process has loaded; empty without one.
  static RenderDoc loaded() {
    constexpr int kVersion = 10000;  // major * 10000 + minor * 100 + patch
    RenderDoc api;
    void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return api;
    const auto get = reinterpret_cast<int (*)(int, void**)>(dlsym(library, "RENDERDOC_GetAPI"));
    void* table = nullptr;
    if (get != nullptr && get(kVersion, &table) == 1) api.table_ = static_cast<Function*>(table);
    return api;
  }

  explicit operator bool() const { return table_ != nullptr; }

  /// How many captures this process has begun.
  std::uint32_t captures() const { return call<std::uint32_t>(13); }
  /// Captures the next frame that is presented.
  void trigger() const { call<void>(15); }
  /// What the only device does from here to end() is a frame.
  void begin() const { call<void>(19, kAny, kAny); }
  /// A frame is being captured or written.
  bool capturing() const { return call<std::uint32_t>(20) != 0; }
  void end() const { call<std::uint32_t>(21, kAny, kAny); }

 private:
  using Function = void (*)();
  static constexpr void* kAny = nullptr;  // any device, any window

  template <typename Result, typename... Arguments>
  Result call(int index, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(table_[index])(arguments...);
  }

  Function* table_ = nullptr;
};
