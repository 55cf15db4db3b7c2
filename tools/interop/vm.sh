#!/bin/bash
# Runs the Linux kernel's software RDMA in a QEMU guest: siw (iWARP), also as a peer for Weft's software device on this host, and
# rxe (RoCE).
#
#   vm.sh setup          packages from apt, siw built as a module, an initramfs; does nothing when all is there
#   vm.sh start          boots the guest and waits until it answers
#   vm.sh exec COMMAND   runs a shell command in the guest; its output and exit code are ours
#   vm.sh run PROGRAM... runs a program of this host in the guest, in this directory, with its arguments; likewise
#   vm.sh addresses      the guest as this host sees it, and this host as the guest sees it
#   vm.sh log            the guest's console
#   vm.sh stop           powers the guest off
#
# The host needs no RDMA and no module: the guest runs Debian's own kernel. Debian builds that kernel without siw, so siw
# comes from the linux-source package and is built against the matching linux-headers package. For Debian 12, amd64.
#
# Programs that run see all files of this host as they are here, and can write to /tmp, which is their own and empty at first,
# and to the directory share below.
#
# Settings (with their defaults):
#   WEFT_VM_DIR      where everything is kept [${XDG_CACHE_HOME:-~/.cache}/weft-vm]; its share/ is also /share in the guest
#   WEFT_VM_NET      tap, with real TCP segments between host and guest (needs root), or user, where QEMU speaks TCP
#                    for the guest [tap for root, else user]
#   WEFT_VM_CPU      kvm or tcg [kvm if a guest boots with it, else tcg]
#   WEFT_VM_TIMEOUT  seconds that a command may take [60, of run 600]
#
# The guest has three devices: siw0 and rxe0 on eth0, and rxe1 on eth1, which leads nowhere. What siw decides when it is compiled can be changed here while it runs, in
# /sys/module/siw/parameters, for connections made afterwards: mpa_version, mpa_crc_required, peer_to_peer. siw is mended
# in one place, see siw-turn.c; with take_turns=N it is as shipped.
set -euo pipefail

here=$(dirname "$0")
dir=${WEFT_VM_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/weft-vm}
tap=weftvm0
tap_host=10.77.0.1
tap_guest=10.77.0.2
user_host=10.0.2.2
user_guest=10.0.2.15
command_port=8000
# The ports of rping, ucmatose, perftest and siwpeer, then that of the command server.
forwarded_ports="7174 7471 18515 7999 $command_port"
libraries=/usr/lib/x86_64-linux-gnu
kernel=$dir/kernel
root=$dir/initramfs

