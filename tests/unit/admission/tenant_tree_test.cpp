// SPDX-License-Identifier: BSL-1.0
// Quotas, what is lent of them, and who may take what back.
#include <berth/admission/tenant_spec.hpp>
#include <berth/admission/tenant_tree.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace tenant_tree_test {

namespace {

using berth::errc;
using berth::field;
using berth::tenant_id;
using berth::tenant_spec;
using berth::tenant_tree;

constexpr tenant_id a{0};
constexpr tenant_id b{1};
constexpr tenant_id c{2};

tenant_tree tree_of(std::vector<tenant_spec> const& queues, int gpus = 100) {
  auto made = tenant_tree::of(queues);
  REQUIRE(made);
  made->begin(gpus);
  return *made;
}

}  // namespace

TEST_CASE("tenant tree: what is no tree is refused") {
  auto const refusal = [](std::vector<tenant_spec> const& queues) {
    auto const made = tenant_tree::of(queues);
    REQUIRE_FALSE(made);
    return made.error();
  };
  CHECK(refusal({}).code == errc::zero_or_negative);
  CHECK(refusal({{.nominal = -1}}).where == field::gpus);
  CHECK(refusal({{.borrowing = -1}}).where == field::gpus);
  CHECK(refusal({{.lending = berth::max_quota + 1}}).where == field::gpus);
  CHECK(refusal({{.weight = -1}}).where == field::weight);
  CHECK(refusal({{.parent = a}}).code == errc::inconsistent);
  CHECK(refusal({{}, {.parent = c}, {}}).code == errc::inconsistent);
  CHECK(refusal({{}, {.parent = a}, {.parent = b}, {.parent = c}, {.parent = tenant_id{3}}}).code ==
        errc::inconsistent);
}

TEST_CASE("tenant tree: its own quota covers a job, then that of the queue above, then nothing") {
  tenant_tree tree = tree_of({{.nominal = 2}, {.nominal = 4, .parent = a}, {.nominal = 1}});
  CHECK(tree.standing(b, 4).source == 3);
  CHECK_FALSE(tree.standing(b, 4).borrows);
  CHECK(tree.standing(b, 5).source == 1);
  CHECK(tree.standing(b, 6).source == 1);
  CHECK(tree.standing(b, 7).source == 0);
  CHECK(tree.standing(b, 5).borrows);
  tree.add(b, 4);
  CHECK(tree.standing(b, 2).source == 1);
  CHECK(tree.standing(b, 3).source == 0);
  CHECK(tree.used_by(a) == 0);
  CHECK(tree.used_below(a) == 4);
}

TEST_CASE("tenant tree: what is added and taken away leaves no trace") {
  tenant_tree tree = tree_of({{.nominal = 4, .borrowing = 2, .lending = 1},
                              {.nominal = 4, .lending = 2, .parent = a},
                              {.nominal = 3}});
  tree.add(b, 3);
  bool const before = tree.may_borrow(b, 3);
  auto const rank = tree.rank(b, 3);
  tree.add(b, 5);
  tree.add(b, -5);
  CHECK(tree.may_borrow(b, 3) == before);
  CHECK(tree.rank(b, 3) == rank);
}

TEST_CASE("tenant tree: a queue borrows up to its limit, and so does the queue above it") {
  tenant_tree tree =
      tree_of({{.nominal = 2, .borrowing = 3}, {.nominal = 4, .borrowing = 4, .parent = a}});
  CHECK(tree.may_borrow(b, 8));  // 4 + 4, which is 2 beyond the six of the branch
  CHECK_FALSE(tree.may_borrow(b, 9));
  tree.add(a, 2);
  CHECK(tree.may_borrow(b, 7));  // the branch: 9 of 6 + 3
  CHECK_FALSE(tree.may_borrow(b, 8));
}

TEST_CASE("tenant tree: what a queue does not lend is kept for it") {
  tenant_tree tree = tree_of({{.nominal = 6, .lending = 2}, {.nominal = 0}}, 8);
  CHECK(tree.may_borrow(b, 4));  // 8 - 4 kept back
  CHECK_FALSE(tree.may_borrow(b, 5));
  tree.add(a, 4);  // what it kept back is in use, and not its neighbour's affair
  CHECK(tree.may_borrow(b, 4));
  tree.add(a, 1);
  CHECK(tree.may_borrow(b, 3));
  CHECK_FALSE(tree.may_borrow(b, 4));
}

TEST_CASE("tenant tree: without a lending limit the cluster alone says how much there is to lend") {
  tenant_tree const tree = tree_of({{.nominal = 6}, {.nominal = 0}}, 8);
  CHECK(tree.may_borrow(b, 1000));
}

TEST_CASE("tenant tree: a job takes back what is borrowed from above them both, nothing else") {
  // a: a company of b and c; d stands alone.
  tenant_tree const tree = tree_of(
      {{.nominal = 0}, {.nominal = 4, .parent = a}, {.nominal = 4, .parent = a}, {.nominal = 4}});
  constexpr tenant_id d{3};
  CHECK(tree.reclaims(b, 3, c, 1));        // c has what the company lends
  CHECK(tree.reclaims(b, 3, c, 0));        // c has what the cluster lends
  CHECK_FALSE(tree.reclaims(b, 3, c, 3));  // c has its own
  CHECK_FALSE(tree.reclaims(b, 1, c, 1));  // neither is within its own
  CHECK(tree.reclaims(d, 2, c, 0));
  CHECK_FALSE(tree.reclaims(d, 2, c, 1));  // within the company is within quota to others
  CHECK(tree.reclaims(b, 1, d, 0));        // and takes back as such
  CHECK_FALSE(tree.reclaims(b, 0, d, 0));
}

TEST_CASE("tenant tree: a changed quota keeps what is used") {
  tenant_tree tree = tree_of({{.nominal = 2}, {.nominal = 4, .parent = a}});
  tree.add(b, 4);
  tree.set(b, {.nominal = 1, .borrowing = 5, .parent = a});
  CHECK(tree.used_by(b) == 4);
  CHECK_FALSE(tree.is_within_own(b, 0));
  CHECK(tree.may_borrow(b, 2));  // 1 + 5
  CHECK_FALSE(tree.may_borrow(b, 3));
}

}  // namespace tenant_tree_test
