#include "apicap/spirv/spirv.h"

#include <algorithm>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <unordered_map>

namespace tilebound::apicap::spirv {

namespace {

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kMostWords = std::size_t{16} << 20;
constexpr int kDeepestType = 32;
constexpr std::uint32_t kMostComponents = 4096;

using Id = std::uint32_t;

/// One instruction; operands that are not there read as 0, which is no id.
struct Instruction {
  spv::Op op = spv::Op::OpNop;
  std::span<const std::uint32_t> words;  // with the first, which holds opcode and length

  std::uint32_t at(std::size_t i) const { return i < words.size() ? words[i] : 0; }
};

struct Type {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t width = 0;  // of a number
  Id element = 0;
  std::uint32_t count = 0;  // of a vector, matrix, array
  std::vector<Id> members;
};

struct Variable {
  Id type = 0;  // pointed to
  spv::StorageClass storage = spv::StorageClass::Max;
};

struct Decorations {
  std::optional<spv::BuiltIn> built_in;
  bool located = false;
  bool relaxed = false;
};

struct Function {
  std::set<Id> calls;
  std::set<Id> reads;  // variables
  std::set<Id> writes;
  bool discards = false;
  std::uint32_t float_operations = 0;
  std::uint32_t relaxed_operations = 0;
  std::uint32_t texture_samples = 0;
  std::uint32_t instructions = 0;
};

bool is_float_arithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
    case spv::Op::OpExtInst:
      return true;
    default:
      return false;
  }
}

bool is_texture_read(spv::Op op) {
  return op >= spv::Op::OpImageSampleImplicitLod && op <= spv::Op::OpImageDrefGather;
}

bool matches(spv::ExecutionModel model, model::Stage stage) {
  switch (stage) {
    case model::Stage::vertex:
      return model == spv::ExecutionModel::Vertex;
    case model::Stage::tessellation:
      return model == spv::ExecutionModel::TessellationControl ||
             model == spv::ExecutionModel::TessellationEvaluation;
    case model::Stage::geometry:
      return model == spv::ExecutionModel::Geometry;
    case model::Stage::fragment:
      return model == spv::ExecutionModel::Fragment;
    case model::Stage::compute:
      return model == spv::ExecutionModel::GLCompute;
    case model::Stage::mesh:
      return model == spv::ExecutionModel::MeshNV || model == spv::ExecutionModel::TaskNV ||
             model == spv::ExecutionModel::MeshEXT || model == spv::ExecutionModel::TaskEXT;
  }
  return false;
}

/// A literal string: four bytes a word, the lowest first, up to a zero.
std::string text_at(const Instruction& in, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < in.words.size(); ++i) {
    for (std::uint32_t shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>((in.words[i] >> shift) & 0xFFU);
      if (c == '\0') return text;
      text += c;
    }
  }
  return text;
}

class Module {
 public:
  /// False for a module whose instructions do not fit its length.
  bool read(const std::vector<std::uint32_t>& words) {
    for (std::size_t at = kHeaderWords; at < words.size();) {
      const std::size_t length = words[at] >> 16U;
      if (length == 0 || length > words.size() - at) return false;
      take({static_cast<spv::Op>(words[at] & 0xFFFFU),
            std::span<const std::uint32_t>(words).subspan(at, length)});
      at += length;
    }
    return true;
  }

