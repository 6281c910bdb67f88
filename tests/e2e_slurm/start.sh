#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# A real Slurm on one machine, loopback only, without systemd: munged, slurmctld, and a slurmd for every
# node of 8 GPUs. Prints nothing if all went well; what belongs to it is in the folder $1.
#   start.sh FOLDER [NODES] [LINE OF slurm.conf ...]
#   PARTITIONS=...   its lines of partitions instead of one of all nodes, "main"
# Needs the packages slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge.
set -euo pipefail
base=$(mkdir -p "$1" && cd "$1" && pwd)
nodes=${2:-8}
shift $(($# < 2 ? $# : 2))
[ -z "$(ls -A "$base")" ] || { echo "start.sh: $base is not empty" >&2; exit 1; }

# The daemons listen where the machine's own name leads. If that is not a loopback address by the file of
# hosts, they get a name of their own that is.
if ! getent -s files ahostsv4 "$(hostname)" 2>/dev/null | grep -q '^127\.' && [ -z "${RENAMED:-}" ]; then
  as_user=()
  [ "$(id -u)" -eq 0 ] || as_user=(--user --map-current-user --keep-caps)
  # shellcheck disable=SC2016  # for the inner shell
  exec env RENAMED=1 unshare "${as_user[@]}" --uts bash -c 'hostname localhost && exec "$@"' _ "$0" "$base" "$nodes" "$@"
fi
mkdir "$base"/{state,log,run,munge,spool}
chmod 711 "$base/munge"
host=$(hostname -s)
me=$(id -un)

# As many ports in a row as there are daemons, none of them in use.
in_use() {
  local hex
  hex=$(printf ':%04X ' "$1")
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '{ print $2 " " }' | grep -q "$hex"
}
port=${FIRST_PORT:-21000}
for ((i = 0; i <= nodes; ++i)); do
  if in_use $((port + i)); then
    port=$((port + i + 1))
    i=-1
  fi
  [ "$port" -lt 32000 ] || { echo "start.sh: no free ports" >&2; exit 1; }
done

(umask 077 && head -c 128 /dev/urandom >"$base/munge/key")
munged=$(PATH=$PATH:/usr/sbin command -v munged)
"$munged" --force --key-file="$base/munge/key" --socket="$base/munge/socket" \
  --pid-file="$base/munge/pid" --log-file="$base/munge/log" --seed-file="$base/munge/seed" \
  --num-threads=2 2>"$base/log/munged"
cat "$base/munge/pid" >>"$base/pids"

last=$((nodes - 1))
cat >"$base/slurm.conf" <<CONF
ClusterName=berth
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$base/munge/socket${CRED_EXPIRE:+,cred_expire=$CRED_EXPIRE}
CredType=cred/munge
SlurmUser=$me
SlurmdUser=$me
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$base/state
SlurmdSpoolDir=$base/spool/%n
SlurmctldPidFile=$base/run/slurmctld.pid
SlurmdPidFile=$base/run/slurmd.%n.pid
SlurmctldLogFile=$base/log/slurmctld
SlurmdLogFile=$base/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$base/log/completions
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=2
MinJobAge=600
SlurmdTimeout=${SLURMD_TIMEOUT:-300}
MessageTimeout=${MESSAGE_TIMEOUT:-10}
MaxJobCount=20000
SchedulerParameters=${SCHEDULER_PARAMETERS:-batch_sched_delay=0,default_queue_depth=10000}
CONF
for line in "$@"; do
  echo "$line" >>"$base/slurm.conf"
done
cat >>"$base/slurm.conf" <<CONF
NodeName=gpu[0-$last] NodeAddr=127.0.0.1 NodeHostname=$host Port=[$((port + 1))-$((port + nodes))] CPUs=64 Boards=1 SocketsPerBoard=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:h100:8 State=UNKNOWN
${PARTITIONS:-PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP}
CONF
# A GPU of Slurm needs a device file; nobody opens it here. Terminals are everywhere, other devices need
# root to be made, and plain files do except for CUDA_VISIBLE_DEVICES.
devices="/dev/tty[0-7]"
if ! [ -c /dev/tty0 ] || ! [ -c /dev/tty7 ]; then
  mkdir "$base/devices"
  for i in 0 1 2 3 4 5 6 7; do
    mknod "$base/devices/gpu$i" c 1 3 2>/dev/null || : >"$base/devices/gpu$i"
  done
  devices="$base/devices/gpu[0-7]"
fi
echo "NodeName=gpu[0-$last] Name=gpu Type=h100 File=$devices" >"$base/gres.conf"

# Nothing here is confined by cgroups. A container may have none, and only this plugin starts then.
echo "CgroupPlugin=cgroup/v1" >"$base/cgroup.conf"

export SLURM_CONF=$base/slurm.conf
begin() { # NAME COMMAND...
  local log=$base/log/$1
  shift
  if ! PATH=$PATH:/usr/sbin "$@" >"$log.begin" 2>&1; then
    echo "start.sh: $* failed:" >&2
    tail -n 5 "$log.begin" "$log" >&2
    exit 1
  fi
}
wait_for() { # FILE LOG
  for _ in $(seq 600); do
    [ -s "$1" ] && return
    sleep 0.1
  done
  echo "start.sh: $1 did not come" >&2
  tail -n 5 "$2" >&2
  exit 1
}
begin slurmctld slurmctld -i -f "$SLURM_CONF"
wait_for "$base/run/slurmctld.pid" "$base/log/slurmctld"
cat "$base/run/slurmctld.pid" >>"$base/pids"
for ((i = 0; i < nodes; ++i)); do
  mkdir "$base/spool/gpu$i"
  begin "slurmd.gpu$i" slurmd -N "gpu$i" -f "$SLURM_CONF"
done
for ((i = 0; i < nodes; ++i)); do
  wait_for "$base/run/slurmd.gpu$i.pid" "$base/log/slurmd.gpu$i"
  cat "$base/run/slurmd.gpu$i.pid" >>"$base/pids"
done
for _ in $(seq 600); do
  up=$(timeout 5 sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l || true)
  # It reads its own parameters at its first cycle only.
  if [ "$up" -ge "$nodes" ] && grep -q SchedulerParameters= "$base/log/slurmctld"; then
    exit 0
  fi
  sleep 0.1
done
echo "start.sh: only ${up:-0} of $nodes nodes came up" >&2
exit 1
