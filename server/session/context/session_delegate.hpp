// SessionDelegate: callbacks of the sessions of one loop to the rest of the server.
#pragma once

#include <memory>
#include <string>

#include "pty/types.hpp"
#include "server/policy/command_traits.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/cell_budget.hpp"
#include "server/session/context/disconnect_callbacks.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// All loops, as one of them sees them. The SessionManager implements it; tests have a fake with memory.
///
/// Thread  any loop.
class SessionDelegate {
 public:
  /// Hands a lifecycle event to the viewers of every loop.
  virtual void broadcast(const std::shared_ptr<const EncodedEvent>& encoded) = 0;
  /// A launch of a session has ended, or could not be started. Another one may be under way there already. Told again
  /// when less of it remains.
  virtual void on_ended(const SessionKey& key, LaunchNumber launch, Remains remains) = 0;
  /// `request` waited in its session, the Directory has gone on without it, and a program would have to be started for
  /// it now: it is carried out from the beginning, as if it was asked now.
  virtual void ask_again(const Caller& caller, const Request& request) = 0;
  /// A session cannot go on, by a fault of ours: it is to be closed and forgotten.
  virtual void on_failed(const SessionKey& key, const std::string& what) = 0;
  /// The terminal of an agent's program is not needed any more: it is to be closed and its transcript deleted.
  virtual void on_released(const SessionKey& key) = 0;
  /// Calls `told` once, on the viewer's loop, when `viewer` leaves this server, or now if it has left. Nothing is
  /// called where `told` does not exist any more.
  virtual void when_gone(const std::shared_ptr<Viewer>& viewer,
                         const std::shared_ptr<const DisconnectCallbacks::Callback>& told) = 0;
  /// A name for one more subscription, never 0.
  virtual SubscriptionId next_subscription() = 0;
  /// And for one more launch.
  virtual LaunchNumber next_launch() = 0;
  /// Cells that the screens of all sessions may take together.
  virtual const std::shared_ptr<CellBudget>& cells() = 0;

 protected:
  ~SessionDelegate() = default;
};

}  // namespace ptyd
