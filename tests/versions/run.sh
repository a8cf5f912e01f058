#!/bin/sh
# Upgrades and downgrades the state of a daemon between an older version and this one: builds both,
# starts them in turn on one state directory, changes things with each, and checks that nothing is
# lost. Needs the history of the repository. Takes a few minutes.
#
# usage: tests/versions/run.sh [COMMIT]     default: the commit in this script, the first with all
#                                           kinds of state
set -eu
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
	exit 0
fi
cd "$(dirname "$0")/../.."
commit=${1:-db244457f6d1114092aaa0d665cea58e2c5062d7}
old=$PWD/build/versions/$(git rev-parse --short "$commit")
jobs=$(nproc)

mkdir -p build/versions
if [ ! -e "$old" ]; then
	git worktree prune
	git worktree add --detach "$old" "$commit"
fi
# build SOURCE BUILD
build() {
	cmake -G Ninja -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF -DJC_WEB=OFF >/dev/null
	cmake --build "$2" -j "$jobs" --target jointcastd jointcast
}
tests/install.sh check
build "$old" "$old/build"
build . build/versions/new
cmake --preset debug >/dev/null
cmake --build --preset debug --target npm_packages
exec node tests/versions/versions.mjs "$old/build" build/versions/new
