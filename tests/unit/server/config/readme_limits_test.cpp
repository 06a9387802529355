// The table of limits in server/config/README.md has the numbers that the code has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "protocol/acp/acp_tool_calls.hpp"
#include "protocol/mcp/mcp.hpp"
#include "protocol/messages.hpp"
#include "pty/journal/journal.hpp"
#include "pty/journal/journal_format.hpp"
#include "pty/process/spawn.hpp"
#include "pty/screen/report/queries.hpp"
#include "pty/screen/serialize/detail.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "server/loop/log.hpp"
#include "server/net/access/connection_shares.hpp"
#include "server/net/access/failure_limiter.hpp"
#include "server/net/access/handshakes.hpp"
#include "server/net/access/log_rate_limiter.hpp"
#include "server/net/access/mcp_sessions.hpp"
#include "server/net/access/tls_rate_limiter.hpp"
#include "server/net/net_options.hpp"
#include "server/net/websocket/handshake_limit.hpp"
#include "server/net/websocket/intake.hpp"
#include "server/net/websocket/later_calls.hpp"
#include "server/net/websocket/message_progress.hpp"
#include "server/net/websocket/peer.hpp"
#include "server/net/websocket/pings.hpp"
#include "server/policy/access.hpp"
#include "server/session/agent/agent_terminal.hpp"
#include "server/session/child/input_queue.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/session.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

struct Limit {
  std::string what, number;
  bool operator==(const Limit&) const = default;
};
void PrintTo(const Limit& limit, std::ostream* out) {
  *out << limit.what << ": " << limit.number;
}

template <class Number>
std::string text(Number number) {
  return std::to_string(number);
}

std::string mib(std::size_t bytes) {
  return text(bytes >> 20) + " MiB";
}

std::string kib(std::size_t bytes) {
  return text(bytes >> 10) + " KiB";
}

std::string for_both(std::size_t most) {
  return text(places(Access::full, most)) + ", and " + text(places(Access::view, most)) + " that may only view";
}

std::string transcripts(const SessionOptions& sessions) {
  const Journal::Options journal;
  const auto most = journal_format::kMarksOffset + journal.mark_bytes + journal.ring_bytes +
                    journal_format::forgotten_room(journal.ring_bytes);
  const auto tenths = (most * 10 + (1 << 20) - 1) >> 20;
  return text(tenths / 10) + "." + text(tenths % 10) + " MiB for each of the terminals above, " +
         text(sessions.retention.bytes >> 30) + " GiB of closed ones, for " + text(sessions.retention.days) + " days";
}

std::string paced(const AddressRateLimiter::Limits& limits, const std::string& what) {
  return text(limits.burst) + what + ", then " + text(1000 / limits.interval.count()) + " a second";
}

