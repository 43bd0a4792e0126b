// Preloaded into a program that runs under RenderDoc: captures one frame, three seconds after
// RenderDoc was loaded, and ends the program when the capture is written.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "renderdoc_api.h"

namespace {

using namespace std::chrono_literals;

void capture_a_frame() {
  RenderDoc renderdoc = RenderDoc::loaded();
  for (; !renderdoc; renderdoc = RenderDoc::loaded()) std::this_thread::sleep_for(10ms);
  std::this_thread::sleep_for(3s);
  renderdoc.trigger();
  while (renderdoc.captures() == 0 || renderdoc.capturing()) std::this_thread::sleep_for(10ms);
  std::_Exit(EXIT_SUCCESS);
}

[[gnu::constructor]] void begin() {
  std::thread(capture_a_frame).detach();
}

}  // namespace
