#pragma once

#include <string>
#include <vector>

#include "analyze/analysis.h"
#include "analyze/trust.h"
#include "model/capture.h"
#include "report/report.h"

/// The sentences of an analysis that every report for people says in the same words.
namespace tilebound::report {

struct Fact {
  std::string label;  // "Clock"
  std::string sentence;
};

/// Sampling of the axis with most samples, which stands for the capture; empty without samples.
analyze::Sampling longest_axis(const analyze::TrustReport& trust);

/// What was analysed: capture, device, clock, range, frames.
std::vector<Fact> facts(const model::Capture& capture, const analyze::TrustReport& trust,
                        const analyze::Analysis& analysis);

/// Of the capture, then of the analysis.
std::vector<model::Note> all_notes(const analyze::TrustReport& trust,
                                   const analyze::Analysis& analysis);

/// all_notes(), and those of the API capture and of laying it on the counters.
std::vector<model::Note> notes_with(const Passes* passes, const analyze::TrustReport& trust,
                                    const analyze::Analysis& analysis);

/// analyze::lanes(), after the lanes of passes.
std::vector<analyze::Lane> all_lanes(const model::Capture& capture,
                                     const analyze::Analysis& analysis, const Passes* passes);

/// What people call the frame of a frame result, by its index: frames are numbered from 1, and the
/// first has no window, so results begin with the second.
std::size_t frame_number(std::size_t result);

/// What limits, in one sentence.
std::string verdict_sentence(const analyze::Analysis& analysis);

/// How much there is to gain, and whether the GPU is what to work on.
std::vector<std::string> gain_sentences(const analyze::Analysis& analysis);

/// Labels of units, by id, joined by commas.
std::string labels_of(const analyze::Analysis& analysis, const std::vector<std::string>& ids);

}  // namespace tilebound::report
