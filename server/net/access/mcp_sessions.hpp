// McpSessions: the clients of MCP that have shaken hands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace ptyd {

/// A session is a name and nothing else: terminals are not its own, and outlive it. No client is told when it ends; one
/// that finds it gone shakes hands again.
///
/// Thread  one.
class McpSessions {
 public:
  static constexpr std::size_t kMost = 1024;  ///< beyond it the longest unused ends; some 200 KB

  /// A new one; its name cannot be guessed.
  std::string begin();
  /// Whether there is one of this name; it is used now.
  bool use(const std::string& name);
  /// False when there is none.
  bool end(const std::string& name) { return last_uses_.erase(name) > 0; }

  std::size_t size() const { return last_uses_.size(); }

 private:
  std::unordered_map<std::string, std::uint64_t> last_uses_;  // by the count of all uses
  std::uint64_t uses_ = 0;
};

}  // namespace ptyd
