#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Plants one bug after the other into a copy of the headers and runs the test that must notice it.
#   tests/bugs/run.sh [C++ compiler]      prints caught/total; exit status 1 if a bug goes unnoticed
# Not part of ctest: it builds the test once per bug. A patch that no longer applies counts as missed.
set -u
compiler=${1:-${CXX:-c++}}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# 0 if the test passes with these headers, 1 if it fails, 2 if it does not build.
try() {
  $compiler -std=c++20 -O1 -DBERTH_DATA_DIR='""' -I"$1/include" -I"$root" \
    "$root/tests/differential/matching_gap_test.cpp" "$root/tests/main.cpp" -o "$scratch/gap" \
    >"$scratch/log" 2>&1 || return 2
  timeout 120 "$scratch/gap" >"$scratch/log" 2>&1 || return 1
}

try "$root" || { echo "the test fails without any bug"; cat "$scratch/log"; exit 2; }
total=0
caught=0
for patch in "$here"/*.patch; do
  name=$(basename "$patch" .patch)
  total=$((total + 1))
  rm -rf "$scratch/copy"
  mkdir "$scratch/copy" && cp -R "$root/include" "$scratch/copy/"
  if ! (cd "$scratch/copy" && patch -s -p1 <"$patch"); then
    echo "$name: does not apply"
    continue
  fi
  try "$scratch/copy"
  case $? in
    1) caught=$((caught + 1)); echo "$name: caught" ;;
    0) echo "$name: NOT caught" ;;
    *) echo "$name: does not build"; tail -5 "$scratch/log" ;;
  esac
done
echo "caught $caught/$total"
[ "$caught" -eq "$total" ]
