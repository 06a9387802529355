#include "server/session/context/session_context.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace ptyd {

Checkpoint::SaveFile SessionContext::saving(const SessionKey& key) {
  return [this, thread_id = key.thread_id](const std::filesystem::path& file, Checkpoint::SharedText text,
                                           std::function<void(bool)> saved) {
    saves_++;
    auto patience = patience_with(text == nullptr);
    settings_.files.run(
        loop_, thread_id, std::move(patience),
        [file, text = std::move(text)] {
          return Result<bool>(text ? Store::save(file, *text) : Store::remove_file(file));
        },
        [this, saved = std::move(saved)](Result<bool> result) {
          const bool is_done = result && *result;
          totals_.disk_errors += is_done ? 0 : 1;
          saved(is_done);
          if (--saves_ == 0) callbacks_.all_saved();
        });
  };
}

BlockingPool::Patience SessionContext::patience_with(bool stays) const {
  return {settings_.file_patience, Error(Errc::internal, "The disk with the parked screens did not answer"), false,
          stays};
}

Checkpoint::LoadFile SessionContext::loading(const SessionKey& key) {
  return [this, thread_id = key.thread_id](const std::filesystem::path& file, std::function<void(std::string)> loaded) {
    settings_.files.run(
        loop_, thread_id, patience_with(false), [file] { return Result<std::string>(Store::load(file)); },
        [this, loaded = std::move(loaded)](Result<std::string> text) {
          totals_.disk_errors += text && !text->empty() ? 0 : 1;
          loaded(text ? std::move(*text) : std::string());
        });
  };
}

}  // namespace ptyd
