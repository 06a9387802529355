// Commands that are carried out by a session, one `on` each.
#include <cassert>
#include <utility>
#include <variant>

#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/command_shell.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/session.hpp"

namespace ptyd {

namespace {

Session::Finished call_once(Session::Finished finished) {
  return [left = std::make_shared<Session::Finished>(std::move(finished))] {
    if (const auto call = std::exchange(*left, nullptr)) call();
  };
}

}  // namespace

template <>
void Session::on(Caller caller, const Open& asked, Finished finished) {
  if (const auto room = room_for(audience_, caller.viewer().get()); !room)
    return refuse(caller, room.error(), finished);
  if (!asked.attach && !is_live()) return start_for(std::move(caller), asked, std::move(finished));
  if (!is_listed()) {
    caller.reply(unknown_terminal(key()));
  } else {
    attach(std::move(caller), asked);
  }
  finished();
}

template <>
void Session::on(Caller caller, const Restart& asked, Finished finished) {
  const auto heard = room_for(audience_, caller.viewer().get());
  if (const auto room = heard ? cells_.change(asked.size) : heard; !room) return refuse(caller, room.error(), finished);
  take_rest();
  backpressure_.release();
  if (const auto runner = std::exchange(runner_, nullptr)) runner->close(terminal_was_restarted());
  // At once: its last output must reach neither the next child's session nor one without a child.
  child_.discard();
  start_over();
  launch_config_.adopt(asked.cwd, asked.env, asked.size.cols, asked.size.rows);
  // The reply shows the terminal to its client, which goes by what it is sent here from then on.
  if (caller.viewer()) subscribe(caller.viewer()).is_opened = true;
  launch(launch_config_.shell(context_.settings()), MarkKind::restarted,
         [this, caller = std::move(caller), finished = std::move(finished)] {
           carry_out_safely(caller, [&] {
             reply_in_place(caller, {});
             audience_.pump(clock_.now());
           });
           finished();
         });
}

template <>
void Session::on(Caller caller, const Execute& asked, Finished finished) {
  if (const auto sensible = makes_sense(asked); !sensible) return refuse(caller, sensible.error(), finished);
  if (!is_live() && !(runner_ && runner_->has_untold_end() && is_poll(asked))) {
    const auto shells = shells_for(asked, context_.settings());
    if (!shells) return refuse(caller, shells.error(), finished);
    return start_for(std::move(caller), asked, *shells, std::move(finished));
  }
  if (!runner_) return refuse(caller, is_of_people(), finished);
  runner_->execute(asked, false, answer_of(std::move(caller)));
  finished();
}

/// Runs in a terminal that was made for it. One that turns out to be of no use is given up: AgentTerminal::refuse().
template <>
void Session::on(Caller caller, const Run& asked, Finished finished) {
  if (!is_blank() || !recorder_.is_blank())
    return refuse(caller, Error(Errc::busy, "A terminal of this name exists already"), finished);
  launch_config_.adopt(asked.cwd, {}, asked.size.cols, asked.size.rows);
  launch_config_.command_line = command_line_of(asked.command, asked.args);
  launch_config_.takes_input = asked.takes_input;
  program_ = std::make_shared<AgentTerminal>(
      AgentTerminal::Terminal{context_, key(), child_, recorder_, audience_, launch_config_,
                              [this](const std::function<void()>& work) { safely(work); }},
      caller, asked);
  const auto room = caller.is_cancelled() ? Result<void>(was_cancelled()) : cells_.change(asked.size);
  if (!room) {
    program_->refuse(room.error());
    return refuse(caller, room.error(), finished);
  }
  program_->keep(caller);
  source_.keep_bytes();
  launch(launch_spec(context_.settings().server_environment, asked), MarkKind::started,
         [this, caller = std::move(caller), finished = std::move(finished)] {
           carry_out_safely(caller, [&] { caller.reply(program_->started()); });
           finished();
         });
}

template <>
void Session::on(const Caller& caller, const Clear&) {
  const auto preamble = child_.is_running() ? mode_preamble(recorder_.screen()) : std::string();
  audience_.skip_to(recorder_.journal().head());
  recorder_.clear();
  launch_config_.updated_at = clock_.unix_now();
  activity_.on_clear();
  announce(MarkKind::cleared, preamble);
  caller.reply(Reply(Done{}));
}

template <>
void Session::on(const Caller& caller, const Write& asked) {
  if (child_.is_gone() && caller.is_agent()) return caller.reply(has_exited());
  // The reference takes what is typed after the exit, silently.
  if (child_.is_gone()) return caller.reply(Reply(Done{}));
  if (!child_.is_running()) return caller.reply(not_running(key()));
  if (const auto typed = typing_.type(asked.data); !typed) return caller.reply(typed.error());
  audience_.on_written(caller.viewer().get());
  if (runner_) runner_->on_others_typed();
  activity_.on_typed(asked.data, clock_.now());
  context_.expect_activity();
  caller.reply(Reply(Done{}));
}

template <>
void Session::on(const Caller& caller, const Resize& asked) {
  if (child_.is_gone() && caller.is_agent()) return caller.reply(has_exited());
  if (!child_.is_running()) return caller.reply(not_running(key()));
  if (const auto room = cells_.change(asked.size); !room) return caller.reply(room.error());
  typing_.change_size(asked.size);
  if (program_) program_->on_resized(asked.size);
  caller.reply(Reply(Done{}));
}

/// The answer takes no place in the output, for viewers and others alike.
template <>
void Session::on(const Caller& caller, const TakeSnapshot& asked) {
  if (waits_for_lines(caller, asked)) return;
  caller.reply(Reply(session_info().screen(asked)));
}

void Session::take_name(const std::string& name) {
  launch_config_.name = name;
  context_.delegate().broadcast(make_broadcast(key(), clock_.unix_now(), Renamed{name}));
}

/// The file is written before anything is told: a client that was answered finds the name again, whatever becomes of
/// the server.
template <>
void Session::on(const Caller& caller, const Rename& asked) {
  if (!is_listed()) return caller.reply(unknown_terminal(key()));
  const auto told = [weak = weak_from_this(), caller, name = asked.name](bool is_saved) {
    if (!is_saved) return caller.reply(Error(Errc::internal, "The name could not be written to the disk"));
    if (const auto self = weak.lock()) self->safely([&] { self->take_name(name); });
    caller.reply(Reply(Done{}));
  };
  const auto file = context_.settings().store.name_file_of(key());
  if (file.empty()) return told(true);
  context_.saving(key())(file, asked.name.empty() ? nullptr : std::make_shared<const std::string>(asked.name), told);
}

void Session::carry_out_now(Caller caller, const Request& request, Finished finished) {
  if (is_gone() || child_.is_ending())
    return refuse(caller, is_gone() ? unknown_terminal(key()) : server_is_ending(), finished);
  if (const auto allowed = admit(caller, request.row()); !allowed) return refuse(caller, allowed.error(), finished);
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (requires { on(caller, asked, finished); }) {
          const auto once = call_once(std::move(finished));
          if (!carry_out_safely(caller, [&] { on(caller, asked, once); })) once();
        } else if constexpr (ForProgram<Asked>) {
          carry_out_safely(caller, [&] {
            if (!program_) return caller.reply(unknown_terminal(key()));
            program_->carry_out(caller, request.command());
          });
          finished();
        } else if constexpr (ForSession<Asked>) {
          carry_out_safely(caller, [&] { on(caller, asked); });
          finished();
        } else {
          assert(false && "not for a session");
        }
      },
      request.command());
}

}  // namespace ptyd
