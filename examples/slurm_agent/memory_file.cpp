// SPDX-License-Identifier: BSL-1.0
#include "memory_file.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace slurm_agent {
namespace {

constexpr std::array<char, 8> magic{'b', 's', 'l', 'u', 'r', 'm', '1', '\n'};

struct closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using file = std::unique_ptr<std::FILE, closer>;

}  // namespace

bool write_memory(std::string const& path, memory const& what) {
  std::string const beside = path + ".new";
  // Names of users and jobs are in it: nobody else reads it.
  int const descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return false;
  }
  file out{::fdopen(descriptor, "wb")};
  if (out == nullptr) {
    ::close(descriptor);
    return false;
  }
  std::int64_t const taken = what.taken.time_since_epoch().count();
  bool fine = std::fwrite(magic.data(), 1, magic.size(), out.get()) == magic.size();
  fine = std::fwrite(&taken, sizeof taken, 1, out.get()) == 1 && fine;
  fine = std::fwrite(what.snapshot.data(), 1, what.snapshot.size(), out.get()) ==
             what.snapshot.size() &&
         fine;
  fine = std::fflush(out.get()) == 0 && ::fsync(descriptor) == 0 && fine;
  out.reset();
  return fine && std::rename(beside.c_str(), path.c_str()) == 0;
}

std::optional<memory> read_memory(std::string const& path) {
  file const in{std::fopen(path.c_str(), "rb")};
  if (in == nullptr) {
    return std::nullopt;
  }
  std::array<char, 8> head{};
  std::int64_t taken = 0;
  if (std::fread(head.data(), 1, head.size(), in.get()) != head.size() || head != magic ||
      std::fread(&taken, sizeof taken, 1, in.get()) != 1) {
    return std::nullopt;
  }
  memory made{berth::time_point{berth::duration{taken}}, {}};
  std::array<std::byte, 65'536> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), in.get())) > 0;) {
    made.snapshot.insert(made.snapshot.end(), part.begin(),
                         part.begin() + static_cast<std::ptrdiff_t>(got));
  }
  return made;
}

}  // namespace slurm_agent
