// SPDX-License-Identifier: BSL-1.0
// What a fragment of the documentation may take for granted. A block that contains a main() is
// compiled without this file, exactly as it stands.
#pragma once

#include <berth/berth.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