say() { printf 'vm: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
version() { cat "$dir/version"; }

# ---- setup: packages

apt() {
	local sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends "$@"
}

# What host and guest need beside the kernel.
packages=(gcc libc6-dev make kmod cpio xz-utils curl busybox-static qemu-system-x86 iproute2 rdma-core rdmacm-utils
	ibverbs-utils ibverbs-providers perftest librdmacm-dev libibverbs-dev)

installed() { dpkg -s "$@" >/dev/null 2>&1; }

# complete tells whether everything that comes from packages is there, so that neither apt nor a network is needed.
complete() {
	[ -s "$dir/version" ] && [ -e "$kernel/boot/vmlinuz-$(version)" ] && [ -e "$(cat "$dir/source")" ] &&
		installed "${packages[@]}" "linux-headers-$(version)"
}

# offered is the kernel that apt's index has now: Debian's servers keep no others, so no version is written down here.
offered() { apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-/ { print $2; exit }'; }

# must_have fails unless apt's index has all of these packages.
must_have() {
	local name missing=
	for name; do
		apt-cache show "$name" >/dev/null 2>&1 || missing="$missing $name"
	done
	[ -z "$missing" ] || fail "apt's index lacks$missing; this needs Debian 12 on amd64 with the section main, see $dir/apt.log"
}

# fetch_kernel VERSION unpacks the kernel's image; it is not installed on the host.
fetch_kernel() {
	say "unpacking kernel $1"
	rm -rf "$kernel" "$dir/version" "$dir/siw" "$dir/initramfs.gz"
	mkdir -p "$kernel"
	(cd "$dir" && rm -f linux-image-*.deb && apt-get download -q "linux-image-$1" >>apt.log 2>&1 &&
		dpkg-deb -x linux-image-*.deb "$kernel" && rm -f linux-image-*.deb) ||
		{ tail -20 "$dir/apt.log" >&2; fail "cannot fetch and unpack linux-image-$1, see $dir/apt.log"; }
	echo "$1" >"$dir/version"
}

# setup_packages asks apt for its newest index before it chooses a version: those of an old one are gone.
setup_packages() {
	local image version series
	complete && return
	say "installing packages, see $dir/apt.log"
	apt update >"$dir/apt.log" 2>&1 || say "apt-get update failed, see $dir/apt.log; trying with the index that is there"
	image=$(offered)
	must_have "${image:-linux-image-amd64}"
	version=${image#linux-image-}
	series=linux-source-$(cut -d. -f1,2 <<<"$version")
	must_have "linux-headers-$version" "$series" "${packages[@]}"
	apt install "linux-headers-$version" "$series" "${packages[@]}" >>"$dir/apt.log" 2>&1 ||
		{ tail -20 "$dir/apt.log" >&2; fail "apt-get install failed, see $dir/apt.log"; }
	echo "/usr/src/$series.tar.xz" >"$dir/source"
	[ "$(cat "$dir/version" 2>/dev/null)" = "$version" ] && [ -e "$kernel/boot/vmlinuz-$version" ] || fetch_kernel "$version"
}

# ---- setup: the module

# change FILE SED-COMMAND MARK changes a file of siw; MARK must be in it afterwards.
change() {
	sed -i "$2" "$dir/siw/$1"
	grep -qF "$3" "$dir/siw/$1" || fail "the source of siw has changed: \"$3\" cannot be put into $1"
}

# parameter NAME turns a constant of siw into a module parameter.
parameter() {
	change siw.h "s/^extern const bool $1;/extern bool $1;/" "extern bool $1;"
	change siw_main.c "s/^const bool $1;/bool $1; module_param($1, bool, 0644);/" "module_param($1,"
}

# turns has threads take turns at a send queue (siw-turn.c).
turns() {
	change siw.h 's|^struct siw_qp {|#include <linux/delay.h>\nextern bool take_turns;\nextern unsigned int linger;\n\n&|' 'extern unsigned int linger;'
	change siw.h 's/^\tstruct rw_semaphore state_lock;/&\n\tstruct mutex turn;/' 'struct mutex turn;'
	change siw_verbs.c 's/^\tinit_rwsem(&qp->state_lock);/&\n\tmutex_init(\&qp->turn);/' 'mutex_init(&qp->turn);'
	change siw_verbs.c 's/^\t\tqp->tx_ctx.in_syscall = 0;/\t\tudelay(linger);\n&/' 'udelay(linger);'
	change siw_verbs.c 's/^\t\tqp->tx_ctx.in_syscall = [01];/\t\tif (!take_turns)\n\t&/' 'if (!take_turns)'
	change siw_qp_tx.c 's/^done_crc:/&\n\tif (rv == -EAGAIN)\n\t\tudelay(linger);/' 'udelay(linger);'
	change siw_qp_tx.c 's/^int siw_qp_sq_process(/static int sq_process(/' 'static int sq_process('
	cat "$here/siw-turn.c" >>"$dir/siw/siw_qp_tx.c"
}

setup_module() {
	local version
	version=$(version)
	[ "$dir/siw/siw.ko" -ot "$0" ] || [ "$dir/siw/siw.ko" -ot "$here/siw-turn.c" ] || return 0
	say "building siw"
	rm -rf "$dir/siw" "$dir/initramfs.gz"
	mkdir -p "$dir/siw"
	tar -xJf "$(cat "$dir/source")" -C "$dir/siw" --strip-components=5 --wildcards '*/drivers/infiniband/sw/siw/*'
	parameter mpa_crc_required
	parameter peer_to_peer
	change siw_main.c 's/^u_char mpa_version = MPA_REVISION_2;/&\nmodule_param(mpa_version, byte, 0644);/' 'module_param(mpa_version,'
	turns
	make -s -j"$(nproc)" -C "/usr/src/linux-headers-$version" M="$dir/siw" CONFIG_RDMA_SIW=m modules >"$dir/build.log" 2>&1 ||
		{ tail -20 "$dir/build.log" >&2; fail "siw does not build, see $dir/build.log"; }
	mkdir -p "$kernel/lib/modules/$version/extra"
	strip --strip-debug -o "$kernel/lib/modules/$version/extra/siw.ko" "$dir/siw/siw.ko"
	depmod -b "$kernel" "$version"
}

# ---- setup: the file system of the guest, all of it in memory

copy_modules() {
	local name file plain
	# rxe computes CRCs by crc32, which it does not name among the modules it needs.
	for name in virtio_pci virtio_net 9pnet_virtio 9p crc32c_generic crc32c_intel crc32_generic crc32_pclmul ib_uverbs rdma_ucm iw_cm \
		siw rdma_rxe; do
		modprobe -d "$kernel" -S "$(version)" --show-depends "$name" 2>/dev/null | awk '/^insmod/ { print $2 }'
	done | awk '!seen[$0]++' | while read -r file; do
		plain=$(basename "${file%.xz}")
		case $file in
		*.xz) xz -dc "$file" >"$root/modules/$plain" ;;
		*) cp "$file" "$root/modules/$plain" ;;
		esac
		echo "$plain" >>"$root/modules/order"
	done
}

copy_programs() {
	local name file
	cp "$(command -v busybox)" "$root/bin/busybox"
	for name in ip rdma rping ucmatose ibv_devices ib_send_lat ib_write_bw ib_read_bw; do
		file=$(command -v "$name" || command -v "/usr/sbin/$name" || command -v "/sbin/$name") || fail "no program $name"
		cp -L "$file" "$root/usr/bin/"
	done
	for name in siw rxe; do
		cp "$libraries/libibverbs/lib$name"-rdmav*.so "$root$libraries/libibverbs/"
		cp "/etc/libibverbs.d/$name.driver" "$root/etc/libibverbs.d/"
	done
	for file in "$root"/usr/bin/* "$root$libraries"/libibverbs/*; do
		ldd "$file" 2>/dev/null || true
	done | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r file; do
		case $file in
		*/ld-linux*) cp -L "$file" "$root/lib64/" ;;
		*) cp -L "$file" "$root$libraries/" ;;
		esac
	done
	cp -L "$(gcc -print-file-name=libgcc_s.so.1)" "$root$libraries/" # opened by pthread_exit
}

