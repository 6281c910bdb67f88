// SPDX-License-Identifier: BSL-1.0
// The program of every consumer: it runs, and it got the version it was built for.
#include <berth/core/ids.hpp>
#include <berth/version.hpp>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  char version[64];
  std::snprintf(version, sizeof version, "%d.%d.%d", BERTH_VERSION_MAJOR, BERTH_VERSION_MINOR,
                BERTH_VERSION_PATCH);
  std::printf("berth %s, job %llu\n", version,
              static_cast<unsigned long long>(berth::job_id{1, 0}.value()));
  return argc == 2 && std::strcmp(argv[1], version) == 0 ? 0 : 1;
}
