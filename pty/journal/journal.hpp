// Journal: all that a terminal said, in order, addressed by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pty/journal/mark.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Append-only bytes and marks of one terminal, in a bounded ring.
///
/// Every byte takes one position and every mark one position too, so one number orders all that ever happened. Anything
/// older than the ring is gone: tail() says where memory begins, and any read before it is an overrun.
///
/// Where marks are many, those that a newer one made superfluous are forgotten alone, and text is not forgotten for
/// them: titles and activities, sizes at which nothing was printed, and where that is not enough the sizes that
/// followed each other after little text.
///
/// Owns    the file and its mapping. The lock of the state directory keeps other servers away; the journal holds an
///         exclusive flock on the file: a sweep of old files leaves it alone, and a second owner waits.
/// Thread  one; views are valid until the next append(), mark(), move_tail(), wipe() or commit().
/// Order   read() gives bytes and marks in the order they were added.
/// Units   positions and sizes are bytes as the child wrote them.
/// Errors  a full disk moves the journal to memory (`in_memory()`), it never faults.
///
/// Crash   Readers put bytes into inbox_space(), whose free part is always 0xFF, then call received(). commit()
///         publishes the changes of append(), mark() and consume() with one 64-bit store, so that after kill -9 a file
///         shows the state of some commit() plus whatever stands in the inbox.
class Journal {
 public:
  struct Options {
    std::size_t ring_bytes = 1 << 20;   ///< power of two, a multiple of the page size
    std::size_t mark_bytes = 64 << 10;  ///< room for marks with payloads; losing marks is an overrun
  };
  /// Largest payload of a mark; mark() cuts longer ones.
  static constexpr std::size_t kMaxPayload = journal_limits::kMaxPayload;
  /// Most columns, and most rows, of the size that a mark tells.
  static constexpr std::uint16_t kMaxSide = journal_limits::kMaxSide;
  /// One read's worth: the inbox holds this many undecided bytes.
  static constexpr std::size_t kInboxBytes = journal_limits::kInboxBytes;

  /// A stretch of bytes, or one mark.
  struct Slice {
    Position begin = 0;
    std::string_view bytes;    ///< contiguous; empty when a mark stands at `begin` or nothing follows
    std::optional<Mark> mark;  ///< set when a mark stands at `begin`
    Position end() const { return begin + bytes.size() + (mark ? 1 : 0); }
  };

  /// A new journal in `file` (created 0600, O_EXCL, never through a link), or one in memory when `file` is empty.
  static Result<Journal> create(const std::filesystem::path& file, std::string_view identity, Options options);
  static Result<Journal> create(const std::filesystem::path& file, std::string_view identity) {
    return create(file, identity, Options());
  }
  /// Opens the journal that an earlier server left. The incarnation is new unless the file was closed in good order.
  /// Errc::not_found where there is no file or an empty one, Errc::internal with a detail where it is damaged.
  /// Errc::limit where the machine is exhausted: that says nothing about the file.
  static Result<Journal> open(const std::filesystem::path& file);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  std::uint64_t incarnation() const;
  /// The text that create() was given: opaque to the journal, at most 4096 bytes; tells whose file this is.
  std::string_view identity() const;
  Position tail() const;
  Position head() const;
  /// The size at which the text right behind the tail was printed; none where no mark has told one.
  std::optional<Size> size_at_tail() const;
  std::size_t capacity() const;
  bool in_memory() const;

  /// Where the next read goes; never empty after consume() of everything.
  std::span<char> inbox_space();
  /// The first `count` bytes of inbox_space() have been written.
  void received(std::size_t count);
  /// Bytes that were received and not yet consumed.
  std::string_view inbox() const;
  /// The first `count` bytes of the inbox are decided upon (appended, or cut).
  void consume(std::size_t count);

  /// Appends whole characters, since a mark may stand between two calls.
  void append(std::string_view bytes);
  /// Adds a mark at head(). Payloads longer than kMaxPayload are cut. `size` is that of the terminal from here on,
  /// where the mark tells it; at most kMaxSide each way. Returns the position the mark took.
  Position mark(MarkKind kind, UnixMillis time, std::string_view payload, std::optional<Size> size = {});
  /// Makes everything since the last commit() durable against the death of this process.
  void commit();

  /// Number of readers that must lose nothing, and the position from which; none: no reader asks for that.
  struct Held {
    Position from = 0;
    std::uint32_t readers = 0;
    std::vector<std::uint64_t> names = {};  ///< of those that have one, none of them 0; at most kMaxNamed
    friend bool operator==(const Held&, const Held&) = default;
  };
  /// A file that claims more readers is taken to hold for none; names beyond kMaxNamed are not kept.
  static constexpr std::uint32_t kMaxHeld = journal_limits::kMaxHeld, kMaxNamed = journal_limits::kMaxNamed;
  /// Writes `held` into the file, for a successor that finds it closed in good order. Until then the journal keeps the
  /// sizes that these readers have yet to pass.
  void hold(const Held& held);
  Held held() const;
  /// Whether `bytes` more may be added, and a few marks, without anything being forgotten that stands at `from` or
  /// further on. A part of the room for marks is left for those that come though nothing is added.
  bool has_room_behind(Position from, std::size_t bytes) const;
  /// One part of this many is left for them: clients change sizes, and processes come and go.
  static constexpr std::size_t kMarkReserve = 4;

  /// The slice at `from`: a mark, or at most `max` bytes up to the next mark. `from` must be in [tail(), head()].
  Slice read(Position from, std::size_t max) const;

  /// Forgets what lies before `tail`, which is at most head(). It may stay in the file until wipe().
  void move_tail(Position tail);
  /// Commits, and overwrites in the file all that stood before tail() or was consumed. A file that was left for memory
  /// is emptied.
  void wipe();
  /// Gives the ring's pages back to the kernel; they are read from the file when needed again.
  void release_pages();
  /// Marks the file as closed in good order, so that the next open() keeps the incarnation, and releases its lock.
  /// Write nothing after that.
  void close_in_order();

 private:
  struct Impl;
  explicit Journal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptyd
