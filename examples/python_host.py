# SPDX-License-Identifier: BSL-1.0
"""examples/quickstart.cpp in Python, through the C library, with nothing but the standard library.

    python3 python_host.py [PATH_OF_LIBBERTH_C]
"""
import ctypes
import ctypes.util
import sys
from ctypes import (POINTER, Structure, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32,
                    c_uint64, c_void_p)

MINUTE = 60 * 1000
HOUR = 60 * MINUTE
IMPLICIT = 1
START = 0
FINISHED = 0
RUNNING = 4


class Node(Structure):
    _fields_ = [("size", c_uint32), ("gpus", c_int32), ("type", c_int32), ("rack", c_uint32),
                ("pool", c_int32), ("health", c_int32), ("cpu_milli", c_int64),
                ("memory_mib", c_int64), ("tag", c_uint64)]


class Config(Structure):
    _fields_ = [("size", c_uint32), ("gpu_types", c_uint32), ("preset", c_char_p),
                ("nodes", POINTER(Node)), ("node_count", c_uint32), ("node_size", c_uint32),
                ("max_jobs", c_uint32), ("max_nodes", c_uint32), ("max_gpus", c_uint32),
                ("max_tenants", c_uint32), ("look_ahead", c_uint32), ("acknowledge", c_int32),
                ("impossible", c_int32), ("failure_limit", c_uint32), ("earmark_expiry", c_int64),
                ("minimum_run", c_int64), ("retry_base", c_int64), ("retry_cap", c_int64),
                ("horizon", c_int64), ("retry_factor", c_int32), ("reserved", c_uint32),
                ("borrow_again_after", c_int64), ("max_rungs", c_uint32), ("reserved_too", c_uint32)]


class Job(Structure):
    _fields_ = [("size", c_uint32), ("gang", c_int32), ("min_gang", c_int32),
                ("gpus_per_member", c_int32), ("role_members", c_int32 * 4),
                ("role_gpus", c_int32 * 4), ("group", c_uint64), ("group_size", c_int32),
                ("allowed_types", c_uint32), ("cpu_milli_per_gpu", c_int64),
                ("memory_mib_per_gpu", c_int64), ("speed", c_double * 16), ("layout", c_int32),
                ("pool", c_int32), ("spread_loss", c_int32), ("priority", c_int32),
                ("tenant", c_uint32), ("preemptible", c_int32), ("work", c_int64),
                ("estimate", c_int64), ("deadline", c_int64), ("model", c_uint32),
                ("user", c_uint32), ("name", c_uint64), ("batch_size", c_int32),
                ("epochs", c_int32), ("samples", c_int64), ("epoch_period", c_int64),
                ("checkpoint_period", c_int64), ("checkpoint_phase", c_int64),
                ("checkpoint_bytes", c_int64), ("dataset_bytes", c_int64), ("startup", c_int64),
                ("iteration", c_int64), ("save", c_int64), ("cached_bytes", c_int64),
                ("modes", c_uint32), ("reserved", c_uint32), ("tag", c_uint64), ("resize", c_int64),
                ("borrows", c_int32), ("reserved_too", c_uint32)]


class GpuRange(Structure):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("node", c_uint64), ("gpus", c_uint64)]


class Action(Structure):
    _fields_ = [("size", c_uint32), ("kind", c_int32), ("reason", c_int32), ("mode", c_int32),
                ("job", c_uint64), ("beneficiary", c_uint64), ("saves_at", c_int64),
                ("tag", c_uint64), ("run", c_uint32), ("range_count", c_uint32),
                ("first_range", c_uint32), ("reserved", c_uint32), ("change", c_uint32),
                ("reserved_too", c_uint32)]


class Plan(Structure):
    _fields_ = [("size", c_uint32), ("action_size", c_uint32), ("range_size", c_uint32),
                ("action_capacity", c_uint32), ("range_capacity", c_uint32),
                ("action_count", c_uint32), ("range_count", c_uint32), ("is_idle", c_int32),
                ("actions", POINTER(Action)), ("ranges", POINTER(GpuRange))]


