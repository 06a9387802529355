// TranscriptUses: since when transcripts are unused.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace ptyd {

/// Since when each transcript of a state directory is unused, in time that servers ran there: the machine's calendar
/// may jump, and be wrong for as long as nothing corrects it.
///
/// Owns    the record, a file that the next server reads. One that is lost or damaged counts as none: then all of them
///         are unused from now on.
/// Units   time that has passed while servers ran.
class TranscriptUses {
 public:
  using Time = std::chrono::milliseconds;

  /// May block.
  explicit TranscriptUses(const std::filesystem::path& file);

  /// So much later than at the last save().
  void pass(Time time) { now_ += time; }
  /// Notes that the transcript is there and unused, and gives how long it has been so. `stamp` is that of its last
  /// change: another one than before tells that it has been used meanwhile.
  Time note_unused(const std::string& name, std::int64_t stamp);
  /// Of those that were noted since this was made. Where it cannot be written the one from before stays. May block.
  void save(const std::filesystem::path& file) const;

 private:
  struct Unused {
    Time since{};
    std::int64_t stamp = 0;
  };
  using All = std::map<std::string, Unused>;

  bool read(const std::string& text);

  Time now_{};
  All before_, noted_;
};

}  // namespace ptyd
