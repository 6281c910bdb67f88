# SPDX-License-Identifier: BSL-1.0
"""What else the agent promises: one function a promise, each with jobs of its own on the same Slurm."""
import os
import shutil
import socket
import subprocess
import urllib.request

from cluster import expand
from faults import finish, resumed, submit

NOBODY = 65534


def sizes(cluster, job):
    """On how many nodes each of its runs was, by what Slurm told the job."""
    return [len(expand(words[6])) for words in cluster.job_log(job) if words[1] == "begin"]


def nodes_now(cluster, job):
    record = cluster.show()[job]
    return len(record["gpus"]) if record["JobState"] == "RUNNING" else 0


def elastic_job_makes_room(report, cluster, agent):
    """It gives four of its eight nodes to another job, by a requeue, and has them back afterwards."""
    cluster.begin_agent(agent, "afs")
    elastic = submit(cluster, 8, 180, "elastic_min=2 checkpoint_seconds=2 work_seconds=40")
    cluster.wait("eight nodes", lambda: nodes_now(cluster, elastic) == 8, 60)
    # Whoever has just begun keeps its size, until the next look at all sizes a minute later.
    cluster.wait("its third second", lambda: cluster.step_of(elastic) > 25, 60)
    rigid = submit(cluster, 4, 50, "work_seconds=6 checkpoint_seconds=2")
    both = cluster.wait("both run, on four nodes each", lambda: (
        nodes_now(cluster, elastic), nodes_now(cluster, rigid)) == (4, 4), 90)
    report.check("an elastic job makes room for another", both)
    asked = cluster.show()[elastic]["note"]
    report.check("its note remembers what its owner asked for", " nodes=8" in asked, asked)
    report.check("both complete once", finish(cluster, elastic, rigid))
    ran = sizes(cluster, elastic)
    report.check(f"it ran on {ran} nodes", ran[0] == 8 and 4 in ran and ran[-1] == 8, ran)
    last = cluster.completions()[elastic][-1]
    report.check("Slurm's record of its end has all its nodes", last["NodeCnt"] == "8", last)
    report.check("it resumes where it saved at every size", resumed(cluster, elastic),
                 cluster.job_log(elastic))
    report.check("the other was not stopped", sizes(cluster, rigid) == [4])


def dry_run(report, cluster, agent):
    """Says what it would do, and does nothing."""
    job = submit(cluster, 1, 5)
    said = cluster.run(agent, "--partition", "main", "--scheduler", "priority", "--dry-run")
    report.check("a dry run says what it would do", f"would release job {job} on gpu" in said, said)
    record = cluster.show()[job]
    report.check("and does nothing", record["Priority"] == "0" and record["note"] == ""
                 and record["Reason"] == "JobHeldUser", record)


def comments_that_are_wrong(report, cluster, agent):
    """What is wrong is said on the job, and it runs with the defaults. Slurm itself refuses what is
    over the agent's limit."""
    cluster.begin_agent(agent)
    wild = submit(cluster, 1, 40, "tenant=64 priority=$(reboot) elastic_min=-1 colour=red")
    note = cluster.wait("the note of a running job", lambda: "runs on" in cluster.show()[wild]["note"], 60)
    said = cluster.show()[wild]["note"]
    report.check("every wrong value is named on the job", note and all(words in said for words in (
        "tenant: out of range", "priority: not a whole number", "elastic_min: out of range",
        "colour: unknown")), said)
    report.check("it runs with the defaults", finish(cluster, wild))


def other_partitions(report, cluster, agent):
    """Their jobs are not touched, and neither are the GPUs that they hold."""
    theirs = cluster.submit("-p", "other", "-N2", "--gres=gpu:8", "-t5", arguments=(60,), held=False)
    waits = cluster.submit("-p", "other", "-N1", "--gres=gpu:1", "-t5", arguments=(5,))
    cluster.wait_for_state(theirs, ("RUNNING",))
    taken = set(cluster.show()[theirs]["gpus"])
    cluster.begin_agent(agent)
    ours = [submit(cluster, 1, 10) for _ in range(6)]
    large = submit(cluster, 8, 5)
    report.check("jobs run beside another partition's", finish(cluster, *ours))
    where = {words[6] for job in ours for words in cluster.job_log(job) if words[1] == "begin"}
    report.check("and not on its nodes", not where & taken, (where, taken))
    jobs = cluster.show()
    report.check("its held jobs are left alone",
                 jobs[waits]["Reason"] == "JobHeldUser" and jobs[waits]["note"] == "")
    report.check("all nodes are used when they are free", finish(cluster, theirs, large))


def figures(report, cluster, agent):
    """--metrics, read as Prometheus reads it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cluster.begin_agent(agent, "priority", "--metrics", str(port))
    low = submit(cluster, 8, 40)
    cluster.wait_for_state(low, ("RUNNING",))
    high = submit(cluster, 4, 5, "checkpoint_seconds=1 priority=5")
    finish(cluster, low, high)
    if cluster.log_lines("no_metrics"):
        print("       built without prometheus-cpp: no figures")
        return
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    values = {name: float(value) for name, _, value in (
        line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))}
    gpus = {name: value for name, value in values.items() if name.startswith("berth_gpus{")}
    report.check("the figures count a start twice and a preemption once",
                 values.get("berth_starts_total") == 3 and values.get("berth_preemptions_total") == 1,
                 text)
    report.check("they know GPU-seconds lost, the queue, and what a decision took",
                 values.get("berth_gpu_seconds_lost_total", 0) > 0
                 and 'berth_jobs{state="waiting"}' in values
                 and values.get("berth_decision_seconds_count", 0) > 0, text)
    report.check("GPUs by state add up", sum(gpus.values()) == 64, gpus)


def rights(report, cluster, agent):
    """Who may not act says so and ends, instead of trying."""
    if os.geteuid() != 0:
        print("       not root: no other user to try")
        return
    program = shutil.copy(agent, cluster.folder / "berth-slurm")
    os.chmod(program, 0o755)
    ended = subprocess.run([program, "--partition", "main"], env=cluster.environment, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=30,
                           user=NOBODY, group=NOBODY, extra_groups=[], cwd="/")
    report.check("without the rights of SlurmUser it says so and ends",
                 ended.returncode == 3 and "SlurmUser" in ended.stdout, ended)


ALL = (elastic_job_makes_room, figures, comments_that_are_wrong, other_partitions, dry_run, rights)
