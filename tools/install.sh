#!/bin/sh
# Installs Debian packages that are missing. Each argument is PACKAGE:WITNESS; the witness is a command, or the path of
# a file, whose presence shows that the package (or something as good) is there. Nothing is done if all are. Servers
# among them are not started: the tests start their own, elsewhere.
set -eu

# Programs for administrators are not on everybody's PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

missing=""
for pair in "$@"; do
	package=${pair%%:*}
	witness=${pair#*:}
	case $witness in
	/*) test -e "$witness" && continue ;;
	*) command -v "$witness" >/dev/null 2>&1 && continue ;;
	esac
	missing="$missing $package"
done
test -n "$missing" || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "tools/install.sh: please install, under the names of your system:$missing" >&2
	exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "tools/install.sh: please install, as root: apt-get install$missing" >&2
		exit 1
	fi
	sudo=sudo
fi
echo "installing$missing"
# The package lists may be old or absent, so they are fetched first.
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q
# Debian asks this program whether a new server may be started.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap '$sudo rm -f $policy' EXIT
	printf '#!/bin/sh\nexit 101\n' | $sudo tee $policy >/dev/null
	$sudo chmod 755 $policy
fi
# shellcheck disable=SC2086 # several words on purpose
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
