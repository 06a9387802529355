#include "server/session/recording/transcript_uses.hpp"

#include <algorithm>
#include <sstream>

#include "server/session/recording/store.hpp"

namespace ptyd {

namespace {

/// Begins the record, before the time; then a line for each transcript: since when, its stamp, its name.
constexpr const char* kTitle = "transcript-uses-1";

}  // namespace

TranscriptUses::TranscriptUses(const std::filesystem::path& file) {
  if (read(Store::load(file))) return;
  now_ = {};
  before_.clear();
}

/// False where it is damaged.
bool TranscriptUses::read(const std::string& text) {
  std::istringstream in(text);
  std::string title, name;
  Time::rep now = 0, since = 0;
  std::int64_t stamp = 0;
  if (!(in >> title >> now) || title != kTitle || now < 0) return false;
  now_ = Time(now);
  while (in >> since >> stamp >> name) {
    if (since < 0 || since > now) return false;
    before_[name] = {Time(since), stamp};
  }
  return in.eof();
}

TranscriptUses::Time TranscriptUses::note_unused(const std::string& name, std::int64_t stamp) {
  const auto known = before_.find(name);
  const bool is_the_same = known != before_.end() && known->second.stamp == stamp;
  const auto& noted = noted_[name] = is_the_same ? known->second : Unused{now_, stamp};
  return now_ - noted.since;
}

void TranscriptUses::save(const std::filesystem::path& file) const {
  std::ostringstream out;
  out << kTitle << ' ' << now_.count() << '\n';
  const auto is_blank = [](char each) { return each == ' ' || (each >= '\t' && each <= '\r'); };
  for (const auto& [name, unused] : noted_) {
    if (std::any_of(name.begin(), name.end(), is_blank)) continue;  // no name of ours
    out << unused.since.count() << ' ' << unused.stamp << ' ' << name << '\n';
  }
  if (noted_.empty()) {
    Store::remove_file(file);
  } else {
    Store::save(file, out.str());
  }
}

}  // namespace ptyd
