#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# A training job: STEPS steps of a tenth of a second. Told to save (SIGUSR1), it keeps the number of the
# step and waits to be requeued; when it runs again, it goes on there. Writes what it does into its log.
#   train.sh STEPS
#   SAVE_ON=TERM   is told by another signal
steps=$1
own=$STATE/$SLURM_JOB_ID
step=$(cat "$own.saved" 2>/dev/null || echo 0)
say() { echo "$(date +%s.%N) $*" >>"$own.log"; }
save() {
  echo "$step" >"$own.new" && mv "$own.new" "$own.saved"
  say saved "$step"
  while :; do sleep 0.1; done
}
trap save "${SAVE_ON:-USR1}"
say begin "$step" run "${SLURM_RESTART_COUNT:-0}" nodes "$SLURM_JOB_NODELIST" came "$(cat "$own.step" 2>/dev/null || echo 0)"
while [ "$step" -lt "$steps" ]; do
  sleep 0.1
  step=$((step + 1))
  echo "$step" >"$own.step"
done
trap '' "${SAVE_ON:-USR1}"  # there is nothing left to save
say end "$step"
