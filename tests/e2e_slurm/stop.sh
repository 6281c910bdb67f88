#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# Ends what start.sh began in FOLDER, and nothing else: daemons by their recorded numbers, then what they
# left running, by the folder in its environment.
#   stop.sh FOLDER
set -uo pipefail
base=$(cd "$1" && pwd) || exit 1
[ -s "$base/pids" ] || exit 0
export SLURM_CONF=$base/slurm.conf

is_ours() { grep -qxE 'slurm(ctld|d|stepd)|munged' "/proc/$1/comm" 2>/dev/null; }
end_all() { # SIGNAL PID...
  local signal=$1 pid
  shift
  for pid in "$@"; do
    if is_ours "$pid"; then
      kill -"$signal" "$pid"
    fi
  done
}
wait_for_end() { # SECONDS PID...
  local limit=$((SECONDS + $1)) pid
  shift
  for pid in "$@"; do
    while is_ours "$pid" && [ "$SECONDS" -lt "$limit" ]; do
      sleep 0.1
    done
  done
}

mapfile -t pids < <(cat "$base/pids" "$base"/run/*.pid 2>/dev/null | sort -un)
munged=$(cat "$base/munge/pid" 2>/dev/null)
jobs=$(timeout 10 squeue -h -o %A 2>/dev/null | sort -u)
if [ -n "$jobs" ]; then
  # shellcheck disable=SC2086  # a list of numbers
  echo $jobs | xargs -n 500 timeout 20 scancel 2>/dev/null
  sleep 1
fi
slurm=()
for pid in "${pids[@]}"; do
  [ "$pid" = "$munged" ] || slurm+=("$pid")
done
end_all TERM "${slurm[@]}"
wait_for_end 15 "${slurm[@]}"
for environment in /proc/[0-9]*/environ; do
  if grep -qsz "SLURM_CONF=$SLURM_CONF" "$environment"; then
    pid=${environment#/proc/}
    end_all KILL "${pid%/environ}"
  fi
done
end_all KILL "${slurm[@]}"
end_all TERM "$munged"
wait_for_end 5 "$munged"