class JobInfo(Structure):
    _fields_ = [("size", c_uint32), ("state", c_int32), ("gpus_held", c_int32),
                ("nodes_held", c_int32), ("preemptions", c_uint32), ("failures", c_uint32),
                ("submitted", c_int64), ("first_start", c_int64), ("waited", c_int64),
                ("executed", c_int64), ("done", c_int64), ("forecast_end", c_int64),
                ("tag", c_uint64)]


class BerthError(Exception):
    """A refused call: its code, and berth's text."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Library:
    """berth_NAME(...) as library.call("NAME", ...), which raises BerthError instead of returning it."""

    def __init__(self, path):
        self._loaded = ctypes.CDLL(path)
        self._loaded.berth_code_text.restype = c_char_p
        self._loaded.berth_version.restype = c_char_p

    def call(self, name, *arguments):
        status = getattr(self._loaded, "berth_" + name)(*arguments)
        if status != 0:
            text = ctypes.create_string_buffer(128)
            self._loaded.berth_status_text(status, text, c_size_t(len(text)), None)
            raise BerthError(status & 0xff, f"{name}: {text.value.decode()}")

    def new(self, kind, name):
        """A struct with its defaults, by berth_NAME_init."""
        made = kind()
        self.call(name + "_init", byref(made), c_size_t(ctypes.sizeof(made)))
        return made


class Scheduler:
    def __init__(self, library, preset, nodes, gpus_per_node):
        self._library = library
        config = library.new(Config, "config")
        described = (Node * nodes)()
        for i in range(nodes):
            described[i] = library.new(Node, "node")
            described[i].gpus = gpus_per_node
        config.preset = preset.encode()
        config.nodes = described
        config.node_count = nodes
        config.acknowledge = IMPLICIT  # an order counts as done
        self._handle = c_void_p()
        library.call("create", byref(config), byref(self._handle))
        self._actions = (Action * 16)()
        self._ranges = (GpuRange * 64)()

    def close(self):
        self._library.call("destroy", self._handle)

    def submit(self, gang, work, tag, now):
        job = self._library.new(Job, "job")
        job.gang, job.work, job.tag = gang, work, tag
        name = c_uint64()
        self._library.call("submit", self._handle, byref(job), c_int64(now), byref(name))
        return name.value

    def complete(self, job, now):
        self._library.call("complete", self._handle, c_uint64(job), c_int32(FINISHED), c_int64(now))

    def explain(self, job):
        text = ctypes.create_string_buffer(128)
        self._library.call("explain", self._handle, c_uint64(job), None, text, c_size_t(len(text)), None)
        return text.value.decode()

    def state(self, job):
        info = self._library.new(JobInfo, "job_info")
        self._library.call("view", self._handle, c_uint64(job), byref(info))
        return info.state

    def apply_plan(self, now):
        plan = self._library.new(Plan, "plan")
        plan.actions, plan.action_capacity = self._actions, len(self._actions)
        plan.ranges, plan.range_capacity = self._ranges, len(self._ranges)
        self._library.call("tick", self._handle, c_int64(now), byref(plan))
        for order in self._actions[:plan.action_count]:
            parts = self._ranges[order.first_range:order.first_range + order.range_count]
            print("start" if order.kind == START else "stop ", f"job {order.tag} on", " ".join(
                f"node {part.node & 0xffffffff} ({bin(part.gpus).count('1')} GPUs)" for part in parts))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else ctypes.util.find_library("berth_c")
    if path is None:
        sys.exit("libberth_c was not found: name it")
    scheduler = Scheduler(Library(path), "shortest_remaining", nodes=2, gpus_per_node=8)
    now = 0  # your clock, in milliseconds; berth never reads one
    large = scheduler.submit(gang=16, work=5 * HOUR, tag=1, now=now)
    scheduler.apply_plan(now)  # it gets the whole cluster
    now += HOUR
    small = scheduler.submit(gang=4, work=10 * MINUTE, tag=2, now=now)
    scheduler.apply_plan(now)  # less is left of it than of the large one, which gives way
    print(f"wait  job 1: {scheduler.explain(large)}")
    now += 10 * MINUTE
    scheduler.complete(small, now)
    scheduler.apply_plan(now)  # the large one runs again
    runs = scheduler.state(large) == RUNNING
    scheduler.close()
    return 0 if runs else 1


if __name__ == "__main__":
    sys.exit(main())
