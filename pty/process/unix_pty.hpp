// UnixLauncher: real ptys with real children.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "pty/process/graces.hpp"
#include "pty/process/pty.hpp"
#include "pty/process/spawn.hpp"

namespace ptyd {

class Reaper;

/// A Pty around what spawn() started. Errc::spawn_failed when the loop cannot take its descriptors (the kernel limits
/// how many may be watched); the child has been ended then.
Result<std::unique_ptr<Pty>> make_pty(const boost::asio::any_io_executor& executor,
                                      const std::shared_ptr<Reaper>& reaper, Spawned spawned, PtyObserver& observer);

/// Starts children on ptys of this machine.
///
/// The master stays open through a hang-up, so that what dying programs still print can be read; it closes when the Pty
/// goes, after the processes below it have been told (reaper.hpp).
///
/// Owns    the Reaper.
/// Thread  the executor's; one launcher per loop. Where the Spawner waits elsewhere nothing blocks the loop.
/// Order   on_exit() may come before the last on_readable(); read() gives Errc::end only after on_exit().
class UnixLauncher final : public Launcher {
 public:
  /// Without a `spawner` the loop itself waits until a child has got to its exec: for tools that do nothing else.
  explicit UnixLauncher(boost::asio::any_io_executor executor, Graces graces = {}, Spawner spawner = {});
  /// Ends launches under way without an answer, and kills at once what was being hung up.
  ~UnixLauncher() override;

  /// Beyond the contract in pty.hpp: Errc::bad_cwd when the child could not enter `spec.cwd`, Errc::bad_request for a
  /// spec that no exec can take. `observer` is not told anything before `done` was.
  void launch(LaunchSpec spec, PtyObserver& observer, Done done) override;

 private:
  boost::asio::any_io_executor executor_;
  std::shared_ptr<Reaper> reaper_;
  std::shared_ptr<void> alive_;  // expires with the launcher
  Spawner spawner_;
};

}  // namespace ptyd
