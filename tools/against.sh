#!/bin/sh
# Builds the commit in the first argument in a worktree of its own, which is removed again, and measures this checkout
# against it. The other arguments go to weft bench.
set -eu
cd "$(dirname "$0")/.."
old=${1:?"usage: tools/against.sh COMMIT [weft bench's words], such as tools/against.sh HEAD latency"}
shift
commit=$(git rev-parse --verify --quiet "$old^{commit}") || {
	echo "tools/against.sh: there is no commit $old" >&2
	exit 2
}
dir=$(mktemp -d)
tree=$dir/tree
# Interrupts reach weft bench, too, which shows what it has measured; then it is time to tidy up.
trap ': wait for weft bench' INT TERM HUP
trap 'git worktree remove --force "$tree" >/dev/null 2>&1 || true; rm -rf "$dir"; git worktree prune' EXIT

git worktree add --quiet --detach "$tree" "$commit"
other=$dir/weft-$(git rev-parse --short "$commit")
(cd "$tree" && go build -o "$other" ./cmd/weft)
go build -o "$dir/weft" ./cmd/weft
status=0
"$dir/weft" bench "$@" --against "$other" || status=$?
exit $status
