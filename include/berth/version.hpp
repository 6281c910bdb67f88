// SPDX-License-Identifier: BSL-1.0
// The one place where the version stands. CMake, pkg-config and CHANGELOG are checked against it.
#pragma once

#define BERTH_VERSION_MAJOR 0
#define BERTH_VERSION_MINOR 1
#define BERTH_VERSION_PATCH 0
