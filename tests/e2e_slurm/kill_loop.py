#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Kills berth-slurm again and again, at any moment, while jobs come, run and displace each other: none is
lost, none runs to its end twice, none begins anywhere but where it saved, no GPU is given twice.
   kill_loop.py AGENT [--times 50] [--seed N] [--scheduler NAME]
With a scheduler that resizes, gangs of several nodes are elastic."""
import argparse
import random
import signal
import sys
import time

from cluster import Cluster, Watch, missing_programs
from proof import Report, check_ends, check_resumption


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scheduler", default="priority")
    chosen = parser.parse_args()
    if missing_programs():
        print(f"skipped: not installed: {' '.join(missing_programs())}")
        return 77
    print(f"seed {chosen.seed}")
    chance, report = random.Random(chosen.seed), Report()
    cluster, gangs = Cluster(8), {}
    watch = Watch(cluster, gangs)
    kills = 0
    try:
        watch.start()
        for turn in range(chosen.times):
            # With berth's own memory and without it.
            memory = ("--snapshot", cluster.folder / "memory") if turn % 2 else ()
            cluster.begin_agent(chosen.agent, chosen.scheduler, *memory)
            for priority in (0, 0, 9):
                nodes, each = chance.choice([(1, 2), (1, 4), (1, 8), (2, 8), (4, 8)])
                steps = chance.randrange(5, 40)
                is_elastic = chosen.scheduler != "priority" and nodes > 1
                job = cluster.submit(f"-N{nodes}", f"--gres=gpu:{each}", "-t5", "--requeue",
                                     f"--comment=priority={priority} checkpoint_seconds=1 "
                                     f"work_seconds={steps // 10 + 1}"
                                     + (" elastic_min=1" if is_elastic else ""), arguments=(steps,))
                gangs[job] = (None, None) if is_elastic else (nodes, each)
            time.sleep(chance.uniform(0.05, 2.5))
            if cluster.agent.poll() is None:
                cluster.end_agent(signal.SIGKILL)
                kills += 1
            else:
                report.check(f"turn {turn}: the agent lived until it was killed", False)
        cluster.begin_agent(chosen.agent, chosen.scheduler)
        report.check("all jobs end", cluster.wait("all jobs end", lambda: all(
            any(r["JobState"] == "COMPLETED" for r in cluster.completions().get(job, ()))
            for job in gangs), 240))
        watch.end()
        check_ends(report, cluster, gangs, f"{len(gangs)} jobs")
        restarts, breaches = check_resumption(cluster, gangs)
        report.check(f"{restarts} restarts resume where the job saved",
                     restarts > 0 and not breaches, breaches[:3])
        report.check(f"no GPU is given twice in {watch.looks} looks", not watch.twice, watch.twice[:3])
        report.check("every gang runs whole", not watch.broken, watch.broken[:3])
        report.check("SIGTERM ends the agent cleanly", cluster.end_agent() == 0)
    finally:
        cluster.close(report.failed > 0)
    print(f"killed {kills} times, {len(gangs)} jobs: {report.passed} passed, {report.failed} failed")
    return 0 if report.failed == 0 and kills == chosen.times else 1


if __name__ == "__main__":
    sys.exit(main())
