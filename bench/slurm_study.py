#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a cycle of berth-slurm takes on a real Slurm of 64 nodes with 8 GPUs, all of them in use, and a
queue of 1,000 jobs: requests to Slurm, telling berth, berth's decision.
   slurm_study.py AGENT [--nodes 64] [--jobs 1000] [--seconds 60] [--scheduler pickyman]
Checks its answers: every GPU is held, by as many jobs as Slurm says, and all others wait."""
import argparse
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "e2e_slurm"))
from cluster import Cluster, missing_programs  # noqa: E402


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def row(name, values):
    ms = [value / 1000 for value in values]
    print(f"| {name} | {len(ms)} | {quantile(ms, 0.5):.3f} | {quantile(ms, 0.9):.3f} "
          f"| {max(ms, default=0):.3f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--scheduler", default="pickyman")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if missing_programs():
        print(f"skipped: not installed: {' '.join(missing_programs())}")
        return 77
    chance = random.Random(chosen.seed)
    cluster = Cluster(chosen.nodes)
    timings = cluster.folder / "timings"
    try:
        # Long jobs on all GPUs, short ones that come and go, and the queue behind them.
        def submit(nodes, gpus, seconds):
            return cluster.submit(f"-N{nodes}", f"--gres=gpu:{gpus}", "-t600", "--requeue",
                                  f"--comment=work_seconds={seconds} checkpoint_seconds=5",
                                  script="idle.sh", arguments=(seconds,))

        for _ in range(chosen.nodes - 4):
            submit(1, 8, 3600)
        for _ in range(40):
            submit(1, 4, 10)
        for _ in range(chosen.jobs):
            submit(*chance.choice([(1, 8), (2, 8), (4, 8)]), chance.randrange(7200, 20000))
        print(f"seed {chosen.seed}, {chosen.nodes} nodes, {len(cluster.show())} jobs", flush=True)
        cluster.begin_agent(chosen.agent, chosen.scheduler, "--timings", timings)
        time.sleep(chosen.seconds)
        alive = cluster.agent.poll() is None
        jobs = cluster.show()
        lines = [json.loads(line) for line in timings.read_text().splitlines()]
        cluster.end_agent()
    finally:
        cluster.close()

    # The first cycles adopt everything; what is asked is what a cycle takes from then on.
    begin = next((i for i, line in enumerate(lines) if line["waiting"] >= chosen.jobs), len(lines))
    steady = [line for line in lines[begin + 1:] if line["settle_us"] > 0]
    decided = [line for line in steady if line["decide_us"] > 0]
    print("| part of a cycle, ms | cycles | median | 90 % | longest |\n|---|--:|--:|--:|--:|")
    row("reading Slurm's state", [line["load_us"] for line in steady])
    row("telling berth", [line["settle_us"] for line in steady])
    row("berth's decision", [line["decide_us"] for line in decided])
    row("requests to Slurm", [line["act_us"] for line in steady])
    whole = [sum(line[part] for part in ("load_us", "settle_us", "decide_us", "act_us"))
             for line in steady]
    row("whole cycle", whole)
    share = sum(line["decide_us"] for line in steady) / max(1, sum(whole))
    print(f"berth's decision is {100 * share:.2f} % of the cycles")

    running = [record for record in jobs.values() if record["JobState"] == "RUNNING"]
    held = sum(len(gpus) for record in running for gpus in record["gpus"].values())
    print(f"{len(running)} jobs hold {held} of {chosen.nodes * 8} GPUs, "
          f"{sum(r['JobState'] == 'PENDING' for r in jobs.values())} wait")
    fine = alive and len(steady) > 20 and held <= chosen.nodes * 8 and held >= chosen.nodes * 7
    print("answers: fine" if fine else "answers: WRONG")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
