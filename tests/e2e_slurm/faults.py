# SPDX-License-Identifier: BSL-1.0
"""What may happen to an agent: one function a fault, each with jobs of its own on the same Slurm."""
import shutil
import signal
import time
from pathlib import Path

SAVE = "checkpoint_seconds=2"


def submit(cluster, nodes, steps, comment=SAVE, gpus=8):
    return cluster.submit(f"-N{nodes}", f"--gres=gpu:{gpus}", "-t5", "--requeue",
                          f"--comment={comment}", arguments=(steps,))


def completed(cluster, *jobs):
    ended = cluster.completions()
    return all([r["JobState"] for r in ended.get(job, ())].count("COMPLETED") == 1 for job in jobs)


def finish(cluster, *jobs, seconds=150):
    return cluster.wait(f"{jobs} end", lambda: completed(cluster, *jobs), seconds)


def begins(cluster, job):
    return [words[2] for words in cluster.job_log(job) if words[1] == "begin"]


def resumed(cluster, job):
    """It begins where it saved, every time. Being told twice to save is no fault."""
    words = [(words[1], words[2]) for words in cluster.job_log(job)]
    saved = [step for i, (what, step) in enumerate(words)
             if what == "saved" and words[i - 1] != (what, step)]
    return len(saved) > 0 and begins(cluster, job) == ["0", *saved]


def clear(cluster):
    """No jobs, all nodes as they were."""
    numbers = [job for job, record in cluster.show().items()
               if record["JobState"] in ("PENDING", "RUNNING")]
    if numbers:
        cluster.run("scancel", *numbers, check=False)
    cluster.wait("an empty Slurm", lambda: all(
        record["JobState"] not in ("PENDING", "RUNNING", "COMPLETING")
        for record in cluster.show().values()), 60)


def agent_killed_in_mid_plan(report, cluster, agent):
    """At each point of a preemption: told to save, beneficiary released, victim requeued."""
    for point in ("signal", "release_ahead", "requeue"):
        cluster.begin_agent(agent)
        low = submit(cluster, 8, 35)
        cluster.wait_for_state(low, ("RUNNING",))
        cluster.wait("its second second", lambda: cluster.step_of(low) > 18, 60)
        before = len(cluster.log_lines(point))
        high = submit(cluster, 4, 10, SAVE + " priority=9")
        cluster.wait(point, lambda: len(cluster.log_lines(point)) > before, 60)
        cluster.end_agent(signal.SIGKILL)
        time.sleep(0.3)
        cluster.begin_agent(agent)
        fine = finish(cluster, low, high)
        report.check(f"agent killed after '{point}': both jobs complete once", fine)
        report.check(f"agent killed after '{point}': the victim resumes where it saved",
                     resumed(cluster, low), cluster.job_log(low))
        cluster.end_agent()


def agent_away(report, cluster, agent):
    """Nothing moves without an agent: running jobs run, held jobs stay held."""
    cluster.begin_agent(agent)
    running = submit(cluster, 8, 80)
    waiting = submit(cluster, 1, 5)
    cluster.wait_for_state(running, ("RUNNING",))
    cluster.wait("a note", lambda: "too few" in cluster.show()[waiting]["note"], 60)
    report.check("SIGTERM ends it cleanly", cluster.end_agent() == 0)
    time.sleep(2)
    jobs = cluster.show()
    report.check("running jobs run on without an agent",
                 jobs[running]["JobState"] in ("RUNNING", "COMPLETED"))
    report.check("held jobs stay held without an agent",
                 jobs[waiting]["JobState"] == "PENDING" and jobs[waiting]["Priority"] == "0")
    cluster.begin_agent(agent)
    report.check("a new agent goes on with both", finish(cluster, running, waiting))
    report.check("none was stopped without cause", begins(cluster, running) == ["0"])


def slurmctld_restarted(report, cluster, agent):
    for how in (signal.SIGTERM, signal.SIGKILL):
        cluster.begin_agent(agent)
        running = submit(cluster, 4, 90)
        waiting = submit(cluster, 8, 5)
        cluster.wait_for_state(running, ("RUNNING",))
        time.sleep(6)  # slurmctld writes its state every five seconds
        cluster.kill_daemon("slurmctld", how)
        time.sleep(1.5)
        report.check(f"slurmctld {how.name}: the agent lives", cluster.agent.poll() is None)
        cluster.begin_slurmctld()
        report.check(f"slurmctld {how.name}: all jobs complete once",
                     finish(cluster, running, waiting))
        report.check(f"slurmctld {how.name}: none was stopped without cause",
                     begins(cluster, running) == ["0"])
        cluster.end_agent()


def slurmd_killed(report, cluster, agent):
    cluster.begin_agent(agent)
    job = submit(cluster, 1, 600)
    cluster.wait_for_state(job, ("RUNNING",))
    node = next(iter(cluster.show()[job]["gpus"]))
    cluster.kill_daemon(f"slurmd.{node}", signal.SIGKILL)
    moved = cluster.wait("the job runs elsewhere", lambda: (
        lambda record: record["JobState"] == "RUNNING" and node not in record["gpus"]
        and record["gpus"])(cluster.show()[job]), 150)
    report.check("a job whose node dies runs again on another", moved)
    cluster.run("scancel", job)
    cluster.begin_slurmd(node)
    cluster.wait(f"{node} is back", lambda: "IDLE" in cluster.run("scontrol", "show", "node", node), 150)
    later = submit(cluster, 8, 5)
    report.check("the node is used again when it is back", finish(cluster, later))


