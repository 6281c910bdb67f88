#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# run_without_rights.sh SOURCE_FOLDER: `./run` on a machine that lacks everything and lets it install
# nothing must name what is missing, print the command, and fail without having tried.
set -eu
run=$1/run
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
for tool in sh awk find grep head getconf dirname cat env; do
  ln -s "$(command -v "$tool")" "$bin/$tool"
done

fake() { # NAME COMMAND
  printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}

expect() { # STATUS WORDS: of `./run test`
  status=0
  output=$(CXX='' PATH="$bin" "$run" test 2>&1) || status=$?
  case $status,$output in
    "$1",*"$2"*) ;;
    *)
      echo "expected status $1 and the words: $2" >&2
      echo "got status $status and: $output" >&2
      exit 1
      ;;
  esac
}

fake id 'echo 1000'
fake true :
expect 1 'missing: CMake 3.25 or later'
expect 1 'no package manager that this script knows'
fake apt-get "echo called >'$bin/called'"
expect 1 'sudo apt-get install -y --no-install-recommends g++ cmake ninja-build'
fake sudo 'exit 1' # it would ask for a password
expect 1 'sudo apt-get install -y --no-install-recommends g++ cmake ninja-build'
if [ -e "$bin/called" ]; then
  echo "apt-get was called without the right to" >&2
  exit 1
fi
# shellcheck disable=SC2016  # for the fake to expand
fake sudo '[ "$1" = -n ] && shift; exec "$@"'
expect 1 'still missing: CMake 3.25 or later' # sudo works, but nothing gets installed
if [ ! -e "$bin/called" ]; then
  echo "apt-get was not called with the right to" >&2
  exit 1
fi
rm "$bin/apt-get" "$bin/sudo"
fake dnf 'exit 1'
expect 1 'dnf install -y gcc-c++ cmake'