  /// False without such an entry point.
  bool describe(model::Shader& shader) const {
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return matches(e.model, shader.stage) && (shader.entry.empty() || e.name == shader.entry);
    });
    if (entry == entries_.end()) return false;
    shader.early_fragment_tests = early_tests_.count(entry->function) > 0;
    std::set<Id> seen;
    std::vector<Id> open = {entry->function};
    std::set<Id> touched;
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      const auto found = functions_.find(id);
      if (found == functions_.end() || !seen.insert(id).second) continue;
      const Function& f = found->second;
      open.insert(open.end(), f.calls.begin(), f.calls.end());
      add(f, shader);
      touched.insert(f.reads.begin(), f.reads.end());
      touched.insert(f.writes.begin(), f.writes.end());
    }
    for (const Id id : touched) count_varying(id, shader);
    return true;
  }

 private:
  struct Entry {
    spv::ExecutionModel model;
    Id function;
    std::string name;
  };

  void take(const Instruction& in) {
    switch (in.op) {
      case spv::Op::OpEntryPoint:
        entries_.push_back({static_cast<spv::ExecutionModel>(in.at(1)), in.at(2), text_at(in, 3)});
        return;
      case spv::Op::OpExecutionMode:
        if (static_cast<spv::ExecutionMode>(in.at(2)) == spv::ExecutionMode::EarlyFragmentTests) {
          early_tests_.insert(in.at(1));
        }
        return;
      case spv::Op::OpDecorate:
        return decorate(in);
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
        types_[in.at(1)] = {in.op, in.at(2), 0, 0, {}};
        return;
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
        types_[in.at(1)] = {in.op, 0, in.at(2), in.at(3), {}};
        return;
      case spv::Op::OpTypeArray: {
        const auto length = constants_.find(in.at(3));
        types_[in.at(1)] = {
            in.op, 0, in.at(2), length == constants_.end() ? 1 : length->second, {}};
        return;
      }
      case spv::Op::OpTypeStruct: {
        Type type{in.op, 0, 0, 0, {}};
        if (in.words.size() > 2) type.members.assign(in.words.begin() + 2, in.words.end());
        types_[in.at(1)] = std::move(type);
        return;
      }
      case spv::Op::OpTypePointer:
        types_[in.at(1)] = {in.op, 0, in.at(3), 0, {}};
        return;
      case spv::Op::OpConstant:
        constants_[in.at(2)] = in.at(3);
        return;
      case spv::Op::OpVariable: {
        const auto pointer = types_.find(in.at(1));
        variables_[in.at(2)] = {pointer == types_.end() ? 0 : pointer->second.element,
                                static_cast<spv::StorageClass>(in.at(3))};
        return;
      }
      case spv::Op::OpFunction:
        current_ = &functions_[in.at(2)];
        return;
      case spv::Op::OpFunctionEnd:
        current_ = nullptr;
        return;
      default:
        if (current_ != nullptr) take_body(in);
    }
  }

  void decorate(const Instruction& in) {
    Decorations& d = decorations_[in.at(1)];
    switch (static_cast<spv::Decoration>(in.at(2))) {
      case spv::Decoration::BuiltIn:
        d.built_in = static_cast<spv::BuiltIn>(in.at(3));
        return;
      case spv::Decoration::Location:
        d.located = true;
        return;
      case spv::Decoration::RelaxedPrecision:
        d.relaxed = true;
        return;
      default:
        return;
    }
  }

  /// The variable behind a pointer that may be an access chain.
  Id variable_of(Id pointer) const {
    const auto base = bases_.find(pointer);
    return base == bases_.end() ? pointer : base->second;
  }

  void take_body(const Instruction& in) {
    Function& f = *current_;
    ++f.instructions;
    switch (in.op) {
      case spv::Op::OpFunctionCall:
        f.calls.insert(in.at(3));
        // What is handed over by pointer may be read and written there.
        for (std::size_t i = 4; i < in.words.size(); ++i) {
          f.reads.insert(variable_of(in.at(i)));
          f.writes.insert(variable_of(in.at(i)));
        }
        return;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        bases_[in.at(2)] = variable_of(in.at(3));
        return;
      case spv::Op::OpLoad:
        f.reads.insert(variable_of(in.at(3)));
        return;
      case spv::Op::OpStore:
        f.writes.insert(variable_of(in.at(1)));
        return;
      case spv::Op::OpKill:
      case spv::Op::OpTerminateInvocation:
      case spv::Op::OpDemoteToHelperInvocation:
        f.discards = true;
        return;
      default:
        break;
    }
    if (is_texture_read(in.op)) ++f.texture_samples;
    if (!is_float_arithmetic(in.op)) return;
    const std::uint32_t width = float_width(in.at(1), 0);
    if (width == 0) return;
    ++f.float_operations;
    const auto d = decorations_.find(in.at(2));
    if (width == 16 || (d != decorations_.end() && d->second.relaxed)) ++f.relaxed_operations;
  }

  /// Bits of the floats that a type is made of; 0 for other types.
  std::uint32_t float_width(Id id, int depth) const {
    const auto found = types_.find(id);
    if (found == types_.end() || depth > kDeepestType) return 0;
    const Type& type = found->second;
    if (type.op == spv::Op::OpTypeFloat) return type.width;
    if (type.op == spv::Op::OpTypeVector || type.op == spv::Op::OpTypeMatrix) {
      return float_width(type.element, depth + 1);
    }
    return 0;
  }

  /// Components of a type, with the bits of each in `width` (the last one's).
  std::uint32_t components(Id id, std::uint32_t& width, int depth) const {
    const auto found = types_.find(id);
    if (found == types_.end() || depth > kDeepestType) return 0;
    const Type& type = found->second;
    switch (type.op) {
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
        width = type.width;
        return 1;
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeArray: {
        const std::uint64_t one = components(type.element, width, depth + 1);
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(one * type.count, kMostComponents));
      }
      case spv::Op::OpTypeStruct: {
        std::uint32_t sum = 0;
        for (const Id member : type.members) {
          sum = std::min(kMostComponents, sum + components(member, width, depth + 1));
          if (sum == kMostComponents) break;
        }
        return sum;
      }
      default:
        return 0;
    }
  }

  void add(const Function& f, model::Shader& shader) const {
    shader.discards |= f.discards;
    shader.float_operations += f.float_operations;
    shader.relaxed_operations += f.relaxed_operations;
    shader.texture_samples += f.texture_samples;
    shader.instructions += f.instructions;
    for (const Id id : f.reads) {
      const auto built_in = built_in_of(id);
      shader.base_instance |= built_in == spv::BuiltIn::BaseInstance;
      shader.instance_index |= built_in == spv::BuiltIn::InstanceIndex;
      shader.draw_index |= built_in == spv::BuiltIn::DrawIndex;
    }
    for (const Id id : f.writes) {
      const auto built_in = built_in_of(id);
      shader.writes_depth |= built_in == spv::BuiltIn::FragDepth;
      shader.writes_sample_mask |= built_in == spv::BuiltIn::SampleMask;
    }
  }

  std::optional<spv::BuiltIn> built_in_of(Id id) const {
    const auto d = decorations_.find(id);
    return d == decorations_.end() ? std::nullopt : d->second.built_in;
  }

  /// A fragment shader's inputs, or another stage's outputs, that are no built-ins.
  void count_varying(Id id, model::Shader& shader) const {
    const auto variable = variables_.find(id);
    const auto d = decorations_.find(id);
    if (variable == variables_.end() || d == decorations_.end() || !d->second.located) return;
    const auto storage = shader.stage == model::Stage::fragment ? spv::StorageClass::Input
                                                                : spv::StorageClass::Output;
    if (variable->second.storage != storage || shader.stage == model::Stage::compute) return;
    std::uint32_t width = 32;
    const std::uint32_t count = components(variable->second.type, width, 0);
    (width == 16 || d->second.relaxed ? shader.varying_components_16
                                      : shader.varying_components_32) += count;
  }

  std::vector<Entry> entries_;
  std::set<Id> early_tests_;
  std::unordered_map<Id, Decorations> decorations_;
  std::unordered_map<Id, Type> types_;
  std::unordered_map<Id, std::uint32_t> constants_;
  std::unordered_map<Id, Variable> variables_;
  std::unordered_map<Id, Id> bases_;  // access chains to their variable
  std::unordered_map<Id, Function> functions_;
  Function* current_ = nullptr;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> words_of(std::string_view bytes) {
  if (bytes.size() < kHeaderWords * 4 || bytes.size() % 4 != 0 || bytes.size() / 4 > kMostWords) {
    return std::nullopt;
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  const bool little = byte(0) == (spv::MagicNumber & 0xFFU);
  std::vector<std::uint32_t> words;
  words.reserve(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    words.push_back(little ? byte(i) | byte(i + 1) << 8U | byte(i + 2) << 16U | byte(i + 3) << 24U
                           : byte(i) << 24U | byte(i + 1) << 16U | byte(i + 2) << 8U | byte(i + 3));
  }
  if (words[0] != spv::MagicNumber) return std::nullopt;
  return words;
}

void analyse(const std::vector<std::uint32_t>& words, model::Shader& shader) {
  Module module;
  if (words.size() < kHeaderWords || !module.read(words)) return;
  shader.analysed = module.describe(shader);
}

}  // namespace tilebound::apicap::spirv
