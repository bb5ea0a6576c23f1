// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/io/hdf5/internal/hdf5_session.h"

namespace gonogo::io {

using internal::Count;
using internal::Handle;
using internal::Hdf5Session;
using internal::MemoryProblem;
using internal::ShapeOf;
using internal::Texts;
using internal::TextType;

namespace {

/// Creates an attribute and writes it; whether that could be done.
bool Attach(hid_t file, const std::string& object, const std::string& attribute, hid_t type,
            const Handle& space, const void* values) {
  Handle created(H5Acreate_by_name(file, object.c_str(), attribute.c_str(), type, space.get(),
                                   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return created.ok() && H5Awrite(created.get(), type, values) >= 0 && created.Close();
}

}  // namespace

bool Hdf5File::HasAttribute(const std::string& object, const std::string& attribute) const {
  const Hdf5Session session;
  return Has(object) && H5Aexists_by_name(id_, object.c_str(), attribute.c_str(), H5P_DEFAULT) > 0;
}

Result<std::vector<std::string>> Hdf5File::ReadTexts(const std::string& object,
                                                     const std::string& attribute) const {
  const Hdf5Session session;
  if (!HasAttribute(object, attribute)) {
    return InputError("{}: attribute {} of {} is missing", name_, attribute, object);
  }
  const Handle opened(
      H5Aopen_by_name(id_, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  const Handle stored(H5Aget_type(opened.get()));
  if (H5Tget_class(stored.get()) != H5T_STRING) {
    return InputError("{}: attribute {} of {} is not text", name_, attribute, object);
  }
  const Handle space(H5Aget_space(opened.get()));
  const std::size_t count = Count(ShapeOf(space.get()));
  if (const auto problem = MemoryProblem(count, H5Tget_size(stored.get()))) {
    return InputError("{}: attribute {} of {} {}", name_, attribute, object, *problem);
  }
  bool ok = false;
  const auto read = [&](hid_t memory, void* buffer) {
    return H5Aread(opened.get(), memory, buffer) >= 0;
  };
  std::vector<std::string> texts = Texts(stored.get(), count, read, ok);
  if (!ok) return InputError("{}: attribute {} of {} cannot be read", name_, attribute, object);
  return texts;
}

Result<std::string> Hdf5File::ReadText(const std::string& object,
                                       const std::string& attribute) const {
  std::vector<std::string> texts = GONOGO_TRY(ReadTexts(object, attribute));
  if (texts.size() != 1) {
    return InputError("{}: attribute {} of {} holds {} texts, expected one", name_, attribute,
                      object, texts.size());
  }
  return texts.front();
}

Result<double> Hdf5File::ReadNumber(const std::string& object, const std::string& attribute) const {
  const Hdf5Session session;
  if (!HasAttribute(object, attribute)) {
    return InputError("{}: attribute {} of {} is missing", name_, attribute, object);
  }
  const Handle opened(
      H5Aopen_by_name(id_, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  const Handle space(H5Aget_space(opened.get()));
  double number = 0.0;
  if (Count(ShapeOf(space.get())) != 1 || H5Aread(opened.get(), H5T_NATIVE_DOUBLE, &number) < 0) {
    return InputError("{}: attribute {} of {} is not one number", name_, attribute, object);
  }
  return number;
}

Status Hdf5File::WriteText(const std::string& object, const std::string& attribute,
                           std::string_view text) {
  const std::string copy(text);
  const char* raw = copy.c_str();
  const Hdf5Session session;
  if (Attach(id_, object, attribute, Handle(TextType()).get(), Handle(H5Screate(H5S_SCALAR)),
             &raw)) {
    return {};
  }
  return IoError("{}: cannot write attribute {} of {}", name_, attribute, object);
}

Status Hdf5File::WriteTexts(const std::string& object, const std::string& attribute,
                            std::span<const std::string> texts) {
  const Hdf5Session session;
  std::vector<const char*> raw;
  raw.reserve(texts.size());
  for (const std::string& text : texts) raw.push_back(text.c_str());
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr));
  if (Attach(id_, object, attribute, Handle(TextType()).get(), space, raw.data())) return {};
  return IoError("{}: cannot write attribute {} of {}", name_, attribute, object);
}

Status Hdf5File::WriteNumber(const std::string& object, const std::string& attribute,
                             double number) {
  const Hdf5Session session;
  if (Attach(id_, object, attribute, H5T_NATIVE_DOUBLE, Handle(H5Screate(H5S_SCALAR)), &number)) {
    return {};
  }
  return IoError("{}: cannot write attribute {} of {}", name_, attribute, object);
}

}  // namespace gonogo::io
