// SPDX-License-Identifier: BSL-1.0
// berth.h: texts, defaults, and the life of a scheduler.
#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/name_sketch.hpp>
#include <berth/model/rung.hpp>
#include <berth/version.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "convert.hpp"
#include "handles.hpp"
#include "sized.hpp"
#include "status.hpp"

#define BERTH_C_TEXT(number) #number
#define BERTH_C_VERSION(major, minor, patch) \
  BERTH_C_TEXT(major) "." BERTH_C_TEXT(minor) "." BERTH_C_TEXT(patch)

BERTH_NAMESPACE_BEGIN
namespace c_api {
namespace {

struct preset {
  std::string_view name;
  made_host (*make)(cluster const&, scheduler_config const&);
};
constexpr std::array presets{preset{"fifo", make_fifo},
                             preset{"easy_backfill", make_easy_backfill},
                             preset{"shortest_remaining", make_shortest_remaining},
                             preset{"tiresias", make_tiresias},
                             preset{"pickyman", make_pickyman},
                             preset{"deepboot", make_deepboot},
                             preset{"pollux", make_pollux},
                             preset{"optimus", make_optimus},
                             preset{"afs", make_afs},
                             preset{"lyra", make_lyra}};

berth_status read_nodes(berth_config const& given, cluster& nodes) {
  if (given.node_count == 0) {
    return BERTH_OK;
  }
  if (given.nodes == nullptr) {
    return BERTH_NULL_POINTER;
  }
  if (!is_size_of<berth_node>(given.node_size)) {
    return BERTH_BAD_SIZE;
  }
  // Before the array is read: a wild count must not lead beyond it.
  if (given.node_count > given.max_nodes) {
    return status(BERTH_CAPACITY_EXCEEDED, field::max_nodes);
  }
  for (std::uint32_t i = 0; i < given.node_count; ++i) {
    berth_node node = default_node();
    berth_node const* const at = element(given.nodes, i, given.node_size);
    if (size_at(at) != given.node_size) {
      return BERTH_BAD_SIZE;
    }
    if (auto const read = read_struct(at, node); read != BERTH_OK) {
      return read;
    }
    auto const spec = node_of(node);
    if (!spec) {
      return status_of(spec);
    }
    if (auto const added = nodes.add(*spec); !added) {
      return status_of(added);
    }
  }
  return BERTH_OK;
}

berth_status create(berth_config const& given, berth_scheduler** made) {
  if (given.preset == nullptr) {
    return BERTH_NULL_POINTER;
  }
  auto const* const wanted =
      std::ranges::find(presets, std::string_view{given.preset}, &preset::name);
  if (wanted == presets.end()) {
    return BERTH_UNKNOWN_PRESET;
  }
  auto const config = config_of(given);
  if (!config) {
    return status_of(config);
  }
  cluster nodes{std::vector<std::string>(given.gpu_types, "gpu")};
  if (auto const read = read_nodes(given, nodes); read != BERTH_OK) {
    return read;
  }
  auto scheduler = wanted->make(nodes, *config);
  if (!scheduler) {
    return status_of(scheduler);
  }
  berth_scheduler* const handle =
      open_handle({std::move(scheduler).value(), {}, std::vector<rung>(config->max_rungs)});
  if (handle == nullptr) {
    return BERTH_TOO_MANY_SCHEDULERS;
  }
  *made = handle;
  return BERTH_OK;
}

char const* text_of(std::int32_t code) noexcept {
  switch (code) {
    case BERTH_OK: return "fine";
    case BERTH_BAD_HANDLE: return "no such scheduler: null, foreign or destroyed";
    case BERTH_NULL_POINTER: return "a null pointer where something must be read or written";
    case BERTH_BAD_SIZE: return "a struct of a size that this library does not know";
    case BERTH_BUFFER_TOO_SMALL: return "the buffer is too small";
    case BERTH_UNKNOWN_PRESET: return "no preset of this name";
    case BERTH_BUSY: return "another call on this scheduler is under way";
    case BERTH_PLAN_PENDING: return "the last plan has not been taken: tick again with more room";
    case BERTH_TOO_MANY_SCHEDULERS: return "too many schedulers are alive";
    case BERTH_OUT_OF_MEMORY: return "out of memory";
    case BERTH_INTERNAL: return "a bug of berth";
    case BERTH_INVARIANT_BROKEN: return "an invariant is broken: a bug of berth";
    default: break;
  }
  for (int known = 0; known <= static_cast<int>(errc::bad_data); ++known) {
    if (code_of(static_cast<errc>(known)) == code) {
      return to_string(static_cast<errc>(known));
    }
  }
  return "?";
}

}  // namespace
}  // namespace c_api
BERTH_NAMESPACE_END

using namespace berth;
using namespace berth::c_api;

char const* berth_code_text(int32_t code) {
  return text_of(code);
}

char const* berth_field_name(int32_t where) {
  return where >= 0 && where <= 0xff ? to_string(static_cast<field>(where)) : "?";
}

berth_status berth_status_text(berth_status status, char* text, size_t capacity, size_t* needed) {
  return guarded([&] {
    std::string_view const what = text_of(BERTH_CODE(status));
    std::string_view const where = berth_field_name(BERTH_FIELD(status));
    std::array<char, 256> whole{};
    std::size_t length = where.copy(whole.data(), whole.size() / 2);
    if (length != 0) {
      length += std::string_view{": "}.copy(whole.data() + length, 2);
    }
    length += what.copy(whole.data() + length, whole.size() - length);
    return copy_text({whole.data(), length}, text, capacity, needed);
  });
}

char const* berth_version(void) {
  return BERTH_C_VERSION(BERTH_VERSION_MAJOR, BERTH_VERSION_MINOR, BERTH_VERSION_PATCH);
}

berth_status berth_node_init(berth_node* node, size_t size) {
  return init_struct(default_node(), node, size);
}
berth_status berth_config_init(berth_config* config, size_t size) {
  return init_struct(default_config(), config, size);
}
berth_status berth_job_init(berth_job* job, size_t size) {
  return init_struct(default_job(), job, size);
}
berth_status berth_event_init(berth_event* event, size_t size) {
  return init_struct(default_event(), event, size);
}
berth_status berth_plan_init(berth_plan* plan, size_t size) {
  return init_struct(default_plan(), plan, size);
}
berth_status berth_job_info_init(berth_job_info* info, size_t size) {
  return init_struct(berth_job_info{}, info, size);
}

uint64_t berth_name_sketch(char const* name) {
  return name == nullptr ? 0 : sketch(name);
}

berth_status berth_create(berth_config const* config, berth_scheduler** made) {
  return guarded([&]() -> berth_status {
    berth_config given = default_config();
    if (auto const read = read_struct(config, given); read != BERTH_OK) {
      return read;
    }
    return made == nullptr ? BERTH_NULL_POINTER : create(given, made);
  });
}

berth_status berth_destroy(berth_scheduler* scheduler) {
  hold held{scheduler};
  if (held.status() == BERTH_OK) {
    held.close();
  }
  return held.status();
}
