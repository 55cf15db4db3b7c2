#!/bin/bash
# Holds the device for RDMA hardware, and jobs on it, against the kernel's software devices in a guest: rxe (RoCE) and siw (iWARP).
# The last line says what passed; the first run installs packages and takes minutes.
#
#   PARTS="suite jobs tests breaks compare"   what to do [all]
#   DEVICES="rxe0 siw0"                       on what [both]
#   SEEDS="1 2 3"                             of the suite [1]
#   RACE=1                                    the suite under the race detector, which needs a C compiler
#   SOAK=2m                                   time of each soak [20s]
#   ROUNDS=N                                  of the comparison [15]
#
# compare writes docs/results/rdma.md. See docs/building/interop.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

parts=${PARTS:-suite jobs tests breaks compare} devices=${DEVICES:-rxe0 siw0} seeds=${SEEDS:-1} rounds=${ROUNDS:-15} soak=${SOAK:-20s}
vm=$PWD/tools/interop/vm.sh
dir=${WEFT_VM_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/weft-vm}
share=$dir/share/rdma
$vm setup
tools/install.sh gcc:gcc libc6-dev:/usr/include/stdlib.h openmpi-bin:mpirun.openmpi libopenmpi-dev:mpicc.openmpi
mkdir -p "$share"

# ---- what runs in the guest is built here

has() { case " $parts " in *" $1 "*) ;; *) return 1 ;; esac; }

# build makes a program that asks for adapters: our examples do not, so they get the import here.
build() {
	printf 'package main\n\nimport _ "github.com/weft-mpi/weft/mpi/rdma"\n' >"$share/asks.go"
	printf '{"Replace": {"%s": "%s"}}\n' "$PWD/$1/asks.go" "$share/asks.go" >"$share/overlay.json"
	CGO_ENABLED=0 go build -tags rdma -overlay "$share/overlay.json" -o "$share/$(basename "$1")" "$1"
}
if has suite; then
	WEFT_INTEROP=1 go test -count=1 ./internal/verbs/kernel/ibv ./internal/verbs/kernel/cm ./internal/verbs/kernel/rxe
	CGO_ENABLED=${RACE:-0} go test -tags rdma ${RACE:+-race} -c -o "$share/kernel.test" ./internal/verbs/kernel
	CGO_ENABLED=0 go test -tags rdma -c -o "$share/ffi.test" ./internal/verbs/kernel/ffi
	CGO_ENABLED=0 go test -c -o "$share/cm.test" ./internal/verbs/kernel/cm
fi
if has tests; then
	CGO_ENABLED=0 go test -tags rdma -c -o "$share/mpi.test" ./mpi
fi
if has jobs || has breaks || has compare; then
	for each in ./cmd/weft ./examples/pi ./examples/heat ./examples/matmul ./examples/samplesort ./examples/tally ./examples/pingpong; do
		build "$each"
	done
fi
if has compare; then
	mpicc.openmpi -O2 -o "$share/mpi-pingpong" tools/interop/pingpong.c
fi

# ---- the guest

cd "$share" # programs run in this directory, which the guest has, too
trap '$vm stop' EXIT
trap 'exit 1' INT TERM
$vm start
$vm exec 'echo 1 > /sys/module/siw/parameters/peer_to_peer' # as shipped, an acceptor must not send first
address=$($vm exec "ip -o -4 address show dev eth0" | awk '{ sub("/.*", "", $4); print $4 }')
passed=() failed=()

# try NAME SECONDS PROGRAM... runs a program in the guest; its output is kept in NAME.log.
try() {
	local name=$1 seconds=$2 log
	shift 2
	log=$share/${name//[^a-z0-9]/-}.log
	if WEFT_VM_TIMEOUT=$seconds $vm run env "$@" >"$log" 2>&1; then
		passed+=("$name")
		echo "passed: $name"
	else
		failed+=("$name")
		echo "FAILED: $name, see $log"
		grep -E -B2 -A12 -- '--- FAIL|panic:' "$log" | head -60 || tail -20 "$log"
	fi
}

suite() {
	try "calls of libibverbs" 120 WEFT_RDMA_DEVICE=rxe0 ./ffi.test
	try "connection manager" 120 WEFT_RDMA_ADDR="$address" ./cm.test -test.run Manager
	local seed device
	for seed in $seeds; do
		for device in $devices; do
			try "suite on $device, seed $seed" 900 WEFT_RDMA_DEVICE=$device ./kernel.test -test.v -test.short -test.run RealDevice -seed "$seed"
		done
	done
	has_rxe || return 0
	try "suite on rxe by the library" 590 WEFT_RDMA_DEVICE=rxe0 WEFT_LAB_RDMA_LIBRARY=on ./kernel.test -test.v -test.short -test.run RealDevice
}

has_rxe() { case $devices in *rxe*) ;; *) return 1 ;; esac; }

