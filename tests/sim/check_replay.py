#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs berth-replay as a user would and checks what it says.

usage: check_replay.py PROGRAM synthetic | bad_input | traces DATA_DIR | whole_trace DATA_DIR
Exit status 77 means skipped: the traces are not there.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

KEYS = {
    "scheduler", "jobs", "finished", "avg_jct_s", "p50_jct_s", "p99_jct_s", "avg_wait_s", "p99_wait_s",
    "makespan_s", "utilisation", "preemptions", "gpu_s_lost", "ticks", "tick_ns_p50", "tick_ns_p99", "digest",
}
FOUR = "fifo,easy_backfill,tiresias,shortest_remaining"


def fail(message):
    print("check_replay: " + message)
    sys.exit(1)


def require(condition, message):
    if not condition:
        fail(message)


def replay(program, *arguments, expect=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != expect:
        fail(f"{' '.join(arguments)}: exit status {done.returncode}, not {expect}\n{done.stdout}{done.stderr}")
    return done


def figures(program, folder, *arguments):
    path = pathlib.Path(folder) / "out.json"
    replay(program, *arguments, "--json", str(path))
    runs = json.loads(path.read_text())["runs"]
    for run in runs:
        require(set(run) == KEYS, f"the keys of a run are {sorted(run)}")
        require(re.fullmatch("[0-9a-f]{16}", run["digest"]), "the digest is not 16 hex digits")
    return {run["scheduler"]: run for run in runs}


def synthetic(program, folder):
    # A loaded little cluster; every option that writes a file.
    page, trace = pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "trace.json"
    arguments = ["--cluster", "4x8", "--limit", "1500", "--load", "110", "--seed", "3", "--schedulers", FOUR, "--check",
                 "--html", str(page), "--trace", str(trace), "--mtbf", "2000"]
    runs = figures(program, folder, *arguments)
    require(list(runs) == FOUR.split(","), f"the schedulers are {list(runs)}")
    for name, run in runs.items():
        require(run["finished"] == run["jobs"] == 1500, f"{name} finished {run['finished']} jobs")
        require(run["p50_jct_s"] <= run["p99_jct_s"] <= run["makespan_s"], f"{name}: percentiles out of order")
        require(0 < run["utilisation"] <= 1, f"{name}: utilisation {run['utilisation']}")
    require(runs["fifo"]["avg_jct_s"] >= runs["tiresias"]["avg_jct_s"] >= runs["shortest_remaining"]["avg_jct_s"],
            "fifo >= tiresias >= shortest_remaining does not hold")
    require(runs["fifo"]["preemptions"] == 0 < runs["shortest_remaining"]["preemptions"], "preemptions")
    text = page.read_text()
    require("<html" in text and "http://" not in text.replace("http://www.w3.org", ""), "the page is not self-contained")
    for name in runs:
        events = json.loads(pathlib.Path(folder, f"trace.{name}.json").read_text())
        require(events["traceEvents"], f"no trace events of {name}")
    again = figures(program, folder, *arguments[:arguments.index("--html")], "--mtbf", "2000")
    require([r["digest"] for r in again.values()] == [r["digest"] for r in runs.values()], "digests differ on a second run")


def bad_input(program, folder):
    broken = pathlib.Path(folder) / "broken.csv"
    broken.write_text("timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,a\n"
                      "2017-10-09 07:01:56,nan,1,66.0,a\n2017-10-09 07:01:57,5.0,0,66.0,a\n")
    said = replay(program, "--jobs", str(broken), "--format", "philly", expect=2).stderr
    require(f"{broken}:3:" in said and "duration" in said, "line and field are not named: " + said)
    said = replay(program, "--jobs", str(broken), "--format", "philly", "--lenient").stdout
    require("2 malformed" in said, "what was skipped is not counted: " + said)
    for arguments, word in [
        (["--cluster", "0x8"], "--cluster"), (["--cluster", "8"], "--cluster"), (["--cluster", "2x65"], "--cluster"),
        (["--schedulers", "sjf"], "sjf"), (["--format", "philly"], "--jobs"), (["--from", "3", "--to", "2"], "--to"),
        (["--save", "nan"], "finite"),
        (["--json", "/does/not/exist/out.json", "--limit", "5"], "/does/not/exist/out.json"),
    ]:
        require(word in replay(program, *arguments, expect=2).stderr, f"{arguments}: the message does not name {word}")


def traces(program, folder, data):
    for arguments in [
        ["--jobs", f"{data}/philly_pollux/philly.csv", "--format", "philly", "--limit", "1500", "--cluster", "8x8"],
        ["--jobs", f"{data}/philly_pollux/philly.csv", "--format", "philly", "--from", "500", "--to", "530",
         "--nodes", f"{data}/alibaba_openb_2023/openb_node_list_gpu_node.csv"],
        ["--jobs", f"{data}/pollux_workloads/workloads/workload-1.csv", "--format", "pollux", "--cluster", "16x4"],
        ["--jobs", f"{data}/gavel/physical_cluster/small_test.trace", "--format", "gavel", "--throughputs",
         f"{data}/gavel/physical_cluster_throughputs.json", "--cluster", "4x4"],
        ["--jobs", f"{data}/swf_accasim_sample/workload.swf", "--format", "swf", "--cluster", "8x8"],
    ]:
        runs = figures(program, folder, *arguments, "--schedulers", "fifo,shortest_remaining")
        for name, run in runs.items():
            require(run["finished"] == run["jobs"] > 0, f"{arguments}: {name} finished {run['finished']} of {run['jobs']}")


def whole_trace(program, folder, data):
    philly = ["--jobs", f"{data}/philly_pollux/philly.csv", "--format", "philly"]
    for scheduler in ["fifo", "shortest_remaining", "tiresias"]:
        begin = time.monotonic()
        run = figures(program, folder, *philly, "--cluster", "256x8", "--schedulers", scheduler)[scheduler]
        print(f"{scheduler}: {time.monotonic() - begin:.1f} s for {run['finished']} jobs on 2,048 GPUs")
        require(run["finished"] == run["jobs"] == 82247, f"{scheduler} finished {run['finished']} jobs")
    runs = figures(program, folder, *philly, "--cluster", "64x8", "--schedulers", "fifo,tiresias,shortest_remaining")
    for name, run in runs.items():
        print(f"{name}: average JCT {run['avg_jct_s'] / 3600:.2f} h on 64 x 8, {run['finished']} finished")
        require(run["finished"] == 82247, f"{name} finished {run['finished']} jobs")
    require(runs["fifo"]["avg_jct_s"] >= runs["tiresias"]["avg_jct_s"] >= runs["shortest_remaining"]["avg_jct_s"],
            "fifo >= tiresias >= shortest_remaining does not hold")


def main():
    program, what, *rest = sys.argv[1:]
    if what in ("traces", "whole_trace") and (not rest or not rest[0]):
        print("skipped: BERTH_DATA_DIR is not set")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        {"synthetic": synthetic, "bad_input": bad_input, "traces": traces, "whole_trace": whole_trace}[what](
            program, folder, *rest)
    print("ok")


if __name__ == "__main__":
    main()
