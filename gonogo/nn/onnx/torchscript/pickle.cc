// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/pickle.h"

#include <bit>
#include <cstring>
#include <unordered_map>

namespace gonogo::nn::torchscript {
namespace {

// What persistent ids give; no pickle can name a class like this.
constexpr std::string_view kStorage = "torch\nstorage";
constexpr std::size_t kMostRecalled = std::size_t{1} << 26U;  // bytes of texts used again

/// Puts values on a stack as the opcodes say.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const std::string& storages, Heap& heap)
      : bytes_(bytes), storages_(storages), heap_(heap) {}

  Result<Value> Run() {
    while (at_ < bytes_.size()) {
      const std::size_t begin = at_;
      const auto op = static_cast<unsigned char>(bytes_[at_++]);
      if (op == '.') return Pop();
      const Status done = Step(op);
      if (!done.ok()) return InputError("byte {}: {}", begin, done.error().message);
    }
    return Short();
  }

 private:
  static Error Short() { return InputError("the pickle ends too early"); }
  static Error Wrong() { return InputError("the pickle does not fit together"); }

  Result<std::string_view> Take(std::size_t size) {
    if (bytes_.size() - at_ < size) return Short();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  /// A whole number, little-endian and unsigned.
  Result<std::uint64_t> Number(std::size_t size) {
    const std::string_view bytes = GONOGO_TRY(Take(size));
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;) {
      number = number << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return number;
  }
  Result<std::string> Line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return Short();
    const std::string line(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return line;
  }

  Status Push(Value value) {
    stack_.push_back(std::move(value));
    return {};
  }
  Result<Value> Pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) return Wrong();
    Value value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }
  template <typename T>
  Result<T> PopA() {
    const Value value = GONOGO_TRY(Pop());
    const T* wanted = std::get_if<T>(&value);
    if (wanted == nullptr) return Wrong();
    return *wanted;
  }
  template <typename T>
  Result<T> TopA() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) return Wrong();
    const T* wanted = std::get_if<T>(&stack_.back());
    if (wanted == nullptr) return Wrong();
    return *wanted;
  }
  Result<std::vector<Value>> PopToMark() {
    if (marks_.empty()) return Wrong();
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Value> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  Status Step(unsigned char op) {
    switch (op) {
      case 0x80: {  // protocol
        const std::uint64_t protocol = GONOGO_TRY(Number(1));
        if (protocol > 2) return InputError("pickle protocol {}, expected 2", protocol);
        return {};
      }
      case '(':
        marks_.push_back(stack_.size());
        return {};
      case 'N':
        return Push(None{});
      case 0x88:
        return Push(true);
      case 0x89:
        return Push(false);
      case 'K':
        return Push(static_cast<std::int64_t>(GONOGO_TRY(Number(1))));
      case 'M':
        return Push(static_cast<std::int64_t>(GONOGO_TRY(Number(2))));
      case 'J':
        return Push(static_cast<std::int64_t>(
            static_cast<std::int32_t>(static_cast<std::uint32_t>(GONOGO_TRY(Number(4))))));
      case 0x8a:
        return LongNumber();
      case 'G': {
        std::uint64_t number = 0;
        const std::string_view bytes = GONOGO_TRY(Take(8));
        for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
        return Push(std::bit_cast<double>(number));
      }
      case 'X': {
        const std::uint64_t size = GONOGO_TRY(Number(4));
        return Push(std::string(GONOGO_TRY(Take(size))));
      }
      case 'c': {
        const std::string module = GONOGO_TRY(Line());
        return Push(Global{module + "." + GONOGO_TRY(Line())});
      }
      case 'q':
        return Remember(GONOGO_TRY(Number(1)));
      case 'r':
        return Remember(GONOGO_TRY(Number(4)));
      case 'h':
        return Recall(GONOGO_TRY(Number(1)));
      case 'j':
        return Recall(GONOGO_TRY(Number(4)));
      default:
        return StepOnContainers(op);
    }
  }

  Status StepOnContainers(unsigned char op) {
    switch (op) {
      case ')':
        return Push(heap_.NewSequence({}, true));
      case ']':
        return Push(heap_.NewSequence({}, false));
      case '}':
        return Push(heap_.NewDictionary());
      case 't':
        return Push(heap_.NewSequence(GONOGO_TRY(PopToMark()), true));
      case 0x85:
      case 0x86:
      case 0x87: {
        std::vector<Value> items(op - 0x84U);
        for (std::size_t i = items.size(); i-- > 0;) items[i] = GONOGO_TRY(Pop());
        return Push(heap_.NewSequence(std::move(items), true));
      }
      case 'a': {
        Value item = GONOGO_TRY(Pop());
        GONOGO_TRY(TopA<Sequence*>())->items.push_back(std::move(item));
        return {};
      }
      case 'e': {
        const std::vector<Value> items = GONOGO_TRY(PopToMark());
        Sequence* list = GONOGO_TRY(TopA<Sequence*>());
        list->items.insert(list->items.end(), items.begin(), items.end());
        return {};
      }
      case 's': {
        Value item = GONOGO_TRY(Pop());
        Value key = GONOGO_TRY(Pop());
        GONOGO_TRY(TopA<Dictionary*>())->items.emplace_back(std::move(key), std::move(item));
        return {};
      }
      case 'u': {
        const std::vector<Value> items = GONOGO_TRY(PopToMark());
        Dictionary* dictionary = GONOGO_TRY(TopA<Dictionary*>());
        if (items.size() % 2 != 0) return Wrong();
        for (std::size_t i = 0; i < items.size(); i += 2) {
          dictionary->items.emplace_back(items[i], items[i + 1]);
        }
        return {};
      }
      case 'Q':
        return Persistent();
      case 0x81: {  // a new object of a class
        GONOGO_TRY(PopA<Sequence*>());
        const Global type = GONOGO_TRY(PopA<Global>());
        return Push(heap_.NewObject(type.name));
      }
      case 'b':
        return Build();
      case 'R':
        return Call();
      default:
        return InputError("opcode 0x{:02x} is none that TorchScript uses", op);
    }
  }

  Status LongNumber() {
    const std::uint64_t size = GONOGO_TRY(Number(1));
    if (size > 8) return InputError("a number of {} bytes", size);
    std::uint64_t number = GONOGO_TRY(Number(size));
    if (size > 0 && size < 8 && (number >> (8 * size - 1)) != 0) number |= ~0ULL << (8 * size);
    return Push(static_cast<std::int64_t>(number));
  }

  Status Remember(std::uint64_t key) {
    if (stack_.empty()) return Wrong();
    memo_[key] = stack_.back();
    return {};
  }
  Status Recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) return Wrong();
    if (const auto* text = std::get_if<std::string>(&found->second)) recalled_ += text->size();
    if (recalled_ > kMostRecalled) return InputError("texts are used again too often");
    return Push(found->second);
  }

  /// ('storage', type, key, device, count)
  Status Persistent() {
    const Sequence* id = GONOGO_TRY(PopA<Sequence*>());
    if (id->items.size() != 5) return Wrong();
    const auto* type = std::get_if<Global>(&id->items[1]);
    const auto* key = std::get_if<std::string>(&id->items[2]);
    if (type == nullptr || key == nullptr) return Wrong();
    Object* storage = heap_.NewObject(std::string(kStorage));
    storage->attributes = {{"type", type->name}, {"key", *key}};
    return Push(storage);
  }

  Status Build() {
    const Value state = GONOGO_TRY(Pop());
    Object* object = GONOGO_TRY(TopA<Object*>());
    if (object->type == kStorage) return Wrong();
    const auto* attributes = std::get_if<Dictionary*>(&state);
    if (attributes == nullptr) {
      return InputError("{} is saved in a way of its own (__getstate__)", object->type);
    }
    for (const auto& [key, value] : (*attributes)->items) {
      const auto* name = std::get_if<std::string>(&key);
      if (name == nullptr) return Wrong();
      object->attributes[*name] = value;
    }
    return {};
  }

  Status Call() {
    const Sequence* given = GONOGO_TRY(PopA<Sequence*>());
    const Global function = GONOGO_TRY(PopA<Global>());
    const std::vector<Value>& items = given->items;
    if (function.name == "torch._utils._rebuild_tensor_v2") return Rebuild(items);
    if (function.name == "torch._utils._rebuild_parameter" && !items.empty()) {
      return Push(items[0]);
    }
    if (function.name == "collections.OrderedDict") return Push(heap_.NewDictionary());
    const bool list = function.name.starts_with("torch.jit._pickle.build_");
    const bool tagged = function.name == "torch.jit._pickle.restore_type_tag";
    if ((list || tagged) && !items.empty()) return Push(items[0]);
    return InputError("it asks to call {}, which is not done", function.name);
  }

  /// (storage, offset, size, stride, …)
  Status Rebuild(const std::vector<Value>& items) {
    if (items.size() < 4) return Wrong();
    const auto* storage = std::get_if<Object*>(&items[0]);
    const auto* offset = std::get_if<std::int64_t>(&items[1]);
    if (storage == nullptr || (*storage)->type != kStorage || offset == nullptr) return Wrong();
    ScriptTensor tensor;
    tensor.shape = GONOGO_TRY(Sizes(items[2]));
    tensor.strides = GONOGO_TRY(Sizes(items[3]));
    if (tensor.shape.size() != tensor.strides.size()) return Wrong();
    tensor.offset = *offset;
    const auto& type = std::get<std::string>((*storage)->attributes["type"]);
    tensor.storage = storages_ + std::get<std::string>((*storage)->attributes["key"]) + ":" + type;
    tensor.whole_numbers = type != "torch.FloatStorage" && type != "torch.DoubleStorage" &&
                           type != "torch.HalfStorage";
    return Push(heap_.NewTensor(std::move(tensor)));
  }

  static Result<Shape> Sizes(const Value& value) {
    const auto* sequence = std::get_if<Sequence*>(&value);
    if (sequence == nullptr) return Wrong();
    Shape sizes;
    for (const Value& item : (*sequence)->items) {
      const auto* size = std::get_if<std::int64_t>(&item);
      if (size == nullptr || *size < 0) return Wrong();
      sizes.push_back(*size);
    }
    return sizes;
  }

  std::string_view bytes_;
  const std::string& storages_;
  Heap& heap_;
  std::size_t at_ = 0;
  std::size_t recalled_ = 0;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Value> memo_;
};

}  // namespace

Result<Value> ReadPickle(std::string_view bytes, const std::string& storages, Heap& heap) {
  return PickleMachine(bytes, storages, heap).Run();
}

}  // namespace gonogo::nn::torchscript
