#!/bin/sh
# Runs every fuzz target of the module, one after the other, each for the time in the first argument (such as 30s).
# A failing input is kept in the package's testdata/fuzz, where go test finds it from then on.
set -eu
cd "$(dirname "$0")/.."
time=${1:?"usage: tools/fuzz.sh TIME, such as tools/fuzz.sh 30s"}

grep -rE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*\(' . | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\1 \2|' | sort |
	while read -r package target; do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
