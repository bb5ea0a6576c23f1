// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gonogo::nn::torchscript {

using Shape = std::vector<std::int64_t>;

/// What a program without tensors' numbers can know of a tensor: its shape, where its numbers are
/// in the archive if it has any there, and what the graph calls it once it is in the graph.
struct ScriptTensor {
  Shape shape;
  bool whole_numbers = false;
  std::string name;  ///< in the graph; empty = not there yet
  /// Where it is kept in the archive: its file, and which of its elements.
  std::string storage;
  std::int64_t offset = 0;
  Shape strides;
  std::optional<std::vector<float>> values;  ///< of constants that the program makes
  ScriptTensor* base = nullptr;              ///< it shows elements of this one, …
  int base_version = 0;                      ///< … as they were then
  bool whole = false;                        ///< … all of them, in the same shape
  int version = 0;                           ///< how often it was written to
  bool stale = false;                        ///< a part of it was written to

  [[nodiscard]] int rank() const { return static_cast<int>(shape.size()); }
  [[nodiscard]] std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t dim : shape) product *= dim;
    return product;
  }
};

struct Sequence;
struct Dictionary;
struct Object;

struct None {};

/// A name that is looked up when it is called: a function, a class or an operator.
struct Global {
  std::string name;
};

/// A value of the language: what it points to belongs to a `Heap`.
using Value = std::variant<None, bool, std::int64_t, double, std::string, Sequence*, Dictionary*,
                           Object*, ScriptTensor*, Global>;

struct Sequence {
  std::vector<Value> items;
  bool is_tuple = false;
};

struct Dictionary {
  std::vector<std::pair<Value, Value>> items;
};

/// An instance of a class of the program, such as a module.
struct Object {
  std::string type;  ///< with its module, such as "__torch__.Policy"
  std::map<std::string, Value> attributes;
};

/// Owns what values point to; cycles are no matter.
class Heap {
 public:
  Sequence* NewSequence(std::vector<Value> items, bool is_tuple) {
    return &sequences_.emplace_back(Sequence{std::move(items), is_tuple});
  }
  Dictionary* NewDictionary() { return &dictionaries_.emplace_back(); }
  Object* NewObject(std::string type) {
    return &objects_.emplace_back(Object{std::move(type), {}});
  }
  ScriptTensor* NewTensor(ScriptTensor tensor) { return &tensors_.emplace_back(std::move(tensor)); }

 private:
  std::deque<Sequence> sequences_;
  std::deque<Dictionary> dictionaries_;
  std::deque<Object> objects_;
  std::deque<ScriptTensor> tensors_;
};

}  // namespace gonogo::nn::torchscript
