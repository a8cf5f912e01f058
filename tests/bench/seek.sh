#!/bin/sh
# How long a jump in a recording of an hour takes: four bodies at 60 Hz, written by our
# writer, a thousand jumps with the file on the disk alone and again from memory.
#
# usage: tests/bench/seek.sh [BUILD]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
[ -f "$build/CMakeCache.txt" ] || {
	echo "seek.sh: $build is no build (cmake --preset release)" >&2
	exit 1
}
cmake --build "$build" --target bench_seek >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$build/tests/bench/bench_seek" "$folder/hour.mcap"
wc -c <"$folder/hour.mcap" | awk '{ printf "the file: %.1f MB\n", $1 / 1e6 }'
