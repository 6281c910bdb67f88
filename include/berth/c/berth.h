// SPDX-License-Identifier: BSL-1.0
// berth for any language that can call C (C99): docs/c_api.md tells it as a story.
//
// Memory   The library keeps no pointer that it was given: strings and arrays are copied inside the
//          call. What it answers goes into the caller's memory. Texts that it returns by pointer
//          are constants. It allocates in berth_create alone, and frees in berth_destroy.
// Sizes    Every struct begins with its size, as the caller was compiled: the init functions set
//          it. Structs grow at their end, and a library takes the sizes of older headers.
// Errors   Every call that can fail returns a berth_status: 0, or a code and the field that is to
//          blame. A refused call has changed nothing, and no memory of the caller but where it says
//          so. Nothing is thrown, whatever happens inside.
// Threads  Schedulers are independent. Calls on one of them must not overlap; one that does is
//          refused with BERTH_BUSY. Functions without a scheduler may be called from anywhere.
// Time     Milliseconds on a clock of the caller, which never goes back.
#ifndef BERTH_C_BERTH_H
#define BERTH_C_BERTH_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BERTH_C_API __attribute__((visibility("default")))
#else
#define BERTH_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- errors ----

/// 0 (BERTH_OK), or the code in bits 0..7 and the field in bits 8..15.
typedef int32_t berth_status;

#define BERTH_CODE(status) ((status)&0xff)
#define BERTH_FIELD(status) (((status) >> 8) & 0xff)

/// Codes are never renumbered.
enum {
  BERTH_OK = 0,
  // What a scheduler refuses: berth/core/error.hpp.
  BERTH_UNKNOWN_JOB = 1,
  BERTH_STALE_JOB = 2,
  BERTH_UNKNOWN_NODE = 3,
  BERTH_STALE_NODE = 4,
  BERTH_STALE_RUN = 5,
  BERTH_WRONG_STATE = 6,
  BERTH_NOT_HELD = 7,
  BERTH_ZERO_OR_NEGATIVE = 8,
  BERTH_BAD_NUMBER = 9,
  BERTH_GANG_NEVER_FITS = 10,
  BERTH_UNKNOWN_GPU_TYPE = 11,
  BERTH_UNKNOWN_TENANT = 12,
  BERTH_INCONSISTENT = 13,
  BERTH_TIME_WENT_BACK = 14,
  BERTH_DUPLICATE_NODE = 15,
  BERTH_NODE_IN_USE = 16,
  BERTH_CAPACITY_EXCEEDED = 17,
  BERTH_BAD_CONFIG = 18,
  BERTH_BAD_DATA = 19,
  // What this interface refuses.
  BERTH_BAD_HANDLE = 64,        ///< null, never given out, or destroyed
  BERTH_NULL_POINTER = 65,      ///< where something must be read or written
  BERTH_BAD_SIZE = 66,          ///< a struct whose size is of no header up to this library's
  BERTH_BUFFER_TOO_SMALL = 67,  ///< how much is needed has been written where the call says
  BERTH_UNKNOWN_PRESET = 68,
  BERTH_BUSY = 69,                 ///< another call on this scheduler is under way
  BERTH_PLAN_PENDING = 70,         ///< the last plan did not fit; berth_tick again takes it
  BERTH_TOO_MANY_SCHEDULERS = 71,  ///< 1024 are alive in this process
  BERTH_OUT_OF_MEMORY = 72,
  BERTH_INTERNAL = 73,         ///< a bug of berth
  BERTH_INVARIANT_BROKEN = 74  ///< a bug of berth, found by berth_check_invariants
};

/// Text of a code, such as "must be positive"; "?" if there is no such code.
BERTH_C_API char const* berth_code_text(int32_t code);
/// Name of a field, such as "gang"; "" of none. Compare names: the numbers may change.
BERTH_C_API char const* berth_field_name(int32_t field);
/// "gang: must be positive". `needed` (may be null): bytes of the text with its final zero.
BERTH_C_API berth_status berth_status_text(berth_status status, char* text, size_t capacity,
                                           size_t* needed);
