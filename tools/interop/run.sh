#!/bin/sh
# Holds Weft's software device against siw, the kernel's software iWARP, which runs in a guest: connections in both directions, all
# operations, endings and faults. Prints a table and fails if a case fails. The first run installs packages and takes minutes.
#
#   CASES=PATTERN   only the cases that match
#   REPEAT=N        each of them N times
#   SHIPPED=1       siw as it is shipped, with its faults
#   PROVOKE=1       siw has to stop in the middle of messages and lingers where those faults show
#
# See docs/building/interop.md.
set -eu
cd "$(dirname "$0")/../.."

vm=tools/interop/vm.sh
dir=${WEFT_VM_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/weft-vm}
$vm setup
gcc -O2 -Wall -Wextra -o "$dir/share/siwpeer" tools/interop/siwpeer.c -lrdmacm -libverbs
trap '$vm stop' EXIT
trap 'exit 1' INT TERM
$vm start
WEFT_INTEROP=$($vm addresses)
export WEFT_INTEROP

repeat=${REPEAT:-1}
go test -count=1 -timeout "$((20 * repeat))m" -v -run '^TestInterop$' ./internal/verbs/soft/interop \
	-case "${CASES:-}" -repeat "$repeat" ${SHIPPED:+-shipped} ${PROVOKE:+-provoke}
