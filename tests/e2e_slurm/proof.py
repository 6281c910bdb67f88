#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""berth-slurm against a real Slurm of 8 nodes with 8 GPUs: 60 jobs, what else the agent promises, then one
fault after the other.
   proof.py AGENT [--keep] [--seed N]
Exit status 77 where Slurm is not installed."""
import argparse
import random
import re
import signal
import sys
import time
from pathlib import Path

import faults
import manners
from cluster import Cluster, Watch, missing_programs

SAVE_SECONDS = 2
PARTITIONS = """PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP"""


class Report:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, what, fine, detail=""):
        if fine:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok    ' if fine else 'FAILED'} {what}" + ("" if fine or not detail else f": {detail}"),
              flush=True)


def sixty_jobs(cluster, chance):
    """Submits the load; returns number -> (nodes, GPUs on each), and who is urgent."""
    gangs, urgent = {}, {}
    shapes = [(1, 1), (1, 2), (1, 4), (1, 8), (2, 8), (2, 4)]

    def submit(priority, nodes, each, steps):
        comment = f"priority={priority} checkpoint_seconds={SAVE_SECONDS} work_seconds={steps // 10 + 1}"
        job = cluster.submit(f"-N{nodes}", f"--gres=gpu:{each}", "-t5", "--requeue",
                             f"--comment={comment}", arguments=(steps,))
        gangs[job] = (nodes, each)
        return job

    for i in range(48):
        nodes, each = shapes[i % len(shapes)] if i < 12 else chance.choice(shapes)
        submit(0, nodes, each, chance.randrange(20, 90))
    time.sleep(3)
    for _ in range(12):
        nodes, each = chance.choice([(1, 4), (1, 8), (2, 8)])
        job = submit(9, nodes, each, chance.randrange(5, 20))
        urgent[job] = time.time()
        time.sleep(chance.uniform(0.2, 1.8))
    return gangs, urgent


def check_resumption(cluster, jobs):
    """Every run of a job begins at the step that it saved last. Returns (restarts, breaches)."""
    restarts, breaches = 0, []
    for job in jobs:
        saved = "0"
        for _, what, step, *_ in cluster.job_log(job):
            if what == "begin":
                restarts += step != "0"
                if step != saved:
                    breaches.append((job, saved, step))
            elif what == "saved":
                saved = step
    return restarts, breaches


def check_ends(report, cluster, jobs, name):
    """Each job ran to its end once, by Slurm's own file of ended jobs and by the jobs' own words."""
    ended = cluster.completions()
    wrong = [job for job in jobs
             if [r["JobState"] for r in ended.get(job, ())].count("COMPLETED") != 1]
    report.check(f"{name}: every job completes exactly once by Slurm's records", not wrong, wrong)
    said = [job for job in jobs if [w[1] for w in cluster.job_log(job)].count("end") != 1]
    report.check(f"{name}: every job comes to its end once by its own words", not said, said)


def seconds_to_start(cluster):
    """What an empty Slurm on this machine takes from a submission to the job's first step."""
    began = time.time()
    job = cluster.submit("-N1", "--gres=gpu:1", "-t5", arguments=(1,))
    cluster.wait("a first job", lambda: cluster.job_log(job), 60)
    return float(cluster.job_log(job)[0][0]) - began


def main_run(report, cluster, agent, chance):
    cluster.begin_agent(agent)
    alone = seconds_to_start(cluster)
    gangs = {}
    watch = Watch(cluster, gangs)
    watch.start()
    submitted, urgent = sixty_jobs(cluster, chance)
    gangs.update(submitted)
    never = cluster.submit("-N9", "--gres=gpu:8", "-t5", arguments=(1,))
    elastic = cluster.submit("-N1-2", "--gres=gpu:8", "-t5", "--requeue",
                             "--comment=elastic_min=1 checkpoint_seconds=2", arguments=(20,))
    wrong = cluster.submit("-N1", "--gres=gpu:1", "-t5", "--comment=epoch_seconds=soon priority=0",
                           arguments=(5,))
    report.check("60 jobs are in", len(gangs) == 60)
    everybody = set(gangs) | {elastic, wrong}
    done = cluster.wait("all jobs end", lambda: all(
        any(r["JobState"] == "COMPLETED" for r in cluster.completions().get(job, ()))
        for job in everybody), 300)
    watch.end()
    report.check("all jobs end", done)
    report.check(f"no GPU is given twice in {watch.looks} looks", not watch.twice, watch.twice[:3])
    report.check("every gang runs whole", not watch.broken, watch.broken[:3])
    check_ends(report, cluster, everybody, "60 jobs")
    restarts, breaches = check_resumption(cluster, gangs)
    report.check(f"{restarts} restarts resume where the job saved", restarts > 0 and not breaches,
                 breaches[:3])
    # By the jobs' own clocks: from their submission to their first step. The time to save, Slurm's
    # tick, and what a busy machine adds: twice what a job takes that waits for nobody.
    waits = [float(cluster.job_log(job)[0][0]) - at for job, at in urgent.items()
             if cluster.job_log(job)]
    print(f"       a job alone starts after {alone:.1f} s; urgent jobs waited "
          + " ".join(f"{w:.1f}" for w in waits) + " s")
    first = sorted(waits)[:len(waits) // 2]
    report.check("urgent jobs start within the time that their victims have to save",
                 len(waits) == len(urgent) and max(first) < SAVE_SECONDS + max(3, 2 * alone))
    note = cluster.show()[never]["note"]
    report.check("a job that never fits stays held and says why",
                 cluster.show()[never]["JobState"] == "PENDING" and "can never start" in note, note)
    cluster.run("scancel", never)
    report.check("a comment that is wrong is said on the job",
                 any("epoch_seconds: not a whole number" in line
                     for line in cluster.log_lines("adopted", wrong)))
    report.check("no rebuild was needed", len(cluster.log_lines("rebuilt")) == 1)
    report.check("SIGTERM ends the agent cleanly", cluster.end_agent() == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--keep", action="store_true", help="keeps the folder with all logs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a regular expression of names of their functions; no 60 jobs")
    chosen = parser.parse_args()
    chosen.agent = str(Path(chosen.agent).resolve())
    if missing_programs():
        print(f"skipped: not installed: {' '.join(missing_programs())}")
        return 77
    print(f"seed {chosen.seed}")
    report = Report()
    cluster = Cluster(8, SLURMD_TIMEOUT="10", PARTITIONS=PARTITIONS)
    try:
        if not chosen.only:
            main_run(report, cluster, chosen.agent, random.Random(chosen.seed))
        for fault in manners.ALL + faults.ALL:
            if not chosen.only or re.search(chosen.only, fault.__name__):
                begun = time.monotonic()
                fault(report, cluster, chosen.agent)
                print(f"       {fault.__name__} took {time.monotonic() - begun:.0f} s", flush=True)
                cluster.end_agent(signal.SIGTERM)
                faults.clear(cluster)
    finally:
        cluster.close(chosen.keep or report.failed > 0)
    print(f"{report.passed} passed, {report.failed} failed")
    return 0 if report.failed == 0 and report.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
