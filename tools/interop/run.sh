#!/bin/sh
# Holds Weft against RDMA of the Linux kernel, which runs in a guest:
#   - the software device talks to siw, the kernel's software iWARP: connections in both directions, all operations, endings and
#     faults. Prints a table.
#   - the device for RDMA hardware runs there itself, on rxe, the kernel's software RoCE: the suite of all devices. What it believes of
#     C's structs is held against the headers.
# Fails if a case fails. The first run installs packages and takes minutes.
#
#   CASES=PATTERN   only the cases of the first part that match, and nothing else
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

# in_guest DEVICE PACKAGE PATTERN runs tests of a package in the guest.
in_guest() {
	test=$dir/share/$(basename "$2").test
	CGO_ENABLED=0 go test -tags rdma -c -o "$test" "$2"
	WEFT_VM_TIMEOUT=1500 $vm run env WEFT_RDMA_DEVICE="$1" WEFT_RDMA_ADDR="$(guest_address)" "$test" \
		-test.v -test.short -test.timeout 25m -test.run "$3"
}
guest_address() { $vm exec "ip -o -4 address show dev eth0" | awk '{ sub("/.*", "", $4); print $4 }'; }

if [ -z "${CASES:-}" ]; then
	go test -count=1 ./internal/verbs/kernel/ibv ./internal/verbs/kernel/cm
	in_guest rxe0 ./internal/verbs/kernel/ffi .
	in_guest siw0 ./internal/verbs/kernel/cm Manager
	in_guest rxe0 ./internal/verbs/kernel RealDevice
fi
repeat=${REPEAT:-1}
go test -count=1 -timeout "$((20 * repeat))m" -v -run '^TestInterop$' ./internal/verbs/soft/interop \
	-case "${CASES:-}" -repeat "$repeat" ${SHIPPED:+-shipped} ${PROVOKE:+-provoke}
