// Which agent a command line starts.
#include "pty/process/command_identity.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

std::string typed(std::string_view line) {
  const auto kind = identify_typed(line);
  if (!kind) return "silent";
  return *kind == CliKind::none ? "other" : std::string(wire_name(*kind));
}

TEST(CommandIdentity, RecognisesAgentsHoweverTheyAreStarted) {
  for (const char* line :
       {"codex", "  codex  ", "codex-cli exec 'fix it'", "/usr/local/bin/codex", "./Codex.js", "sudo codex",
        "FOO=1 B='x y' codex", "command env A=b codex", "npx codex", "npx -y @openai/codex@latest", "bunx codex",
        "pnpm dlx @openai/codex", "npm exec codex", "cd /srv && codex", "\"codex\" --full-auto", "co\\dex"}) {
    EXPECT_EQ(typed(line), "codex") << line;
  }
  for (const char* line :
       {"claude", "claude-code", "claude_code", "npx @anthropic-ai/claude-code", "claude --resume", "CLAUDE"}) {
    EXPECT_EQ(typed(line), "claude") << line;
  }
}

TEST(CommandIdentity, KnowsLinesThatSayNothing) {
  for (const char* line : {"", "   ", "cd /srv", "ls -la", "ll", "pwd", "clear", "exit", "history 10", "export A=b",
                           "source x", ". x", "unset A", "alias l=ls", "sudo ls", "A=b", "sudo", "npx", "npx -y"}) {
    EXPECT_EQ(typed(line), "silent") << line;
  }
}

TEST(CommandIdentity, TakesEverythingElseForAnotherCommand) {
  for (const char* line :
       {"make", "vim claudette", "./ls2", "npx vite", "npm run codexx", "git commit -m 'x'", "claude.md"}) {
    EXPECT_EQ(typed(line), "other") << line;
  }
}

TEST(CommandIdentity, SplitsWordsLikeAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split_words("a  b\tc"), (Words{"a", "b", "c"}));
  EXPECT_EQ(split_words("'a b' \"c d\"e ''"), (Words{"a b", "c de", ""}));
  EXPECT_EQ(split_words("a\\ b \"x\\\"y\" 'p\\q'"), (Words{"a b", "x\"y", "p\\q"}));
  EXPECT_EQ(split_words("'never closed"), (Words{"never closed"}));
  EXPECT_EQ(split_words("\\"), (Words{"\\"}));
  EXPECT_EQ(split_words(""), Words{});
}

TEST(CommandIdentity, RecognisesProcesses) {
  EXPECT_EQ(identify_process("/usr/bin/codex --x"), CliKind::codex);
  EXPECT_EQ(identify_process("node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"), CliKind::claude);
  EXPECT_EQ(identify_process("node /x/node_modules/@openai/codex/bin/main.js"), CliKind::codex);
  EXPECT_EQ(identify_process("claude"), CliKind::claude);
  EXPECT_EQ(identify_process("vim notes-on-claude"), CliKind::none);
}

TEST(CommandIdentity, KnowsShellsAlsoAsLoginShells) {
  for (const char* line :
       {"bash", "-bash", "/bin/bash --norc", "-zsh", "/usr/bin/fish -l", "sh -c x", "tmux: server", "SH", "nu"}) {
    EXPECT_TRUE(is_shell_like(line)) << line;
  }
  for (const char* line : {"bashful", "vim bash", "python3 sh", "", "--bash"})
    EXPECT_FALSE(is_shell_like(line)) << line;
}

TEST(CommandIdentity, ReadsKindsInAnyCase) {
  EXPECT_EQ(cli_kind_from(" Codex\n"), CliKind::codex);
  EXPECT_EQ(cli_kind_from("CLAUDE"), CliKind::claude);
  EXPECT_EQ(cli_kind_from("gemini"), CliKind::none);
  EXPECT_EQ(cli_kind_from(""), CliKind::none);
}

}  // namespace
}  // namespace ptyd