def node_drained(report, cluster, agent):
    cluster.begin_agent(agent)
    job = submit(cluster, 1, 70)
    cluster.wait_for_state(job, ("RUNNING",))
    node = next(iter(cluster.show()[job]["gpus"]))
    cluster.run("scontrol", "update", f"NodeName={node}", "State=DRAIN", "Reason=test")
    others = [submit(cluster, 1, 20) for _ in range(9)]
    cluster.wait("seven of them begin", lambda: sum(
        1 for other in others if begins(cluster, other)) >= 7, 60)
    where = [words[6] for other in others for words in cluster.job_log(other) if words[1] == "begin"]
    report.check("what runs on a draining node goes on", begins(cluster, job) == ["0"] and
                 cluster.show()[job]["JobState"] in ("RUNNING", "COMPLETED"))
    report.check("nothing new starts there", node not in where, where)
    cluster.run("scontrol", "update", f"NodeName={node}", "State=RESUME")
    report.check("all complete once", finish(cluster, job, *others))


def cancelled_while_launching(report, cluster, agent):
    cluster.begin_agent(agent)
    for _ in range(3):
        job = submit(cluster, 8, 50)
        cluster.wait("a release", lambda: cluster.log_lines("release", job), 60)
        cluster.run("scancel", job)
    cancelled_running = submit(cluster, 8, 50)
    cluster.wait_for_state(cancelled_running, ("RUNNING",))
    cluster.run("scancel", cancelled_running)
    after = submit(cluster, 8, 5)
    report.check("the GPUs of cancelled jobs are given on", finish(cluster, after))


def altered_by_its_owner(report, cluster, agent):
    """Its size changes while it waits, and at the very moment of its release."""
    cluster.begin_agent(agent)
    blocker = submit(cluster, 8, 30)
    cluster.wait_for_state(blocker, ("RUNNING",))
    job = submit(cluster, 8, 10)
    cluster.wait("adoption", lambda: cluster.log_lines("adopted", job), 60)
    cluster.run("scontrol", "update", f"JobId={job}", "NumNodes=2-2")
    report.check("a job that was made smaller completes", finish(cluster, blocker, job))
    report.check("on as many nodes as it then asked for",
                 cluster.completions()[job][-1]["NodeCnt"] == "2", cluster.completions()[job])
    racing = submit(cluster, 4, 10)
    cluster.wait("a release", lambda: cluster.log_lines("release", racing), 60)
    cluster.run("scontrol", "update", f"JobId={racing}", "TimeLimit=3", check=False)
    cluster.run("scontrol", "hold", racing, check=False)
    report.check("a job that is held at its release completes after all", finish(cluster, racing))


def owner_releases_past_berth(report, cluster, agent):
    """A job that Slurm starts by itself is berth's from then on, and nothing is given twice."""
    blocker = submit(cluster, 4, 60)
    own = submit(cluster, 8, 10)
    cluster.run("scontrol", "release", blocker)
    cluster.wait_for_state(blocker, ("RUNNING",))
    cluster.begin_agent(agent)
    report.check("both complete once", finish(cluster, blocker, own))
    report.check("none was stopped", begins(cluster, blocker) == ["0"])


def refused_releases(report, cluster, agent):
    """What Slurm does not grant: nine GPUs of a node, and a node that the job itself excludes."""
    cluster.begin_agent(agent)
    many = submit(cluster, 1, 5, gpus=9)
    picky = cluster.submit("-N1", "--gres=gpu:8", "-t5", "-x", "gpu0", arguments=(5,))
    said = cluster.wait("a refusal", lambda: "Slurm" in cluster.show()[picky]["note"], 60)
    report.check("a release that Slurm refuses is said on the job", said,
                 cluster.show()[picky]["note"])
    cluster.run("scancel", picky)
    report.check("nine GPUs of one node are impossible",
                 "can never start" in cluster.show()[many]["note"], cluster.show()[many]["note"])
    fine = submit(cluster, 8, 5)
    report.check("others do not suffer", finish(cluster, fine))


def clock_steps(report, cluster, agent):
    """The agent's wall clock goes an hour ahead while a victim saves, and two hours back while it waits."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("       no C compiler: no clock to set")
        return
    library, shift = cluster.folder / "shifted_clock.so", cluster.folder / "shift"
    cluster.run(compiler, "-shared", "-fPIC", "-o", library,
                Path(__file__).with_name("shifted_clock.c"))
    rebuilt = len(cluster.log_lines("rebuilt"))
    cluster.begin_agent(agent, LD_PRELOAD=str(library), CLOCK_SHIFT=str(shift))
    low = submit(cluster, 8, 40)
    cluster.wait("its second second", lambda: cluster.step_of(low) > 18, 60)
    high = submit(cluster, 4, 10, SAVE + " priority=9")
    cluster.wait("it is told to save", lambda: cluster.log_lines("signal", low), 60)
    shift.write_text("3600")
    cluster.wait_for_state(high, ("RUNNING", "COMPLETED"), 60)
    shift.write_text("-3600")
    report.check("clock steps: both jobs complete once", finish(cluster, low, high))
    report.check("clock steps: the victim resumes where it saved", resumed(cluster, low),
                 cluster.job_log(low))
    saved = [float(words[0]) for words in cluster.job_log(low) if words[1] == "saved"]
    began = float(cluster.job_log(high)[0][0])
    report.check("clock steps: it had the time that it asked for, and no hour more",
                 saved and 1.5 < began - saved[0] < 60, (saved, began))
    report.check("clock steps: nothing had to be told anew",
                 len(cluster.log_lines("rebuilt")) == rebuilt + 1)


ALL = (agent_killed_in_mid_plan, agent_away, slurmctld_restarted, slurmd_killed, node_drained,
       cancelled_while_launching, altered_by_its_owner, owner_releases_past_berth, refused_releases,
       clock_steps)