/// "0.1.0"
BERTH_C_API char const* berth_version(void);

// ---- words ----

#define BERTH_NEVER INT64_MAX    ///< of an instant: never, or unknown
#define BERTH_FOREVER INT64_MAX  ///< of a duration: without end, or unknown
#define BERTH_NOT_SAID INT64_C(-1)
#define BERTH_ANY_TYPE UINT32_C(0xffff)
#define BERTH_NULL_ID UINT64_C(0xffffffff)  ///< a job or node that is nobody

enum { BERTH_EXPLICIT_REPORTS = 0, BERTH_IMPLICIT = 1 };  // berth_config::acknowledge
enum { BERTH_ACCEPT_IMPOSSIBLE = 0, BERTH_REFUSE_IMPOSSIBLE = 1 };
enum { BERTH_POOL_TRAINING = 0, BERTH_POOL_INFERENCE = 1 };
enum { BERTH_NODE_UP = 0, BERTH_NODE_DRAINING = 1, BERTH_NODE_DOWN = 2 };
enum { BERTH_PREFER_TOGETHER = 0, BERTH_SAME_NODE = 1, BERTH_ONE_PER_NODE = 2 };
enum { BERTH_MODE_BOUNDARY = 0, BERTH_MODE_CHECKPOINT = 1, BERTH_MODE_KILL = 2 };
enum { BERTH_FINISHED = 0, BERTH_FAILED = 1 };
enum { BERTH_BORROW_NONE = 0, BERTH_BORROW_EXTRA = 1, BERTH_BORROW_ALL = 2 };

/// A scheduler, as a number in the guise of a pointer: it is looked up, and points to nothing.
typedef struct berth_scheduler berth_scheduler;

// ---- nodes and configuration ----

/// berth/model/node.hpp tells the members.
typedef struct berth_node {
  uint32_t size;
  int32_t gpus;  ///< 0..64
  int32_t type;  ///< below berth_config::gpu_types
  uint32_t rack;
  int32_t pool;
  int32_t health;
  int64_t cpu_milli;
  int64_t memory_mib;
  uint64_t tag;
} berth_node;
BERTH_C_API berth_status berth_node_init(berth_node* node, size_t size);

/// berth/scheduler/config.hpp tells the members.
typedef struct berth_config {
  uint32_t size;
  uint32_t gpu_types;  ///< how many there are, 1..16
  /// "fifo", "easy_backfill", "shortest_remaining", "tiresias" or "pickyman"; or one that sizes
  /// elastic jobs: "deepboot", "pollux", "optimus", "afs" or "lyra".
  char const* preset;
  berth_node const* nodes;  ///< the i-th gets the id i
  uint32_t node_count;
  uint32_t node_size;  ///< sizeof(berth_node)
  uint32_t max_jobs;
  uint32_t max_nodes;
  uint32_t max_gpus;
  uint32_t max_tenants;
  uint32_t look_ahead;
  int32_t acknowledge;
  int32_t impossible;
  uint32_t failure_limit;
  int64_t earmark_expiry;
  int64_t minimum_run;
  int64_t retry_base;
  int64_t retry_cap;
  int64_t horizon;
  int32_t retry_factor;
  uint32_t reserved;  ///< 0
  int64_t borrow_again_after;
  uint32_t max_rungs;
  uint32_t reserved_too;  ///< 0
} berth_config;
BERTH_C_API berth_status berth_config_init(berth_config* config, size_t size);

/// Writes the handle to `*made`. Errors: unknown preset, bad config, and what a node may be refused
/// for.
BERTH_C_API berth_status berth_create(berth_config const* config, berth_scheduler** made);
/// The handle is stale from then on, and every call with it refused.
BERTH_C_API berth_status berth_destroy(berth_scheduler* scheduler);

