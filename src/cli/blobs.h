#pragma once

#include <string>

#include "apicap/capture.h"

/// Bytes that lie beside the text of an API capture.
namespace tilebound::cli {

/// The entries of a ".zip" as RenderDoc writes it, by number. Empty (no function) where there is no
/// such file. Throws base::InputError for a file that is no zip.
apicap::BlobReader zip_blobs(const std::string& path);

/// Files of a folder, by name, without leaving it.
apicap::BlobReader folder_blobs(const std::string& folder);

}  // namespace tilebound::cli
