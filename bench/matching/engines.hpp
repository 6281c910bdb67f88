// SPDX-License-Identifier: BSL-1.0
// berth's own solvers as engines (case.hpp).
#pragma once

#include <bench/matching/absent_engine.hpp>
#if __has_include(<bench/matching/berth_assignment.hpp>)
#include <bench/matching/berth_assignment.hpp>
#else
namespace berth_bench {
using berth_assignment = absent_engine;
}
#endif
#if __has_include(<bench/matching/berth_positional.hpp>)
#include <bench/matching/berth_positional.hpp>
#else
namespace berth_bench {
using berth_positional = absent_engine;
}
#endif
#if __has_include(<bench/matching/berth_transport.hpp>)
#include <bench/matching/berth_transport.hpp>
#else
namespace berth_bench {
using berth_transport = absent_engine;
}
#endif
#if __has_include(<bench/matching/berth_collapse.hpp>)
#include <bench/matching/berth_collapse.hpp>
#else
namespace berth_bench {
using berth_collapsed_allox = absent_engine;
using berth_collapsed_records = absent_engine;
}  // namespace berth_bench
#endif
#if __has_include(<bench/matching/berth_task_flow.hpp>)
#include <bench/matching/berth_task_flow.hpp>
#else
namespace berth_bench {
using berth_task_flow = absent_engine;
}
#endif
