// bench_client SCENARIO --port N --pid PID [options]: measures one running server, and prints one line of JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <map>

#include "tests/bench/instrument/scenarios.hpp"

int main(int argc, char** argv) {
  using namespace ptyd::bench;
  const std::map<std::string, void (*)(const Server&, const Asked&, Result&)> scenarios{
      {"throughput", throughput}, {"latency", latency}, {"slow", slow}, {"idle", idle}, {"spawn", spawn}};
  std::string scenario;
  Server server;
  Asked asked;
  CLI::App app("Measures a server that runs bench_program in each session.");
  app.add_option("scenario", scenario)->required()->check(CLI::IsMember(scenarios));
  app.add_option("--port", server.port)->required();
  app.add_option("--pid", server.pid)->required();
  app.add_option("--sessions", asked.sessions)->check(CLI::PositiveNumber);
  app.add_option("--keys", asked.keys)->check(CLI::PositiveNumber);
  app.add_option("--at-once", asked.at_once)->check(CLI::PositiveNumber);
  app.add_option("--seconds", asked.seconds)->check(CLI::PositiveNumber);
  app.add_option("--file", asked.file)->check(CLI::ExistingFile);
  app.add_flag("--floods", asked.floods);
  CLI11_PARSE(app, argc, argv);
  try {
    Result result;
    scenarios.at(scenario)(server, asked, result);
    std::puts(result.json().c_str());
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", scenario.c_str(), problem.what());
    return 1;
  }
}
