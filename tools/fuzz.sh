#!/bin/sh
# Runs every fuzz target of the module, one after the other, each for the time in the first argument (such as 30s).
# A failing input is kept in the package's testdata/fuzz, where go test finds it from then on.
set -eu
cd "$(dirname "$0")/.."
time=${1:?"usage: tools/fuzz.sh TIME, such as tools/fuzz.sh 30s"}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

grep -rE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*\(' . | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\1 \2|' | sort |
	while read -r package target; do
		echo "== $package $target"
		run() { go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" >"$log" 2>&1; }
		status=0
		run || status=$?
		cat "$log"
		# On a busy machine Go takes the end of its own time for a failure now and then. Who fails twice has failed.
		if [ $status != 0 ] && ! grep -q 'Failing input' "$log" && grep -q 'context deadline exceeded' "$log"; then
			status=0
			run || status=$?
			cat "$log"
		fi
		[ $status = 0 ] || exit $status
	done
