# SPDX-License-Identifier: BSL-1.0
"""A real Slurm for a test: started, asked, disturbed and ended. Everything is read from Slurm's own
commands and files."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "scontrol")


def missing_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    return [name for name in NEEDED if shutil.which(name, path=path) is None]


def expand(nodes):
    """gpu[0-1,5],gpu7 -> gpu0 gpu1 gpu5 gpu7."""
    names = []
    for prefix, ranges, plain in re.findall(r"([a-z]+)\[([^\]]+)\]|([a-z]+\d+)", nodes):
        if plain:
            names.append(plain)
        for part in filter(None, ranges.split(",")):
            first, _, last = part.partition("-")
            names += [f"{prefix}{i}" for i in range(int(first), int(last or first) + 1)]
    return names


def indices(text):
    found = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if first.isdigit():
            found |= set(range(int(first), int(last or first) + 1))
    return found


class Cluster:
    def __init__(self, nodes=8, lines=(), **environment):
        self.folder = Path(tempfile.mkdtemp(prefix="berth-slurm-"))
        self.folder.chmod(0o755)
        self.base = self.folder / "slurm"
        self.jobs_folder = self.folder / "jobs"
        self.jobs_folder.mkdir()
        self.environment = dict(os.environ, SLURM_CONF=str(self.base / "slurm.conf"),
                                STATE=str(self.jobs_folder))
        self.environment["PATH"] += ":/usr/sbin"
        self.agent = None
        self.agent_log = self.folder / "agent.log"
        begun = subprocess.run([HERE / "start.sh", self.base, str(nodes), *lines],
                               env=dict(self.environment, **environment), check=False)
        if begun.returncode != 0:
            self.close()
            sys.exit("Slurm could not be started")

    def close(self, keep=False):
        self.end_agent()
        subprocess.run([HERE / "stop.sh", self.base], check=False)
        if keep:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    # --- asking ---

    def run(self, *command, check=True, timeout=30):
        done = subprocess.run([str(word) for word in command], env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              timeout=timeout, cwd=self.jobs_folder)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stdout}")
        return done.stdout

    def submit(self, *options, script="train.sh", arguments=(), held=True):
        words = ["sbatch", "--parsable", "--output=/dev/null", *options]
        if held:
            words.append("-H")
        return int(self.run(*words, HERE / script, *arguments))

    def show(self):
        """Every job as scontrol shows it, by number."""
        jobs = {}
        for text in self.run("scontrol", "show", "job", "-d", check=False).split("\n\n"):
            record = dict(re.findall(r"(\w+)=([^\s]*)", text))
            if record.get("JobId", "").isdigit():
                # GPUs of every node: "Nodes=gpu[0-1] ... GRES=gpu:h100:8(IDX:0-7)".
                record["gpus"] = {}
                if record["JobState"] in ("RUNNING", "COMPLETING"):
                    for nodes, gpus in re.findall(
                            r"Nodes=(\S+) CPU_IDs=\S+ Mem=\S+ GRES=\S*?IDX:([\d,-]+)\)", text):
                        for node in expand(nodes):
                            record["gpus"][node] = indices(gpus)
                note = re.search(r"AdminComment=(.*)", text)
                record["note"] = note.group(1).strip() if note else ""
                jobs[int(record["JobId"])] = record
        return jobs

    def completions(self):
        """Lines of Slurm's own file of ended jobs: number -> list of records, in order."""
        ended = {}
        path = self.base / "log" / "completions"
        for line in path.read_text().splitlines() if path.exists() else ():
            record = dict(re.findall(r"(\w+)=(\S*)", line))
            ended.setdefault(int(record["JobId"]), []).append(record)
        return ended

    def job_log(self, job):
        """What the job itself wrote: lines of words."""
        path = self.jobs_folder / f"{job}.log"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    def step_of(self, job):
        """The last step that it has finished."""
        path = self.jobs_folder / f"{job}.step"
        return int(path.read_text() or 0) if path.exists() else 0

    def wait(self, what, until, seconds):
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if until():
                return True
            time.sleep(0.1)
        print(f"  waited {seconds} s in vain: {what}")
        return False

    def wait_for_state(self, job, states, seconds=60):
        return self.wait(f"job {job} {states}",
                         lambda: self.show().get(job, {}).get("JobState") in states, seconds)

    # --- the agent ---

    def begin_agent(self, program, scheduler="priority", *options, **environment):
        log = open(self.agent_log, "a", encoding="utf-8")
        self.agent = subprocess.Popen(
            [program, "--partition", "main", "--scheduler", scheduler, "--poll-min", "0.05",
             "--poll-max", "0.3", *options], env=dict(self.environment, **environment), stderr=log)
        log.close()

    def end_agent(self, how=signal.SIGTERM):
        if self.agent is None:
            return 0
        if self.agent.poll() is None:
            self.agent.send_signal(how)
        status = self.agent.wait(timeout=60)
        self.agent = None
        return status

    def log_lines(self, event, job=None):
        lines = self.agent_log.read_text().splitlines() if self.agent_log.exists() else []
        return [line for line in lines
                if f" event={event} " in line and (job is None or f" job={job} " in line + " ")]

    # --- disturbing ---

    def kill_daemon(self, name, how):
        """Ends a daemon by its number; waits until it is gone."""
        number = int((self.base / "run" / f"{name}.pid").read_text())
        os.kill(number, how)
        while Path(f"/proc/{number}").exists():
            if Path(f"/proc/{number}/stat").read_text().rsplit(")")[-1].split()[0] == "Z":
                break
            time.sleep(0.05)
        (self.base / "run" / f"{name}.pid").unlink(missing_ok=True)

    def begin_slurmctld(self):
        self.run("slurmctld", "-f", self.base / "slurm.conf")

    def begin_slurmd(self, node):
        self.run("slurmd", "-N", node, "-f", self.base / "slurm.conf")


class Watch(threading.Thread):
    """Looks at Slurm's jobs all the time, and keeps what must never be seen."""

    def __init__(self, cluster, gangs):
        super().__init__(daemon=True)
        self.cluster, self.gangs = cluster, gangs  # number -> (nodes, GPUs on each)
        self.twice, self.broken, self.looks = [], [], 0
        self.first_seen_running = {}
        self._end = threading.Event()

    def run(self):
        while not self._end.is_set():
            try:
                self.look(self.cluster.show())
            except (subprocess.TimeoutExpired, OSError, KeyError):
                pass  # slurmctld is away
            time.sleep(0.15)

    def look(self, jobs):
        self.looks += 1
        holder = {}
        for number, record in jobs.items():
            for node, gpus in record["gpus"].items():
                for gpu in gpus:
                    if (node, gpu) in holder:
                        self.twice.append((node, gpu, holder[node, gpu], number))
                    holder[node, gpu] = number
            if record["JobState"] == "RUNNING":
                self.first_seen_running.setdefault(number, time.time())
                nodes, each = self.gangs.get(number, (None, None))
                shares = [len(gpus) for gpus in record["gpus"].values()]
                if nodes is not None and shares and shares != [each] * nodes:
                    self.broken.append((number, shares))

    def end(self):
        self._end.set()
        self.join()