/// `id` (may be null) is the node's name from then on.
BERTH_C_API berth_status berth_add_node(berth_scheduler* scheduler, berth_node const* node,
                                        int64_t now, uint64_t* id);
BERTH_C_API berth_status berth_remove_node(berth_scheduler* scheduler, uint64_t node, int64_t now);
BERTH_C_API berth_status berth_set_node(berth_scheduler* scheduler, uint64_t node, int32_t health,
                                        int64_t now);
/// Exactly the GPUs of the mask are withdrawn; bit i = GPU i.
BERTH_C_API berth_status berth_set_lost_gpus(berth_scheduler* scheduler, uint64_t node,
                                             uint64_t lost, int64_t now);
BERTH_C_API berth_status berth_set_capacity(berth_scheduler* scheduler, uint64_t node, int32_t gpus,
                                            int64_t now);

// ---- jobs ----

/// berth/model/job_spec.hpp tells the members.
typedef struct berth_job {
  uint32_t size;
  int32_t gang;
  int32_t min_gang;
  int32_t gpus_per_member;
  int32_t role_members[4];  ///< if [0] > 0, `gang` and `gpus_per_member` are unused
  int32_t role_gpus[4];
  uint64_t group;
  int32_t group_size;
  uint32_t allowed_types;  ///< bit t = GPU type t
  int64_t cpu_milli_per_gpu;
  int64_t memory_mib_per_gpu;
  double speed[16];  ///< per GPU type; 0 = 1.0
  int32_t layout;
  int32_t pool;
  int32_t spread_loss;
  int32_t priority;
  uint32_t tenant;
  int32_t preemptible;
  int64_t work;
  int64_t estimate;
  int64_t deadline;
  uint32_t model;
  uint32_t user;
  uint64_t name;  ///< berth_name_sketch()
  int32_t batch_size;
  int32_t epochs;
  int64_t samples;
  int64_t epoch_period;
  int64_t checkpoint_period;
  int64_t checkpoint_phase;
  int64_t checkpoint_bytes;
  int64_t dataset_bytes;
  int64_t startup;
  int64_t iteration;
  int64_t save;
  int64_t cached_bytes;
  uint32_t modes;     ///< 1 << BERTH_MODE_… | …; 0 = not said
  uint32_t reserved;  ///< 0
  uint64_t tag;
  int64_t resize;         ///< time without a useful step when its GPUs change while it runs
  int32_t borrows;        ///< BERTH_BORROW_…
  uint32_t reserved_too;  ///< 0
} berth_job;
BERTH_C_API berth_status berth_job_init(berth_job* job, size_t size);
/// What berth remembers of a job's name, to compare it with those of earlier jobs; 0 if null.
BERTH_C_API uint64_t berth_name_sketch(char const* name);

/// `id` is the job's name from then on.
BERTH_C_API berth_status berth_submit(berth_scheduler* scheduler, berth_job const* job, int64_t now,
                                      uint64_t* id);
/// The job has ended, and its GPUs are empty. `how`: BERTH_FINISHED or BERTH_FAILED.
BERTH_C_API berth_status berth_complete(berth_scheduler* scheduler, uint64_t job, int32_t how,
                                        int64_t now);
BERTH_C_API berth_status berth_cancel(berth_scheduler* scheduler, uint64_t job, int64_t now);

/// A number of GPUs, and how fast an elastic job is on them.
typedef struct berth_rung {
  uint32_t size;
  int32_t gpus;
  int64_t speed;  ///< in 1/BERTH_UNIT_SPEED
} berth_rung;
BERTH_C_API berth_status berth_rung_init(berth_rung* rung, size_t size);
/// The speed at which berth_job::work is counted, usually that of one GPU.
#define BERTH_UNIT_SPEED INT64_C(65536)
/// On which numbers of GPUs a job can run, and how fast, in place of what was known before.
/// `rung_size`: sizeof(berth_rung). scheduler::set_ladder tells what is refused.
BERTH_C_API berth_status berth_set_ladder(berth_scheduler* scheduler, uint64_t job,
                                          berth_rung const* rungs, uint32_t count,
                                          uint32_t rung_size, int64_t now);
