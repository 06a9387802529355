// Checkpoint: bytes that recreate a Screen, in place of the Screen while it is not needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/recording/turn_limit.hpp"

namespace ptyd {

/// Keeps a Screen as bytes that recreate it: in a file, or in memory where there is none and until it is written.
///
/// Owns    the bytes and the file, which only it writes; an earlier life may have left one.
/// Thread  one; callbacks come on it too. Nothing blocks: SaveFile and LoadFile work beside it.
/// Order   one text is written at a time; a text kept meanwhile stays in memory. Late callbacks, for bytes that were
///         forgotten or a Checkpoint that was destroyed, do nothing.
/// Errors  bytes that cannot be written stay in memory. A file that cannot be read, or differs from the bytes written,
///         is lost.
class Checkpoint {
 public:
  using SharedText = std::shared_ptr<const std::string>;
  /// Puts `text` into `file`, or deletes the file where there is none, maybe later, but in the order of the calls; then
  /// tells once whether that was done, false also where a disk is silent for too long: it may be done later then.
  using SaveFile =
      std::function<void(const std::filesystem::path& file, SharedText text, std::function<void(bool)> saved)>;
  /// Reads `file`, maybe later, but in order with what is saved; then tells once what is in it, "" when it could not be
  /// read.
  using LoadFile = std::function<void(const std::filesystem::path& file, std::function<void(std::string)> loaded)>;

  /// The usual scrollback takes less than one megabyte; what takes more than eight costs about as much memory parked,
  /// and its end would hold up the loop.
  static constexpr std::size_t kMaxBytes = 8 << 20;

  /// In memory alone.
  Checkpoint() = default;
  /// In `file`, by means of `save`; an empty name: in memory alone.
  Checkpoint(std::filesystem::path file, SaveFile save) : file_(std::move(file)), save_(std::move(save)) {}
  Checkpoint(Checkpoint&&) = default;

  /// Rows that are drawn between two looks at the clock: of the widest screens some 2 ms.
  static constexpr std::size_t kRowsPerLook = 32;
  enum class Keeping : std::uint8_t {
    unfinished,  ///< time was up: call keep() again, or forget() where the Screen has changed
    done,
    impossible,  ///< no bytes can recreate it, or more than kMaxBytes would have to
  };
  /// Keeps `screen` as it is.
  Keeping keep(const Screen& screen, TurnLimit limit = {});
  /// The bytes are there, or in the file.
  bool holds() const { return kept_ && (kept_->text || kept_->in_file); }
  /// They are in memory.
  bool is_there() const { return kept_ && kept_->text; }
  /// They are in the file alone: to be loaded before they are shown.
  bool is_on_disk() const { return kept_ && kept_->in_file && !kept_->text; }
  /// Calls `done` once they are not away any more, maybe before this returns; also where they are lost.
  void load(const LoadFile& load, std::function<void()> done);
  /// Shows them on `fresh`, a Screen of their size, whose lines have their numbers again; only what is in the file is
  /// kept on. False where there are none.
  bool restore(Screen& fresh);
  /// The Screen is not what it was any more.
  void forget() {
    kept_.reset();
    writer_.reset();
  }
  /// Deletes the file behind what was to be put into it, where there may be one.
  void delete_file();

  bool has_file() const { return !file_.empty(); }
  /// So many bytes were written, or begun to be, the last time; 0: never.
  std::size_t saved_bytes() const { return saved_bytes_; }

 private:
  struct Kept {
    SharedText text;  ///< none once all of it is in the file, or shown
    std::size_t bytes = 0, hash = 0;
    bool in_file = false;
    std::uint64_t first_line = 0, uncleared_line = 0;  // of its Grid

    void on_loaded(std::string loaded);
  };

  void save();

  std::filesystem::path file_;
  SaveFile save_;
  std::unique_ptr<CheckpointWriter> writer_;  // of what is not whole yet
  std::shared_ptr<Kept> kept_;                // a late callback finds it gone when it is not wanted
  std::weak_ptr<const std::string> being_saved_;
  std::size_t saved_bytes_ = 0;
  bool may_be_in_file_ = true;  // a Screen of now or of an earlier life
};

}  // namespace ptyd
