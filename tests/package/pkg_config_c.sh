#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# pkg_config_c.sh COMPILER PREFIX SOURCE FOLDER VERSION: a host in C, by the shared and the static library.
set -eu
PKG_CONFIG_PATH="$2/share/pkgconfig"
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion berth_c)" = "$5" ]
libraries=$(pkg-config --variable=libdir berth_c)
# shellcheck disable=SC2046  # the flags are several words
"$1" -std=c99 $(pkg-config --cflags berth_c) "$3" $(pkg-config --libs berth_c) -o "$4/shared_c_consumer"
LD_LIBRARY_PATH="$libraries" "$4/shared_c_consumer"
# shellcheck disable=SC2046
"$1" -std=c99 $(pkg-config --cflags berth_c) "$3" "$libraries/libberth_c.a" -lstdc++ -lm \
  -o "$4/static_c_consumer"
"$4/static_c_consumer"
