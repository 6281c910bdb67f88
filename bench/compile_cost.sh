#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# compile_cost.sh COMPILER: how long a user's file takes to compile. Printed, never asserted: a machine's
# seconds are not a property of the code. What is asserted is tests/lint/preprocessed_lines.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#include <berth/berth.hpp>\nint main() {}\n' >"$scratch/umbrella.cpp"
cp examples/quickstart.cpp "$scratch/quickstart.cpp" # the default scheduler, instantiated
TIMEFORMAT='%U s user, %S s system'
for file in umbrella quickstart; do
  for level in -O0 -O2; do
    printf 'compile_cost %-10s %s ' "$file" "$level"
    time "$1" -std=c++20 "$level" -Iinclude -c "$scratch/$file.cpp" -o "$scratch/$file.o"
  done
done