write_init() {
	echo "root:x:0:0:root:/:/bin/sh" >"$root/etc/passwd"
	echo "root:x:0:" >"$root/etc/group"
	realpath "$dir/share" >"$root/etc/share"
	echo "export PATH=/bin:/sbin:/usr/bin:/usr/sbin HOME=/ LD_LIBRARY_PATH=$libraries" >"$root/etc/profile"
	cat >"$root/www/cgi-bin/run" <<'CGI'
#!/bin/sh
# The command server: a request is a shell script, the answer is its output and then its exit code.
echo "Content-type: text/plain"
echo
. /etc/profile
ulimit -l unlimited
cat >/run/command.$$
sh /run/command.$$ 2>&1 </dev/null
echo "##CODE $?"
rm -f /run/command.$$
CGI
	cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s
. /etc/profile
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in $(cat /modules/order); do insmod /modules/$module || echo "cannot load $module"; done
for word in $(cat /proc/cmdline); do
	case $word in weft_*) eval "$word" ;; esac
done
ip link set lo up
ip addr add $weft_guest/24 dev eth0
ip link set eth0 up
ip route add default via $weft_host
mount -t 9p -o trans=virtio,version=9p2000.L,msize=131072 share /share || echo "cannot mount /share"
rdma link add siw0 type siw netdev eth0 # first: the kernel's connection manager takes it for eth0
rdma link add rxe0 type rxe netdev eth0
ip addr add 10.78.0.2/24 dev eth1
ip link set eth1 up
rdma link add rxe1 type rxe netdev eth1
hostname guest
mkdir -p /dev/shm /dev/pts
mount -t tmpfs shm /dev/shm
mount -t devpts pts /dev/pts
if mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro host /host; then
	for name in proc sys dev; do mount -o rbind /$name /host/$name; done
	mount -o bind /share "/host$(cat /etc/share)"
	for name in tmp run; do mount -t tmpfs $name /host/$name; done