/// Inference lends so many of its GPUs to training, in place of what it lent before, until the
/// instant `until`.
BERTH_C_API berth_status berth_lend(berth_scheduler* scheduler, int32_t gpus, int64_t until,
                                    int64_t now);

// ---- reports ----

/// berth/model/event.hpp; docs/embedding.md says what to send when.
enum {
  BERTH_STARTED = 1,
  BERTH_LAUNCH_FAILED = 2,
  BERTH_PROGRESS = 3,         ///< done
  BERTH_BYTES_READ = 4,       ///< bytes
  BERTH_CHECKPOINTED = 5,     ///< done
  BERTH_STOPPED = 6,          ///< done: the work that survives
  BERTH_MEMBER_FINISHED = 7,  ///< node, gpus
  BERTH_RUN_FAILED = 8,
  BERTH_VACATED = 9,   ///< change
  BERTH_RESIZED = 10,  ///< change
  BERTH_SLEEPS = 11,
  BERTH_WAKES = 12
};
typedef struct berth_event {
  uint32_t size;
  int32_t kind;
  uint64_t job;
  uint32_t run;       ///< berth_action::run; 0 = the present one
  uint32_t reserved;  ///< 0
  int64_t done;       ///< ms of berth_job::work; or BERTH_NOT_SAID, not for BERTH_PROGRESS
  int64_t bytes;
  uint64_t node;
  uint64_t gpus;
  uint32_t change;        ///< berth_action::change; 0 = the one under way
  uint32_t reserved_too;  ///< 0
} berth_event;
BERTH_C_API berth_status berth_event_init(berth_event* event, size_t size);
BERTH_C_API berth_status berth_report(berth_scheduler* scheduler, berth_event const* event,
                                      int64_t now);

// ---- deciding ----

/// Some GPUs of one node.
typedef struct berth_gpu_range {
  uint32_t size;
  uint32_t reserved;
  uint64_t node;
  uint64_t gpus;  ///< bit i = GPU i
} berth_gpu_range;

enum { BERTH_START = 0, BERTH_STOP = 1, BERTH_CARRY_ON = 2, BERTH_RESIZE = 3 };
enum {
  BERTH_NO_REASON = 0,
  BERTH_PREEMPTED = 1,
  BERTH_CANCELLED = 2,
  BERTH_NODE_LOST = 3,
  BERTH_OUTBID = 4,
  BERTH_RECALLED = 5
};

/// berth/model/action.hpp tells the members.
typedef struct berth_action {
  uint32_t size;
  int32_t kind;
  int32_t reason;
  int32_t mode;
  uint64_t job;
  uint64_t beneficiary;  ///< BERTH_NULL_ID if nobody
  int64_t saves_at;
  uint64_t tag;
  uint32_t run;
  uint32_t range_count;
  uint32_t first_range;  ///< its GPUs: berth_plan::ranges from here on
  uint32_t reserved;
  uint32_t change;  ///< of a resize: its number, from 1
  uint32_t reserved_too;
} berth_action;

/// The caller's memory for the answer of a tick.
typedef struct berth_plan {
  uint32_t size;
  uint32_t action_size;  ///< sizeof(berth_action)
  uint32_t range_size;   ///< sizeof(berth_gpu_range)
  uint32_t action_capacity;
  uint32_t range_capacity;
  uint32_t action_count;  ///< written; what is needed if BERTH_BUFFER_TOO_SMALL
  uint32_t range_count;   ///< written; what is needed if BERTH_BUFFER_TOO_SMALL
  int32_t is_idle;        ///< written: nothing had happened that could change a decision
  berth_action* actions;
  berth_gpu_range* ranges;
} berth_plan;
/// Sets the sizes; capacities and pointers are the caller's to set.
BERTH_C_API berth_status berth_plan_init(berth_plan* plan, size_t size);

