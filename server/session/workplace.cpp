#include "server/session/workplace.hpp"

#include <filesystem>

namespace ptyd {

Recorder::SaveFile Workplace::saving(const SessionKey& key) {
  return [this, thread_id = key.thread_id](const std::filesystem::path& file, Recorder::SharedText text,
                                           std::function<void(bool)> saved) {
    saves_++;
    settings_.files.run(
        loop_, thread_id, {}, [file, text = std::move(text)] { return Result<bool>(Store::save(file, *text)); },
        [this, saved = std::move(saved)](Result<bool> result) {
          saved(result && *result);
          if (--saves_ == 0) told_.all_saved();
        });
  };
}

}  // namespace ptyd
