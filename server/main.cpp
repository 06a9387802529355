// ptyd: the program. Its first argument names the command.
#include <cstdio>
#include <exception>
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "server/app.hpp"
#include "server/cli/doctor.hpp"
#include "server/cli/drain.hpp"
#include "server/cli/health.hpp"
#include "server/config/config.hpp"
#include "server/init.hpp"

namespace {

constexpr const char* kUsage =
    "ptyd serves terminal sessions that outlive their clients.\n\n"
    "  ptyd serve [options]   run the server (ptyd serve --help)\n"
    "  ptyd doctor [options]  report what on this machine stands in the server's way; takes the options of serve\n"
    "  ptyd health [options]  ask the server of this --state-dir whether it is well; takes the options of serve\n"
    "  ptyd drain [--undo] [--wait] [options]\n"
    "                         make the server of this --state-dir take no connections and start no terminals, or do "
    "so\n"
    "                         again; --wait returns when the last terminal has ended; takes the options of serve\n"
    "  ptyd --version\n";

int serve(int argc, char** argv) {
  ptyd::stay_behind_as_init();
  auto config = ptyd::parse_serve(argc, argv);
  if (const auto* code = std::get_if<int>(&config)) return *code;
  return ptyd::serve(std::get<ptyd::ServeConfig>(std::move(config)));
}

/// Carries out a command that takes the options of serve.
int with_options(int argc, const char* const* argv, const std::function<int(const ptyd::ServeConfig&)>& command) {
  const auto config = ptyd::parse_serve(argc, argv);
  if (const auto* code = std::get_if<int>(&config)) return *code;
  return command(std::get<ptyd::ServeConfig>(config));
}

int drain(int argc, char** argv) {
  ptyd::DrainWish wish;
  std::vector<const char*> options;
  for (int i = 0; i < argc; i++)
    if (!wish.take(argv[i])) options.push_back(argv[i]);
  return with_options(static_cast<int>(options.size()), options.data(),
                      [&wish](const ptyd::ServeConfig& config) { return ptyd::drain(config, wish); });
}

int run(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "serve") return serve(argc - 1, argv + 1);
  if (command == "doctor") return with_options(argc - 1, argv + 1, ptyd::doctor);
  if (command == "health") return with_options(argc - 1, argv + 1, ptyd::health);
  if (command == "drain") return drain(argc - 1, argv + 1);
  if (command == "--version") return std::puts("ptyd " PTYD_VERSION) < 0;
  const bool asked = command == "--help" || command == "-h" || command == "help";
  std::fputs(kUsage, asked ? stdout : stderr);
  return asked ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ptyd: %s\n", error.what());
    return 1;
  }
}