else
	echo "cannot mount /host"
fi
httpd -p $weft_port -h /www
echo GUEST-READY
while :; do sleep 3600; done
INIT
	chmod +x "$root/init" "$root/www/cgi-bin/run"
}

setup_initramfs() {
	[ "$dir/initramfs.gz" -ot "$0" ] || return 0
	say "making the guest's file system"
	rm -rf "$root"
	mkdir -p "$root"/{bin,sbin,usr/bin,usr/sbin,usr/lib,lib64,proc,sys,dev,tmp,run,modules,share,host,www/cgi-bin} \
		"$root/etc/libibverbs.d" "$root$libraries/libibverbs"
	ln -s usr/lib "$root/lib"
	copy_modules
	copy_programs
	write_init
	(cd "$root" && find . -print0 | cpio --null -o -H newc --quiet | gzip -1) >"$dir/initramfs.part"
	mv "$dir/initramfs.part" "$dir/initramfs.gz"
}

setup() {
	mkdir -p "$dir"/{share,run}
	setup_packages
	setup_module
	setup_initramfs
}

# ---- the guest's life

running() { [ -e "$dir/run/pid" ] && kill -0 "$(cat "$dir/run/pid")" 2>/dev/null; }
network() { cat "$dir/run/net"; }
reach() { if [ "$(network)" = tap ]; then echo $tap_guest; else echo 127.0.0.1; fi; }

choose_network() {
	case ${WEFT_VM_NET:-} in
	tap | user) echo "$WEFT_VM_NET" ;;
	"") if [ "$(id -u)" = 0 ] && [ -c /dev/net/tun ]; then echo tap; else echo user; fi ;;
	*) fail "WEFT_VM_NET=$WEFT_VM_NET is neither tap nor user" ;;
	esac
}

# boot ACCELERATOR SECONDS starts the guest and waits for it that long.
boot() {
	local net where port start now
	if [ "$(network)" = tap ]; then
		ip link show $tap >/dev/null 2>&1 || ip tuntap add dev $tap mode tap
		ip addr replace $tap_host/24 dev $tap
		ip link set $tap up
		net="tap,id=net,ifname=$tap,script=no,downscript=no"
		where="weft_guest=$tap_guest weft_host=$tap_host"
	else
		net="user,id=net"
		for port in $forwarded_ports; do net="$net,hostfwd=tcp:127.0.0.1:$port-:$port"; done
		where="weft_guest=$user_guest weft_host=$user_host"
	fi
	qemu-system-x86_64 -accel "$1" -cpu max -smp 2 -m 1536 -display none -monitor none -no-reboot \
		-serial "file:$dir/run/console.log" -kernel "$kernel/boot/vmlinuz-$(version)" -initrd "$dir/initramfs.gz" \
		-append "console=ttyS0 quiet mitigations=off tsc=reliable clocksource=tsc panic=-1 weft_port=$command_port $where" \
		-netdev "$net" -device virtio-net-pci,netdev=net,romfile= \
		-netdev user,id=other,restrict=on -device virtio-net-pci,netdev=other,romfile= \
		-virtfs "local,path=$dir/share,mount_tag=share,security_model=none" \
		-virtfs "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap" >"$dir/run/qemu.log" 2>&1 </dev/null &
	echo $! >"$dir/run/pid"
	start=$(date +%s)
	while running; do
		if grep -q GUEST-READY "$dir/run/console.log" 2>/dev/null && execute 60 true >/dev/null 2>&1; then return 0; fi
		now=$(date +%s)
		[ $((now - start)) -lt "$2" ] || break
		sleep 0.3
	done
	halt
	return 1
}

