#pragma once

#include "lint/rule.h"

/// The rules, a file each.
namespace tilebound::lint {

// Tile memory.
extern const Rule kTileBudget;

// Load and store.
extern const Rule kDepthStoredNeverRead;
extern const Rule kStoredNeverRead;
extern const Rule kMissingInvalidate;
extern const Rule kClearedAfterLoad;
extern const Rule kOverwrittenAfterLoad;
extern const Rule kLoadedUndefined;
extern const Rule kLoaded;
extern const Rule kClearInPass;
extern const Rule kClearByDraw;
extern const Rule kClearOnlyPass;
extern const Rule kClearOutsidePass;

// Multisampling.
extern const Rule kMsaaStored;
extern const Rule kMsaaResolvedOutside;
extern const Rule kManySamples;
extern const Rule kTwoSamplesAsFour;

// Transient attachments.
extern const Rule kTransientMoved;
extern const Rule kTransientNotLazy;
extern const Rule kCouldBeTransient;
extern const Rule kInputNotTransient;

// Merging.
extern const Rule kPassesCouldMerge;
extern const Rule kPassSplit;
extern const Rule kCouldBeSubpasses;
extern const Rule kSubpassDependency;
extern const Rule kInputAlsoSampled;

// Barriers.
extern const Rule kVertexWaitsForFragment;

// Draws.
extern const Rule kIndirectEmptyRecords;
extern const Rule kEmptyDraw;
extern const Rule kBaseInstanceIndirect;
extern const Rule kSmallDraws;
extern const Rule kIdlePass;
extern const Rule kLateDepth;
extern const Rule kFullPrecisionVaryings;
extern const Rule kNoRelaxedPrecision;
extern const Rule kInterleavedPositions;
extern const Rule kWideIndices;

// Compression and display.
extern const Rule kCompressionLost;
extern const Rule kNotPreRotated;
extern const Rule kRenderArea;

}  // namespace tilebound::lint
