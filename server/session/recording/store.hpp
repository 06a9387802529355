// Store: places and names of transcripts.
#pragma once

#include <filesystem>
#include <string>

#include "pty/journal/journal.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Journals in `<state-dir>/sessions/<hash of thread>.<hash of terminal>.journal`: names cannot leave the folder, and
/// no two keys share one, whatever clients call their threads. One folder for all, since making a folder for each
/// thread would cost as much as starting its shell.
///
/// Thread  any: it holds nothing but a path.
class Store {
 public:
  /// How the files of a parked Screen and of a terminal's name end, behind the journal's.
  static constexpr const char *kParked = ".screen", *kName = ".name";
  /// How a saved file ends, behind its own name, until all of it is written.
  static constexpr const char* kNew = ".new";

  /// Nothing is kept on disk when `root` is empty.
  explicit Store(std::filesystem::path root);

  bool keeps() const { return !root_.empty(); }
  /// Where all of them are; empty where nothing is kept.
  std::filesystem::path folder() const { return keeps() ? root_ / "sessions" : root_; }
  std::filesystem::path file_of(const SessionKey& key) const;
  /// The record of since when they are unused (TranscriptUses); empty where nothing is kept.
  std::filesystem::path uses_file() const { return keeps() ? root_ / "transcript-uses" : root_; }

  /// The transcript of `key`, or an empty one. A damaged file is set aside under another name, not deleted; a parked
  /// Screen of an earlier session is. Errc::limit, and the file stays as it is, where the machine is exhausted.
  Result<Journal> open(const SessionKey& key) const;
  /// File for the Screen of `key` while it is not needed; empty where nothing is kept on disk.
  std::filesystem::path checkpoint_of(const SessionKey& key) const;
  /// Where the name is kept that people gave to `key`; empty where nothing is kept on disk.
  std::filesystem::path name_file_of(const SessionKey& key) const;
  /// That name; "" where it has none, or none that Rename could have given.
  std::string name_of(const SessionKey& key) const;
  /// Puts `text` into a new file of this user alone, and this in place of what is there; false, and what is there
  /// stays, when that could not be done.
  static bool save(const std::filesystem::path& file, std::string_view text);
  /// False when it is still there.
  static bool remove_file(const std::filesystem::path& file);
  /// "" when it cannot be read.
  static std::string load(const std::filesystem::path& file);
  void remove(const SessionKey& key) const;
  void remove_thread(const std::string& thread_id) const;

 private:
  std::filesystem::path root_;
};

}  // namespace ptyd