start() {
	if running; then say "already running"; return; fi
	[ -e "$dir/initramfs.gz" ] || fail "run setup first"
	rm -f "$dir"/run/*
	choose_network >"$dir/run/net"
	if [ "$(network)" = tap ] && [ "$(cat /sys/class/net/$tap/carrier 2>/dev/null)" = 1 ]; then
		fail "another guest uses $tap; one at a time"
	fi
	# That /dev/kvm can be opened does not show that a guest runs with it, as inside some virtual machines.
	local cpu=${WEFT_VM_CPU:-$(cat "$dir/cpu" 2>/dev/null || true)}
	if [ "$cpu" != tcg ] && [ -w /dev/kvm ]; then
		if boot kvm 20; then echo kvm >"$dir/cpu"; say "up, with kvm and $(network) network"; return; fi
		[ "${WEFT_VM_CPU:-}" != kvm ] || fail "the guest does not boot with kvm, see $dir/run"
	fi
	if boot tcg,thread=multi 180; then echo tcg >"$dir/cpu"; say "up, with tcg and $(network) network"; return; fi
	cat "$dir/run/qemu.log" "$dir/run/console.log" >&2 || true
	fail "the guest does not boot"
}

# execute SECONDS COMMAND runs a shell command in the guest.
execute() {
	curl -sN --max-time "$1" --data-binary @- "http://$(reach):$command_port/cgi-bin/run" <<<"$2" |
		awk '/^##CODE / { code = $2; seen = 1; next } { print; fflush() } END { exit seen ? code : 255 }'
}

# run PROGRAM... runs it in the guest, among the files of this host.
run() {
	local seconds=${WEFT_VM_TIMEOUT:-600} command
	command="cd $(printf %q "$PWD") && exec timeout -k 5 $seconds $(printf '%q ' "$@")"
	execute $((seconds + 10)) "exec chroot /host /bin/bash -c $(printf %q "$command")"
}

halt() {
	local pid i
	pid=$(cat "$dir/run/pid")
	kill "$pid" 2>/dev/null || true
	for ((i = 0; i < 40; i++)); do
		running || break
		sleep 0.1
	done
	if running; then kill -9 "$pid" || true; fi
	rm -f "$dir/run/pid"
	if [ "$(network)" = tap ]; then ip link del $tap 2>/dev/null || true; fi
}

stop() {
	if running; then halt; say "stopped"; else say "not running"; fi
}

addresses() {
	if [ "$(network)" = tap ]; then echo "$tap_guest,$tap_host"; else echo "127.0.0.1,$user_host"; fi
}

case ${1:-} in
setup | start | stop | addresses) "$1" ;;
exec | run)
	[ $# -gt 1 ] || fail "$1 needs a command"
	if [ "$1" = run ]; then shift; run "$@"; else shift; execute "${WEFT_VM_TIMEOUT:-60}" "$*"; fi
	;;
log) cat "$dir/run/console.log" ;;
*) sed -n '2,/^set -/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 2 ;;
esac
