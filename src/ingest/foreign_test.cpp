#include "ingest/foreign.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::extra_file;

bool names(std::string_view head, std::string_view part) {
  const auto message = foreign_format(head);
  return message && message->find(part) != std::string::npos;
}

TEST(Foreign, MagicBytes) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(names("RDOC\0\0"sv, "lint"));
  EXPECT_TRUE(names("GFXR\0\0"sv, "GFXReconstruct"));
  EXPECT_TRUE(names("B00P\1\0"sv, ".rgp"));
  EXPECT_TRUE(names("NVR\0\1"sv, "Nsight Compute"));
  EXPECT_TRUE(names("\x1f\x8b\x08", "gzip-compressed; unpack"));
  EXPECT_TRUE(names("PK\x03\x04", "zip archive; unpack"));
  EXPECT_TRUE(names("SQLite format 3\0"sv, "select ts, name, value"));
  EXPECT_TRUE(names("\x89PNG\r\n\x1a\n", "PNG"));
  EXPECT_TRUE(
      names("\x7f"
            "ELF",
            "ELF"));
}

TEST(Foreign, Texts) {
  EXPECT_TRUE(names("<?xml version=\"1.0\"?>\n<captured version=\"1\" protocol=\"880\"/>", ".apc"));
  EXPECT_TRUE(names("\n<!DOCTYPE html>\n<html>", "HTML"));
  EXPECT_TRUE(names("{\"traceEvents\":[]}", "Chrome"));
  EXPECT_TRUE(names("[{\"ph\":\"X\",\"ts\":1}]", "Chrome"));
  EXPECT_TRUE(names("==PROF== Connected to process 1\n", "Nsight Compute table"));
  EXPECT_TRUE(names("EID,GPU Duration (ms),Samples Passed\n1,2,3\n", "RenderDoc"));
  EXPECT_FALSE(foreign_format("\n{\x08\x01\x12\x05hello"));
  EXPECT_FALSE(foreign_format("Time (s),GPU active\n0,1\n"));
  EXPECT_FALSE(foreign_format("12/15/2023 3:16:20 PM - GPU Frequency : 525000000.000\n"));
}

TEST(Foreign, RealFilesOfOtherToolsAreNamedNotMisread) {
  const struct {
    const char* path;
    const char* part;
  } kFiles[] = {
      {"nsight/rtx5070_gemm_naive.csv", "Nsight Compute table"},
      {"nsight/rtx5070_gemm_tiled.csv", "Nsight Compute table"},
      {"renderdoc-counters/example-counters.csv", "RenderDoc counter table"},
      {"amd/device_filter__MI100__pmc_perf.csv", "AMD counter table"},
      {"amd/path__MI300X_A1__pmc_perf.csv", "AMD counter table"},
      {"amd/path__MI300X_A1__sysinfo.csv", "not a capture of a known format"},
      {"renderdoc/vkcube_frame21.rdc", "lint"},
      {"renderdoc/vkcube_frame21.zip", "zip archive"},
      {"gfxreconstruct/vkcube_frame_3.gfxr", "lint"},
      {"gfxreconstruct/vkcube_frame_3.jsonl", "JSON"},
  };
  for (const auto& file : kFiles) {
    const std::string text = extra_file(file.path);
    if (text.empty()) GTEST_SKIP() << "no extra data";
    try {
      test::read_text(text, file.path);
      ADD_FAILURE() << file.path << " was read";
    } catch (const base::InputError& e) {
      EXPECT_NE(std::string(e.what()).find(file.part), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace tilebound::ingest
