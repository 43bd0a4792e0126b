#pragma once

#include <string>
#include <string_view>

/// Text inside HTML and SVG. Names come from files, so all of them pass through here.
namespace tilebound::report {

/// Printable, with & < > " ' escaped: safe as text and inside quoted attributes.
std::string markup(std::string_view text);

}  // namespace tilebound::report
