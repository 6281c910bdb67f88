#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""One queue, several schedulers: Slurm's own backfill with preemption by partition, and berth-slurm.
   compare.py AGENT [--seed N]
The jobs save when they are told to, and what they did after that is lost."""
import argparse
import random
import sys
import time

from cluster import Cluster, missing_programs

SAVE_SECONDS = 2
TWO_PARTITIONS = """PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 GraceTime={grace}
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF"""
OWN = ("PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE")
# As quick as Slurm can be made: its defaults would try waiting jobs every 30 s, and a requeued one after
# 121 s.
QUICK = "batch_sched_delay=0,default_queue_depth=10000,bf_interval=3,bf_continue,sched_interval=3"


def queue(chance):
    """(seconds until the next, urgent, nodes, GPUs on each, steps of a tenth of a second)"""
    shapes = [(1, 1), (1, 2), (1, 4), (1, 8), (2, 8), (2, 4)]
    jobs = [(0, False, *chance.choice(shapes), chance.randrange(40, 140)) for _ in range(48)]
    jobs.append((4, False, 1, 1, 40))
    for _ in range(12):
        shape = chance.choice([(1, 4), (1, 8), (2, 8)])
        jobs.append((chance.uniform(1, 4), True, *shape, chance.randrange(10, 30)))
    return jobs


def play(cluster, jobs, held):
    at, facts = {}, {}
    for pause, urgent, nodes, each, steps in jobs:
        where = [f"--comment=priority={9 if urgent else 0} checkpoint_seconds={SAVE_SECONDS} "
                 f"work_seconds={steps // 10 + 1}"]
        if not held:
            where = ["-p", "high" if urgent else "low"]
        job = cluster.submit(f"-N{nodes}", f"--gres=gpu:{each}", "-t5", "--requeue", *where,
                             arguments=(steps,), held=held)
        at[job], facts[job] = time.time(), (urgent, nodes * each)
        time.sleep(pause)
    ended = cluster.wait("all jobs end", lambda: all(
        [w[1] for w in cluster.job_log(job)][-1:] == ["end"] for job in at), 150)
    return at, facts, ended


def figures(cluster, at, facts):
    waits, urgent_waits, ends, lost, restarts = [], [], [], 0, 0
    for job, (urgent, gpus) in facts.items():
        log = cluster.job_log(job)
        if not log:
            continue
        wait = float(log[0][0]) - at[job]
        (urgent_waits if urgent else waits).append(wait)
        ends.append(float(log[-1][0]) - at[job])
        for words in log:
            if words[1] == "begin":
                restarts += words[4] != "0"
                lost += (int(words[8]) - int(words[2])) * gpus / 10

    def mean(values):
        return sum(values) / max(1, len(values))

    last = max(float(cluster.job_log(job)[-1][0]) for job in at) - min(at.values())
    return [f"{mean(urgent_waits):.1f} s", f"{max(urgent_waits):.1f} s", f"{mean(waits):.1f} s",
            f"{mean(ends):.1f} s", f"{last:.0f} s",
            str(restarts), f"{lost:.0f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if missing_programs():
        print(f"skipped: not installed: {' '.join(missing_programs())}")
        return 77
    jobs = queue(random.Random(chosen.seed))
    systems = [("Slurm, no time to save", None, 0), ("Slurm, GraceTime=2", None, 2),
               ("berth-slurm, priority", "priority", 0)]
    print("| | urgent: mean wait | longest | others: mean wait | mean completion | all done | restarts "
          "| GPU-seconds lost |\n|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name, scheduler, grace in systems:
        if scheduler is None:
            cluster = Cluster(8, OWN, PARTITIONS=TWO_PARTITIONS.format(grace=grace), CRED_EXPIRE="5",
                              SCHEDULER_PARAMETERS=QUICK)
        else:
            cluster = Cluster(8)
        try:
            cluster.environment["SAVE_ON"] = "USR1" if scheduler else "TERM"
            if scheduler is not None:
                cluster.begin_agent(chosen.agent, scheduler)
            at, facts, ended = play(cluster, jobs, scheduler is not None)
            print(f"| {name}{'' if ended else ' (not all ended)'} | "
                  + " | ".join(figures(cluster, at, facts)) + " |", flush=True)
        finally:
            cluster.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
