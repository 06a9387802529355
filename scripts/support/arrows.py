"""The rooms of the house and what each may include, for scripts/check_layers.py."""

GROUND = ["pty/types.hpp", "pty/result.hpp", "pty/unique_fd.hpp", "pty/file_lock.hpp", "pty/write_all.hpp"]
# The ground of both emulators.
SEAM = ["pty/screen/emulator.hpp", "pty/screen/emulator_part.hpp", "pty/screen/terminal_state.hpp",
        "pty/screen/state_verbs.hpp",
        "pty/screen/mode_rows.hpp", "pty/screen/pen_parser.hpp"]
# Parts of a Screen that its outputs may see.
OUTPUTS = GROUND + ["pty/screen/screen.hpp", "pty/screen/mode_rows.hpp", "pty/screen/palette.hpp"]
PTY = ["pty/process/", "pty/text/", "pty/journal/", "pty/screen/", "pty/screen/grid/", "pty/screen/serialize/",
       "pty/screen/report/", "pty/shell/"]
# Of pty, all that a language may include.
SPOKEN = ["pty/types.hpp", "pty/result.hpp", "pty/text/utf8.hpp"]
PROTOCOL = ["protocol/json/", "protocol/", "protocol/language/"]
# The headers of sessions that net may include.
SESSION = ["server/session/routing/session_manager.hpp", "server/session/context/session_facts.hpp",
           "server/session/context/caller.hpp", "server/session/delivery/viewer.hpp"]
# Rooms of a session; each may see those before it.
S = "server/session/"
SESSION_ROOMS = [S + "recording/", S + "child/", S + "delivery/", S + "context/", S + "agent/", S, S + "routing/"]
# Includes of all of them.
OF_SESSIONS = dict(rooms=PTY + ["server/loop/", "server/execute/"],
                   only=GROUND + ["protocol/messages.hpp", "protocol/execute_messages.hpp", "protocol/output.hpp",
                                  "server/policy/access.hpp", "server/policy/command_traits.hpp"])


def session_arrows(room):
    before = SESSION_ROOMS[:SESSION_ROOMS.index(room)]
    return dict(rooms=OF_SESSIONS["rooms"] + before, only=OF_SESSIONS["only"])


NET_GROUND = ["server/net/log_text.hpp", "server/net/net_counters.hpp", "server/net/access_log.hpp"]

# A file belongs to the first room that matches. A room may include itself (not the folders in it), `only` files, and whole
# `rooms`.
ARROWS = {
    "pty/process/": dict(rooms=[], only=GROUND),
    "pty/text/": dict(rooms=[], only=GROUND),
    "pty/journal/": dict(rooms=["pty/text/"], only=GROUND),
    "pty/shell/": dict(rooms=["pty/text/"], only=GROUND),
    "pty/screen/grid/": dict(rooms=["pty/text/"], only=GROUND),
    "pty/screen/native/": dict(rooms=["pty/text/", "pty/screen/grid/"], only=GROUND + SEAM),
    "pty/screen/vterm/": dict(rooms=["pty/text/", "pty/screen/grid/"], only=GROUND + SEAM),
    "pty/screen/serialize/": dict(rooms=["pty/text/", "pty/screen/grid/"], only=OUTPUTS),
    "pty/screen/report/": dict(rooms=["pty/text/", "pty/screen/grid/", "pty/screen/serialize/"], only=OUTPUTS),
    "pty/screen/": dict(rooms=["pty/text/", "pty/screen/grid/"],
                        only=GROUND + ["pty/screen/native/native.hpp", "pty/screen/vterm/vterm.hpp"]),
    "pty/": dict(rooms=[], only=[]),
    "protocol/json/": dict(rooms=[], only=SPOKEN),
    "protocol/language/": dict(rooms=["protocol/json/", "protocol/"], only=SPOKEN),
    "protocol/acp/": dict(rooms=PROTOCOL, only=SPOKEN),
    "protocol/mcp/": dict(rooms=PROTOCOL, only=SPOKEN),
    "protocol/": dict(rooms=["protocol/json/"], only=SPOKEN),
    "server/loop/": dict(rooms=[], only=GROUND),
    "server/policy/": dict(rooms=[], only=GROUND + ["protocol/messages.hpp"]),
    "server/execute/": dict(rooms=PTY + ["server/loop/"], only=GROUND + ["protocol/execute_messages.hpp"]),
    **{room: session_arrows(room) for room in SESSION_ROOMS if room != S},
    S: session_arrows(S),
    "server/net/socket/": dict(rooms=["server/loop/"], only=GROUND + NET_GROUND),
    "server/net/access/": dict(rooms=[], only=GROUND + ["server/policy/policy.hpp", "server/net/socket/ip_address.hpp",
                                                         "server/net/socket/listen_address.hpp"]),
    "server/net/websocket/": dict(
        rooms=["server/net/socket/", "server/loop/", "server/policy/"],
        only=GROUND + NET_GROUND + SESSION + ["protocol/messages.hpp", "protocol/language/languages.hpp",
                                             "server/net/net_shared.hpp", "server/net/access/http_reply.hpp",
                                             "pty/text/utf8.hpp"]),
    "server/net/http/": dict(
        rooms=["server/net/socket/", "server/net/access/", "server/loop/", "server/policy/"],
        only=GROUND + NET_GROUND + SESSION + ["protocol/language/languages.hpp", "protocol/mcp/mcp.hpp", "protocol/messages.hpp",
                                             "server/net/net_shared.hpp", "server/net/websocket/connection_options.hpp",
                                             "server/net/websocket/web_socket.hpp"]),
    "server/net/": dict(rooms=["server/net/socket/", "server/net/access/", "server/net/websocket/", "server/net/http/",
                               "server/loop/"],
                         only=GROUND + SESSION + ["protocol/language/dialect.hpp", "server/policy/access.hpp"]),
    "server/config/": dict(rooms=["server/net/access/"],
                           only=GROUND + ["server/net/socket/listen_address.hpp", "server/net/net_options.hpp",
                                          "server/session/context/session_facts.hpp", "pty/screen/screen.hpp"]),
    "server/cli/": dict(rooms=["server/config/", "server/net/socket/"],
                        only=GROUND + ["server/policy/access.hpp", "pty/process/orphans.hpp"]),
    "server/": dict(rooms=["server/", "protocol/", "pty/"], only=[]),
    "tests/": dict(rooms=["tests/", "server/", "protocol/", "pty/", "support/"], only=[]),
}
