#pragma once

#include <string_view>

/// The list of expressions of the Streamline calibration article for the Redmi 12, as it is printed
/// there, and its clock expression: both lack their last parenthesis. For tests.
namespace tilebound::devices {

inline constexpr std::string_view kReferenceExpressions = R"(
// Input primitive throughput:
($MaliPrimitiveCullingFacingOrXYPlaneTestCulledPrimitives + $MaliPrimitiveCullingZPlaneTestCulledPrimitives + $MaliPrimitiveCullingSampleTestCulledPrimitives + $MaliPrimitiveCullingVisiblePrimitives) /  ($MaliGPUCyclesGPUActive / 380)

// VPC Culling Throughput:
($MaliPrimitiveCullingFacingOrXYPlaneTestCulledPrimitives + $MaliPrimitiveCullingZPlaneTestCulledPrimitives) / ($MaliGPUCyclesGPUActive / 800)

// VPC To Raster Throughput:
($MaliPrimitiveCullingSampleTestCulledPrimitives + $MaliPrimitiveCullingVisiblePrimitives) / ($MaliGPUCyclesGPUActive / 580)

// Early ZTest Throughput:
$MaliFragmentZSQuadsEarlyZSTestedQuads   / ($MaliGPUCyclesGPUActive / 70)

// Late ZTest Throughput:
$MaliFragmentZSQuadsLateZSTestedQuads  / ($MaliGPUCyclesGPUActive / 120)

// Shader Core Throughput:
$MaliShaderCoreCyclesExecutionCoreActive / ($MaliGPUCyclesGPUActive / 50)

// Interpolator throughput:
($MaliVaryingUnitIssues32BitInterpolationIssues + $MaliVaryingUnitIssues16BitInterpolationIssues) / ($MaliGPUCyclesGPUActive / 65.0)

// ALU Throughput:
$MaliALUInstructionsExecutedInstructions  / ($MaliGPUCyclesGPUActive / 50)

// Tex filtering throughput:
$MaliTextureUnitCyclesTextureFilteringActive / ($MaliGPUCyclesGPUActive / 64)

// Tex external throughput:
$MaliShaderCoreExternalReadsTextureExternalReadBeats * 16 / ($MaliGPUCyclesGPUActive / 10.3)

// Tex L2 throughput:
$MaliShaderCoreL2ReadsTextureL2ReadBeats * 16 / ($MaliGPUCyclesGPUActive / 8)

// Tile Write Throughput:
($MaliShaderCoreWritesTileUnitWriteBeats * 16) / ($MaliGPUCyclesGPUActive / 7)

// Load/Store Throughput:
($MaliLoadStoreUnitCyclesFullRead + $MaliLoadStoreUnitCyclesPartialRead + $MaliLoadStoreUnitCyclesFullWrite + $MaliLoadStoreUnitCyclesPartialWrite +  $MaliLoadStoreUnitCyclesAtomicAccess)  / ($MaliGPUCyclesGPUActive / 110)

// L2 Read Throughput:
($MaliShaderCoreL2ReadsLoadStoreL2ReadBeats * 16) / ($MaliGPUCyclesGPUActive / 12.0)

// L2 Write Throughput:
(($MaliShaderCoreWritesLoadStoreWriteBackWriteBeats + $MaliShaderCoreWritesLoadStoreOtherWriteBeats) * 16) / ($MaliGPUCyclesGPUActive / 12.0)

// RAM Throughput:
($MaliExternalBusBeatsReadBeats + $MaliExternalBusBeatsWriteBeats) * 16 / ($MaliGPUCyclesGPUActive / 5.0
)";

inline constexpr std::string_view kReferenceClock = "$MaliGPUCyclesGPUActive / ($ZOOM * 10000000";

}  // namespace tilebound::devices
