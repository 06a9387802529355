// Kinds of the fields of programs that agents run. See schema.hpp for what a Kind is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/kinds.hpp"

namespace ptyd::schema {

/// A string that a program is started with: byte-exact, without NUL, and no longer than the kernel takes.
struct Argument {
  std::size_t min = 0;
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  json::object schema() const;
};

struct ArgumentList {
  Problem decode(const json::value& value, std::vector<std::string>& out, Nulls nulls) const;
  json::object schema() const;
};

/// Environment variables as a list of `{name, value}`; of two of a name the later one counts. Or as an object, as the
/// SDK's guide has them.
struct VariableList {
  Problem decode(const json::value& value, Environment& out, Nulls nulls) const;
  json::object schema() const;
};

struct AbsolutePath {
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  json::object schema() const;
};

/// A number of bytes of any size; one beyond `ceiling` is taken as `ceiling`.
struct ByteCount {
  std::uint64_t ceiling;
  Problem decode(const json::value& value, std::uint64_t& out, Nulls nulls) const;
  json::object schema() const;
};

/// A signal by its POSIX name, "SIGKILL"; one that has none (a real-time signal) by its number, "SIG34". Only written.
struct SignalName {
  void write(std::string& out, int signal) const;
  json::object schema() const { return {{"type", "string"}}; }
};

/// A signal that may be sent to a program, by its POSIX name. Only read.
struct SignalChoice {
  Problem decode(const json::value& value, int& out, Nulls nulls) const;
  json::object schema() const;
};

}  // namespace ptyd::schema