/// In the order of the table; why each is there it says itself.
std::vector<Limit> limits_of_the_code() {
  using namespace limits;
  const SessionOptions sessions;
  return {
      {"one frame from a client", mib(kMaxRequest) + ", and " + kib(kMaxViewRequest) + " where it may only view"},
      {"values in one request", text(kMaxValues)},
      {"`id` of a request", text(kMaxRequestId) + " units; of Effect RPC " + text(kMaxRequestId) + " bytes of JSON"},
      {"a frame that is under way",
       kib(MessageProgress::kBytes) + " in " + text(MessageProgress::kTime.count()) + " s at least"},
      {"frames that are under way", mib(Intake::kMost) + " on each event loop"},
      {"time of an event loop for frames",
       text(MessageTime::kOfAll.count()) + " of " + text(MessageTime::kWindow.count()) + " ms, and " +
           text(MessageTime::kOfOne.count()) + " ms for each connection in any case; " +
           text(MessageTime::kOfViewers.count()) +
           " for all that may only view, and for requests of HTTP until they are judged"},
      {"environment of a terminal", text(kMaxEnvEntries) + " variables of " + text(kMaxEnvValue) + " units"},
      {"text of one `terminal.write`", text(kMaxWrite) + " units"},
      {"size of a terminal", text(kMinCols) + "-" + text(kMaxCols) + " x " + text(kMinRows) + "-" + text(kMaxRows)},
      {"cells of all screens", text(sessions.max_cells)},
      {"journal of one session", mib(Journal::Options().ring_bytes) + ", in a file"},
      {"`history`", text(kMaxHistoryLines) + " lines and " + mib(kMaxHistoryBytes)},
      {"the screen in a repaint", kib(kMaxRepaintedScreen)},
      {"`lines` in one snapshot", kib(kMaxLinesPage)},
      {"hyperlinks in a `history`, a repaint or cells", kib(LinkBudget::kUsual) + " each"},
      {"text for a clipboard (OSC 52)", text(Query::kMaxClipboard) + " bytes"},
      {"terminals", text(sessions.max_sessions) + " running, " + text(sessions.max_sessions_per_thread) +
                        " per thread, " + text(sessions.retained_sessions) + " ended ones of people remembered"},
      {"transcripts on disk", transcripts(sessions)},
      {"wait for a disconnected lossless viewer", text(sessions.linger.count() / 1000) + " s"},
      {"disconnected viewers of a terminal that are waited for", text(Holds::kMost)},
      {"viewers of a terminal", for_both(Session::kMaxViewers)},
      {"text that an agent reads of a program",
       kib(kOutputLimit) + ", at most " + mib(kMaxOutputLimit) + " if it asks for more"},
      {"waits for the end of one agent's program", text(AgentTerminal::kMaxWaiting)},
      {"ended terminals of an agent's session", text(sessions.retained_programs) +
                                                    ", as many of which jobs run on, as "
                                                    "many that people may still read; " +
                                                    text(sessions.all_retained_programs) + " of all agents"},
      {"an agent's ended terminal", text(AgentTerminal::kUnreleased.count()) + " min, and " +
                                        text(AgentTerminal::kKeptForPeople.count()) +
                                        " min after its release where people watch"},
      {"tool calls that an agent's connection remembers",
       text(ToolCalls::kMaxCalls) + ", with " + text(ToolCalls::kMaxTerminals) + " terminals each"},
      {"title of a tool call", text(kMaxToolTitle) + " units, in one line"},
      {"connections", for_both(NetOptions().max_connections)},
      {"connections of one address", text(NetOptions().shares.of_address)},
      {"connections of one token", text(NetOptions().shares.of_token)},
      {"connections that have shown no token",
       text(Handshakes::kMost) + " on each event loop, and a quarter of the descriptors"},
      {"requests over plain HTTP with a token", text(NetOptions().max_connections)},
      {"wrong tokens of one address",
       text(FailureLimiter::kBurst) + ", then one in " + text(FailureLimiter::kRefill.count()) + " s"},
      {"lines of the access log about refusals and requests", text(LogRateLimiter::kBurst) + ", then one in " +
                                                                  text(LogRateLimiter::kRefill.count()) +
                                                                  " s on each event loop"},
      {"TLS handshakes on each event loop",
       paced(TlsRateLimiter::kOfOne, " of one address") + "; " + paced(TlsRateLimiter::kOfAll, " of all")},
      {"output under way to one viewer",
       kib(flow::kMinWindow) + " at first, then what its link carries in a round trip and " +
           text(flow::kQueueTime.count()) + " ms, " + kib(flow::kMaxWindow) + " at most"},
      {"output that waits for one viewer", "what its link carries in " + text(flow::kBudgetTime.count()) + " ms, and " +
                                               kib(flow::kMinBudget) + " at least; " + kib(flow::kBudget) +
                                               " while that is not known"},
      {"calls of an agent that wait for programs",
       text(LaterCalls::kMost) + ", and " + text(LaterCalls::kMostAtEnd) + " that end one"},
      {"an agent's answers to `initialize` and `session/new`", text(HandshakeLimit::kTime.count()) + " s"},
      {"wait of one call of an MCP tool", text(kMaxToolWait.count() / 1000) + " s"},
      {"name of a terminal of MCP tools", text(kMaxToolTerminal) + " characters"},
      {"MCP sessions", text(McpSessions::kMost)},
      {"wait for a `cwd`", text(sessions.cwd_patience.count() / 1000) + " s"},
      {"requests that hang at drives that do not answer",
       text(sessions.blocking_pool.threads + sessions.blocking_pool.hung)},
      {"wait for a program to start", text(kLaunchPatience.count()) + " s"},
      {"lines of the log that wait to be read", text(Log::kWaiting)},
      {"data that waits for a client that does not read", mib(Peer::kMaxQueued) + " and one large answer"},
      {"events of other terminals that wait for a client that does not read",
       text(Peer::kMaxBroadcasts) + ", and " + mib(Peer::kMaxBroadcastBytes)},
      {"pings of a client, and pongs that answer none", text(Pings::kMostOfPeer) + " a second"},
      {"input that waits for a program that does not read",
       mib(InputQueue::kLimit) + ", in " + text(InputQueue::kMaxPieces) + " writes and sizes"},
      {"line typed to a program that reads lines", text(InputQueue::kLineLimit) + " bytes"},
  };
}

/// The first two columns of the rows below `heading`.
std::vector<Limit> limits_of_readme(const std::string& heading) {
  std::ifstream file(test::source_dir() + "/server/config/README.md");
  std::vector<Limit> found;
  std::string line;
  while (std::getline(file, line) && line != heading) {
  }
  std::getline(file, line);
  while (std::getline(file, line) && line.starts_with("| ")) {
    const auto first = line.find(" | "), second = line.find(" | ", first + 1);
    found.push_back({line.substr(2, first - 2), line.substr(first + 3, second - first - 3)});
  }
  return found;
}

TEST(Readme, HasEveryLimitWithItsNumber) {
  EXPECT_THAT(limits_of_readme("| what | number | why |"), testing::ElementsAreArray(limits_of_the_code()));
}

}  // namespace
}  // namespace ptyd
