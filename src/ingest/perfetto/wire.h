#pragma once

#include <cstdint>

/// Field numbers of the Perfetto messages that are read.
///
/// Source: google/perfetto, protos/perfetto/**.proto at commit ec5d16b14b74 (2026-08-22). A name
/// is <message>_<field>; numbers that a newer schema adds are skipped as unknown fields.
namespace tilebound::ingest::perfetto::wire {

// trace.proto, trace_packet.proto
inline constexpr std::uint32_t kTracePacket = 1;
inline constexpr std::uint32_t kPacketFtraceEvents = 1;
inline constexpr std::uint32_t kPacketClockSnapshot = 6;
inline constexpr std::uint32_t kPacketTimestamp = 8;
inline constexpr std::uint32_t kPacketSequenceId = 10;
inline constexpr std::uint32_t kPacketInternedData = 12;
inline constexpr std::uint32_t kPacketSequenceFlags = 13;
inline constexpr std::uint32_t kPacketTraceConfig = 33;
inline constexpr std::uint32_t kPacketTraceStats = 35;
inline constexpr std::uint32_t kPacketIncrementalStateCleared = 41;
inline constexpr std::uint32_t kPacketPreviousDropped = 42;
inline constexpr std::uint32_t kPacketSystemInfo = 45;
inline constexpr std::uint32_t kPacketCompressed = 50;
inline constexpr std::uint32_t kPacketGpuCounterEvent = 52;
inline constexpr std::uint32_t kPacketGpuRenderStageEvent = 53;
inline constexpr std::uint32_t kPacketGraphicsFrameEvent = 57;
inline constexpr std::uint32_t kPacketClockId = 58;
inline constexpr std::uint32_t kPacketDefaults = 59;
inline constexpr std::uint32_t kPacketFrameTimelineEvent = 76;
inline constexpr std::uint32_t kPacketGpuInfo = 128;
inline constexpr std::uint32_t kPacketGenericGpuFrequency = 129;
inline constexpr std::uint32_t kPacketZstdCompressed = 133;
inline constexpr std::uint32_t kDefaultsClockId = 58;  // trace_packet_defaults.proto
inline constexpr std::uint64_t kSequenceStateCleared = 1;
inline constexpr std::uint64_t kSequenceNeedsState = 2;

// clock_snapshot.proto, builtin_clock.proto
inline constexpr std::uint32_t kSnapshotClocks = 1;
inline constexpr std::uint32_t kSnapshotPrimaryClock = 2;
inline constexpr std::uint32_t kClockId = 1;
inline constexpr std::uint32_t kClockTimestamp = 2;
inline constexpr std::uint32_t kClockIsIncremental = 3;
inline constexpr std::uint32_t kClockUnitMultiplier = 4;
inline constexpr std::uint32_t kMonotonicRaw = 5;
inline constexpr std::uint32_t kBoottime = 6;
inline constexpr std::uint32_t kFirstSequenceClock = 64;  // 64..127 belong to their sequence
inline constexpr std::uint32_t kLastSequenceClock = 127;

// gpu_counter_event.proto, gpu_counter_descriptor.proto
inline constexpr std::uint32_t kCounterEventDescriptor = 1;
inline constexpr std::uint32_t kCounterEventCounters = 2;
inline constexpr std::uint32_t kCounterEventGpuId = 3;
inline constexpr std::uint32_t kCounterEventDescriptorIid = 4;
inline constexpr std::uint32_t kCounterId = 1;
inline constexpr std::uint32_t kCounterInt = 2;
inline constexpr std::uint32_t kCounterDouble = 3;
inline constexpr std::uint32_t kDescriptorSpecs = 1;
inline constexpr std::uint32_t kSpecId = 1;
inline constexpr std::uint32_t kSpecName = 2;
inline constexpr std::uint32_t kSpecDescription = 3;
inline constexpr std::uint32_t kSpecNumerator = 7;
inline constexpr std::uint32_t kSpecDenominator = 8;
inline constexpr std::uint32_t kSpecDirection = 11;
inline constexpr std::uint64_t kDirectionForwards = 2;

// interned_data.proto
inline constexpr std::uint32_t kInternedEventNames = 2;
inline constexpr std::uint32_t kInternedGpuSpecifications = 24;
inline constexpr std::uint32_t kInternedCounterDescriptors = 47;
inline constexpr std::uint32_t kInternedComputeKernels = 1000;
inline constexpr std::uint32_t kInternedIid = 1;
inline constexpr std::uint32_t kInternedName = 2;
inline constexpr std::uint32_t kInternedCounterDescriptor = 2;
inline constexpr std::uint32_t kInternedCounterGpuId = 3;
inline constexpr std::uint32_t kInternedDemangledName = 3;

// gpu_render_stage_event.proto
inline constexpr std::uint32_t kStageDuration = 2;
inline constexpr std::uint32_t kStageQueueId = 3;
inline constexpr std::uint32_t kStageStageId = 4;
inline constexpr std::uint32_t kStageContext = 5;
inline constexpr std::uint32_t kStageExtraData = 6;
inline constexpr std::uint32_t kStageSpecifications = 7;
inline constexpr std::uint32_t kStageRenderTarget = 8;
inline constexpr std::uint32_t kStageRenderPass = 9;
inline constexpr std::uint32_t kStageSubmission = 10;
inline constexpr std::uint32_t kStageGpuId = 11;
inline constexpr std::uint32_t kStageCommandBuffer = 12;
inline constexpr std::uint32_t kStageQueueIid = 13;
inline constexpr std::uint32_t kStageStageIid = 14;
inline constexpr std::uint32_t kStageName = 17;
inline constexpr std::uint32_t kStageKernelIid = 19;
inline constexpr std::uint32_t kStageNameIid = 20;
inline constexpr std::uint32_t kExtraName = 1;
inline constexpr std::uint32_t kExtraValue = 2;
inline constexpr std::uint32_t kSpecificationsQueue = 2;
inline constexpr std::uint32_t kSpecificationsStage = 3;
inline constexpr std::uint32_t kSpecificationName = 1;

// frameworks_native_trace_packet.proto (FrameTimelineEvent)
inline constexpr std::uint32_t kTimelineActualDisplay = 2;
inline constexpr std::uint32_t kTimelineActualSurface = 4;
inline constexpr std::uint32_t kTimelineFrameEnd = 5;
inline constexpr std::uint32_t kTimelineCookie = 1;
inline constexpr std::uint32_t kTimelineToken = 2;
inline constexpr std::uint32_t kDisplayFramePid = 3;
inline constexpr std::uint32_t kDisplayFramePresentType = 4;
inline constexpr std::uint32_t kSurfaceFramePid = 4;
inline constexpr std::uint32_t kSurfaceFrameLayer = 5;
inline constexpr std::uint32_t kSurfaceFramePresentType = 6;
inline constexpr std::uint64_t kPresentDropped = 4;

// graphics_frame_event.proto
inline constexpr std::uint32_t kFrameBufferEvent = 1;
inline constexpr std::uint32_t kBufferFrameNumber = 1;
inline constexpr std::uint32_t kBufferType = 2;
inline constexpr std::uint32_t kBufferLayer = 3;
inline constexpr std::uint32_t kBufferDuration = 4;
inline constexpr std::uint64_t kBufferAcquireFence = 4;
inline constexpr std::uint64_t kBufferPresentFence = 8;

// ftrace_event_bundle.proto, ftrace_event.proto, ftrace/{power,kgsl,devfreq}.proto
inline constexpr std::uint32_t kBundleEvent = 2;
inline constexpr std::uint32_t kBundleLostEvents = 3;
inline constexpr std::uint32_t kBundleClock = 5;
inline constexpr std::uint32_t kBundleFtraceTimestamp = 6;
inline constexpr std::uint32_t kBundleBootTimestamp = 7;
inline constexpr std::uint64_t kFtraceMonotonicRaw = 4;
inline constexpr std::uint32_t kFtraceTimestamp = 1;
inline constexpr std::uint32_t kFtracePid = 2;
inline constexpr std::uint32_t kFtraceGpuFrequency = 332;
inline constexpr std::uint32_t kFtraceKgslGpuFrequency = 509;
inline constexpr std::uint32_t kFtraceDevfreqFrequency = 541;
inline constexpr std::uint32_t kGpuFrequencyGpuId = 1;
inline constexpr std::uint32_t kGpuFrequencyState = 2;
inline constexpr std::uint32_t kKgslFrequency = 1;
inline constexpr std::uint32_t kKgslGpuId = 2;
inline constexpr std::uint32_t kDevfreqName = 1;
inline constexpr std::uint32_t kDevfreqFrequency = 2;

// generic_gpu_frequency_event.proto, gpu_info.proto
inline constexpr std::uint32_t kGenericGpuId = 1;
inline constexpr std::uint32_t kGenericFrequencyKhz = 2;
inline constexpr std::uint32_t kGpuInfoGpus = 1;
inline constexpr std::uint32_t kGpuName = 1;

// trace_config.proto, data_source_config.proto, gpu_counter_config.proto
inline constexpr std::uint32_t kConfigDataSources = 2;
inline constexpr std::uint32_t kConfigDurationMs = 3;
inline constexpr std::uint32_t kDataSourceConfig = 1;
inline constexpr std::uint32_t kDataSourceName = 1;
inline constexpr std::uint32_t kDataSourceGpuCounters = 108;
inline constexpr std::uint32_t kGpuConfigPeriodNs = 1;
inline constexpr std::uint32_t kGpuConfigIds = 2;
inline constexpr std::uint32_t kGpuConfigNames = 6;

// system_info.proto
inline constexpr std::uint32_t kSystemUtsname = 1;
inline constexpr std::uint32_t kSystemFingerprint = 2;
inline constexpr std::uint32_t kSystemSdk = 5;
inline constexpr std::uint32_t kSystemSocModel = 9;
inline constexpr std::uint32_t kSystemManufacturer = 14;
inline constexpr std::uint32_t kUtsnameRelease = 3;

// trace_stats.proto
inline constexpr std::uint32_t kStatsBuffers = 1;
inline constexpr std::uint32_t kStatsChunksOverwritten = 3;
inline constexpr std::uint32_t kStatsPatchesFailed = 6;
inline constexpr std::uint32_t kStatsChunksDiscarded = 18;
inline constexpr std::uint32_t kStatsWriterLoss = 19;

}  // namespace tilebound::ingest::perfetto::wire
