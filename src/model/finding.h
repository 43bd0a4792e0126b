#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/note.h"

namespace tilebound::model {

/// What a fix is worth at most. Empty members are unknown, not zero.
struct Saving {
  std::optional<double> bytes_per_frame;
  std::optional<double> ms_per_frame;
  std::string bound;  // what kind of bound, and under which assumption
};

/// Something worth a person's time, with what shows it.
struct Finding {
  std::string id;  // stable: "busy_without_work"
  Severity severity = Severity::info;
  std::string title;
  std::string where;  // "whole capture", "frame 12", a pass
  std::vector<std::string> evidence;
  Saving saving;
  std::vector<std::string> advice;
  std::vector<std::string> related;  // ids of findings, rules or documents
};

}  // namespace tilebound::model