# The guest is emulated, where a short message takes a tenth of a millisecond and, on a busy host, ten: jobs are small.
jobs() {
	local device each n
	for device in $devices $(has_rxe && echo rxe0+rxe1); do
		set -- WEFT_LINKS=rail WEFT_DEVICE=$device WEFT_IFACE=eth0,eth1
		for each in pi "heat -size 48 -steps 200" matmul "samplesort -numbers 100000" tally; do
			for n in 2 4; do
				try "${each%% *} on $device, $n ranks" 180 "$@" ./weft run -n $n ./$each
			done
		done
		for n in 2 4; do
			try "soak of $soak on $device, $n ranks" 400 "$@" ./weft soak -n $n --time $soak
		done
	done
}

# Those of the library's tests that \`make test\` runs on adapters made of Go.
tests() {
	local device
	for device in $devices; do
		try "tests of the library on $device" 900 WEFT_LINKS=rail WEFT_IFACE=eth0 WEFT_DEVICE=$device ./mpi.test -test.short -test.v \
			-test.run '^Test(Windows|EveryAlgorithm|SendModes|Order|Context.*|Truncation)$'
	done
}

# What breaks: a rank that is killed ends the job, which takes seconds only where the guest is slow; a cable that is out for three
# seconds is survived.
breaks() {
	local device
	cat >killed.sh <<-'SCRIPT'
		./weft run -n 2 ./pingpong -max 64 -rounds 100000000 &
		for ((i = 0; i < 300 && $(pgrep -c -x pingpong) < 2; i++)); do sleep 0.2; done
		sleep 5
		begin=$(date +%s%N)
		pkill -9 -n -x pingpong || exit 1
		wait $!
		code=$? took=$((($(date +%s%N) - begin) / 1000000))
		echo "the job ended with code $code, $took ms after the kill"
		[ $code != 0 ] && [ $took -lt 15000 ]
	SCRIPT
	cat >cable.sh <<-'SCRIPT'
		routes=$(ip route show default)
		./weft soak -n 2 --time 30s >soak.out 2>&1 &
		for ((i = 0; i < 600; i++)); do grep -q rounds soak.out && break; sleep 0.1; done # ranks talk
		ip link set eth0 down
		sleep 3
		ip link set eth0 up
		ip route add $routes
		wait $!
		code=$?
		cat soak.out
		exit $code
	SCRIPT
	for device in $devices; do
		set -- WEFT_LINKS=rail WEFT_DEVICE=$device WEFT_IFACE=eth0
		try "a killed rank on $device" 120 "$@" bash ./killed.sh
		try "a cable that is out for 3 s on $device" 200 "$@" bash ./cable.sh
	done
}

# ---- the comparison: programs in turn, so that a busy host disturbs all alike

ompi="mpirun.openmpi --allow-run-as-root --oversubscribe -n 2 --mca pml ucx -x UCX_TLS=rc,self -x UCX_NET_DEVICES=rxe0:1 -x UCX_IB_GID_INDEX=0 ./mpi-pingpong"
weft="env WEFT_LINKS=rail WEFT_IFACE=eth0 WEFT_DEVICE"

compare() {
	cat >measure.sh <<-SCRIPT
		# rows: way, bytes, microseconds
		perftest() { ib_send_lat -d \$1 \$4 -s \$2 -n \$3 -F >server.log 2>&1 & sleep 1.5; ib_send_lat -d \$1 \$4 -s \$2 -n \$3 -F $address 2>/dev/null | awk -v b=\$2 -v w="\$5" '\$1 == b { print w, b, \$5 }'; wait; }
		pingpong() { $weft=\${1%/*} WEFT_LAB_RDMA_LIBRARY=\${1#*/} ./weft run -n 2 ./pingpong -max 65536 -rounds \$2 | awk -v w="\$3" '\$1 == 64 || \$1 == 65536 { print w, \$1, \$2 }'; }
		for round in \$(seq $rounds); do
			for size in "64 300" "65536 30"; do
				set -- \$size
				$ompi \$1 \$2 2>/dev/null | awk '{ print "openmpi", \$0 }'
				perftest rxe0 \$1 \$2 "-x 1" perftest
			done
			pingpong rxe0/off 60 weft-rxe
			pingpong rxe0/on 60 weft-rxe-library
			pingpong siw0/off 60 weft-siw
			pingpong soft/off 60 weft-soft
		done
	SCRIPT
	WEFT_VM_TIMEOUT=900 $vm run bash ./measure.sh >rows.txt 2>measure.log || { failed+=("comparison"); cat measure.log; return; }
	awk -v date="$(date +%F)" -v rounds="$rounds" -v version="$(cat "$dir/version")" -f "$home/tools/interop/compare.awk" rows.txt >"$home/docs/results/rdma.md"
	cat "$home/docs/results/rdma.md"
	passed+=("comparison")
}

home=$(cd "$(dirname "$vm")/../.." && pwd)
for part in $parts; do "$part"; done
if [ ${#failed[@]} -gt 0 ]; then
	printf 'make rdma: %d passed; FAILED: %s\n' ${#passed[@]} "$(IFS=';'; echo "${failed[*]}")"
	exit 1
fi
printf 'make rdma: passed: %s\n' "$(IFS=';'; echo "${passed[*]}")"
