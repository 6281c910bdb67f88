#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# A job that holds its GPUs for SECONDS and does nothing, so that many of them leave the machine alone.
#   idle.sh SECONDS
exec sleep "$1"
