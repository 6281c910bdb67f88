#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# pkg_config.sh COMPILER PREFIX SOURCE FOLDER VERSION: a consumer that knows nothing of CMake.
set -eu
PKG_CONFIG_PATH="$2/share/pkgconfig"
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion berth)" = "$5" ]
if pkg-config --exists "berth > $5"; then
  echo "a version that does not exist is reported as present" >&2
  exit 1
fi
# shellcheck disable=SC2046  # the flags are several words
"$1" -std=c++20 $(pkg-config --cflags berth) "$3" -o "$4/pkg_config_consumer"
"$4/pkg_config_consumer" "$5"
