// SPDX-License-Identifier: BSL-1.0
// Nodes: from Slurm's to berth's, and which GPUs are which.
#include <berth/interop/fmt.hpp>

#include <algorithm>
#include <string_view>

#include "agent.hpp"

namespace slurm_agent {
namespace {

// A node's name as the number that berth keeps with it and a snapshot holds (FNV-1a). Never 0,
// which would say nothing.
std::uint64_t tag_of(std::string_view name) {
  std::uint64_t hash = 14695981039346656037u;
  for (char const c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return hash | 1u;
}

}  // namespace

// False if berth has to be told everything anew: a node of another size or with a GPU type that it
// does not know, or no room.
bool agent::mirror_nodes() {
  std::set<std::string> present;
  for (node_record const& seen : picture_.nodes) {
    present.insert(seen.name);
    if (auto const known = node_by_name_.find(seen.name); known != node_by_name_.end()) {
      tracked_node& node = nodes_[known->second];
      if (node.spec.gpus != seen.gpus) {
        return false;
      }
      mirror_node(node, seen);
      continue;
    }
    auto const type = types_->type_named(seen.gpu_type);
    if (!type) {
      return false;
    }
    berth::node_spec const spec{.gpus = seen.gpus,
                                .type = *type,
                                .health = seen.health,
                                .cpu_milli = seen.cpus * 1000,
                                .tag = tag_of(seen.name)};
    auto const added = engine_->add_node(spec, at_.now);
    if (!added) {
      log_.write(severity::error, "node_refused", "node={} error={}", seen.name,
                 journal::quoted(fmt::format("{}", added.error())));
      return false;
    }
    know_node(*added, spec, seen.name);
    mirror_node(nodes_.back(), seen);
  }
  for (tracked_node& node : nodes_) {
    if (!present.contains(node.name) && node.spec.health != berth::node_health::down) {
      set_health(node, berth::node_health::down);
    }
  }
  return true;
}

void agent::know_node(berth::node_id id, berth::node_spec const& spec, std::string const& name) {
  node_by_name_[name] = nodes_.size();
  nodes_.push_back({id, spec, name, {}, 0});
}

// Nodes of a restored scheduler, by their tags. False if they are not the nodes of Slurm.
bool agent::recognise_nodes() {
  nodes_.clear();
  node_by_name_.clear();
  berth::ledger const& books = engine_->books();
  for (std::uint32_t slot = 0; slot < books.node_slots(); ++slot) {
    berth::node_book const& book = books.node(slot);
    auto const seen = std::find_if(
        picture_.nodes.begin(), picture_.nodes.end(),
        [&](node_record const& record) { return tag_of(record.name) == book.spec.tag; });
    if (!book.exists || seen == picture_.nodes.end() || seen->gpus != book.spec.gpus) {
      return false;
    }
    know_node(books.id_of(slot), book.spec, seen->name);
    nodes_.back().lost = book.lost;
  }
  return mirror_nodes();
}

void agent::set_health(tracked_node& node, berth::node_health health) {
  node.spec.health = health;
  static constexpr std::string_view names[] = {"up", "draining", "down"};
  auto const done = engine_->set_node(node.id, health, at_.now);
  log_.write(done ? severity::info : severity::error, "node", "node={} health={}", node.name,
             names[static_cast<std::size_t>(health)]);
}

void agent::mirror_node(tracked_node& node, node_record const& seen) {
  if (node.spec.health != seen.health) {
    set_health(node, seen.health);
  }
  berth::gpu_mask withdrawn = seen.foreign;
  for (job_record const& job : picture_.jobs) {
    for (held_gpus const& part : job.gpus) {
      withdrawn |= strangers_.contains(job.number) && part.node == node.name ? part.gpus : 0;
    }
  }
  berth::gpu_mask const lost = node.numbers.to_berth(withdrawn);
  if (node.lost != lost) {
    node.lost = lost;
    auto const done = engine_->set_lost_gpus(node.id, lost, at_.now);
    log_.write(done ? severity::info : severity::error, "foreign_gpus", "node={} gpus={:#x}",
               node.name, withdrawn);
  }
}

agent::shares agent::shares_of(berth::job_id job, berth::booking_kind kind) const {
  shares found;
  auto const add = [&](berth::booking const& line) { found[line.node] |= line.gpus; };
  if (kind == berth::booking_kind::hold) {
    engine_->books().for_each_hold(job.slot(), add);
  } else {
    engine_->books().for_each_earmark(job.slot(), add);
  }
  return found;
}

bool agent::sits_where_berth_has_it(tracked_job const& job, job_record const& seen) const {
  shares const held = shares_of(job.id, berth::booking_kind::hold);
  if (held.size() != seen.gpus.size()) {
    return false;
  }
  return std::all_of(seen.gpus.begin(), seen.gpus.end(), [&](held_gpus const& part) {
    auto const node = node_by_name_.find(part.node);
    auto const line = node == node_by_name_.end()
                          ? held.end()
                          : held.find(static_cast<std::uint32_t>(node->second));
    return line != held.end() && berth::gpu_count(line->second) == berth::gpu_count(part.gpus);
  });
}

// Precondition: sits_where_berth_has_it.
void agent::learn_numbers(tracked_job const& job, job_record const& seen) {
  shares const held = shares_of(job.id, berth::booking_kind::hold);
  for (held_gpus const& part : seen.gpus) {
    std::size_t const node = node_by_name_.at(part.node);
    nodes_[node].numbers.learn(held.at(static_cast<std::uint32_t>(node)), part.gpus);
  }
}

}  // namespace slurm_agent
