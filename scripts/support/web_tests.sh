#!/usr/bin/env bash
# web_tests.sh unit|browser FILE: the page's own tests, their results as JUnit in FILE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../web"
export PTYD_BIN=${PTYD_BIN:-$PWD/../build/release/ptyd}
npx vitest run --project "$1" --reporter=default --reporter=junit --outputFile.junit="$2"
