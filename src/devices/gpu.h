#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// GPUs by name, and which of them share a set of counters.
namespace tilebound::devices {

enum class FrontEnd : std::uint8_t { job_manager, command_stream };

struct Gpu {
  std::string name;    // "Mali-G57"
  std::string key;     // of the catalogue's counters: "G77"
  std::string vendor;  // "arm"
  FrontEnd front_end = FrontEnd::job_manager;
  std::uint32_t block_slots = 64;  // counters a block
};

std::span<const Gpu> gpus();

/// By a name as drivers and people write it ("Mali-G77 MC9", "ARM Immortalis-G925", "G77"), or by
/// catalogue key. Null for a GPU that is not in the table.
const Gpu* find_gpu(std::string_view name);

/// find_gpu's key, empty for an unknown GPU.
std::string_view gpu_key(std::string_view name);

/// Vendor by the GPU's name or the name of its maker: "arm", "qualcomm", "imagination", "nvidia";
/// empty where it says none.
std::string_view vendor_of(std::string_view name);

/// Shader cores where the name says so: "Mali-G77 MC9" has 9; else 0.
std::uint32_t cores_in_name(std::string_view name);

}  // namespace tilebound::devices