/// What to do now, in order. BERTH_BUFFER_TOO_SMALL: berth has decided, and the counts say what the
/// plan needs. Until it is taken by another berth_tick, which then decides nothing and ignores
/// `now`, every call that changes something is refused with BERTH_PLAN_PENDING.
BERTH_C_API berth_status berth_tick(berth_scheduler* scheduler, int64_t now, berth_plan* plan);
/// When the next tick is worth while; BERTH_NEVER if nothing changes by itself.
BERTH_C_API berth_status berth_next_wakeup(berth_scheduler* scheduler, int64_t* at);

// ---- looking ----

enum {
  BERTH_JOB_SUBMITTED = 0,
  BERTH_JOB_PENDING = 1,
  BERTH_JOB_RESERVING = 2,
  BERTH_JOB_LAUNCHING = 3,
  BERTH_JOB_RUNNING = 4,
  BERTH_JOB_DRAINING = 5,
  BERTH_JOB_CANCELLING = 6,
  BERTH_JOB_RESIZING = 7
};
typedef struct berth_job_info {
  uint32_t size;
  int32_t state;
  int32_t gpus_held;
  int32_t nodes_held;
  uint32_t preemptions;
  uint32_t failures;
  int64_t submitted;
  int64_t first_start;   ///< BERTH_NEVER before it
  int64_t waited;        ///< time without GPUs
  int64_t executed;      ///< run time over all runs
  int64_t done;          ///< of berth_job::work
  int64_t forecast_end;  ///< BERTH_NEVER if unknown
  uint64_t tag;
} berth_job_info;
BERTH_C_API berth_status berth_job_info_init(berth_job_info* info, size_t size);
BERTH_C_API berth_status berth_view(berth_scheduler* scheduler, uint64_t job, berth_job_info* info);
/// The GPUs that it holds, in the order in which they were given. `count` (may be null): how many
/// ranges that is, written or not; `range_size`: sizeof(berth_gpu_range).
BERTH_C_API berth_status berth_job_gpus(berth_scheduler* scheduler, uint64_t job,
                                        berth_gpu_range* ranges, uint32_t capacity,
                                        uint32_t range_size, uint32_t* count);
/// GPUs of the inference pool that training has and is not leaving.
BERTH_C_API berth_status berth_gpus_on_loan(berth_scheduler* scheduler, int64_t* gpus);
/// Living jobs.
BERTH_C_API berth_status berth_job_count(berth_scheduler* scheduler, uint32_t* count);

/// Why it waits: a number of berth/model/wait_reason.hpp (0: it does not wait; 2 to 5: never on
/// this cluster) and its text. `reason` and `needed` (bytes with the final zero) may be null.
BERTH_C_API berth_status berth_explain(berth_scheduler* scheduler, uint64_t job, int32_t* reason,
                                       char* text, size_t capacity, size_t* needed);
/// BERTH_INVARIANT_BROKEN, with what is broken as text: a bug of berth.
BERTH_C_API berth_status berth_check_invariants(berth_scheduler* scheduler, char* text,
                                                size_t capacity, size_t* needed);
/// One number for everything that later decisions depend on.
BERTH_C_API berth_status berth_state_digest(berth_scheduler* scheduler, uint64_t* digest);
/// One number for all plans since berth_create: equal runs give equal numbers.
BERTH_C_API berth_status berth_plans_digest(berth_scheduler* scheduler, uint64_t* digest);

// ---- saving ----

/// `needed` (may be null): bytes of the snapshot, written or not.
BERTH_C_API berth_status berth_snapshot(berth_scheduler* scheduler, void* into, size_t capacity,
                                        size_t* needed);
/// Exactly what berth_snapshot wrote, by a scheduler of the same preset and GPU types.
BERTH_C_API berth_status berth_restore(berth_scheduler* scheduler, void const* from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
