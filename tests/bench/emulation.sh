#!/bin/sh
# How far whole bodies made of three or six trackers are from the truth, clip by clip.
#
# usage: tests/bench/emulation.sh [JOINTCAST [MOTION…]]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
[ -x "$jointcast" ] || {
	echo "emulation.sh: $jointcast is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 0 ]; then
	data=${JOINTCAST_DATA:-$root/../shared/data}
	[ -d "$data/bvh" ] || {
		echo "emulation.sh: the public motions are not there: set JOINTCAST_DATA" >&2
		exit 1
	}
	# Humanoids that move: the tool refuses the others.
	for file in "$data"/bvh/*.bvh; do
		if "$jointcast" retarget "$file" humanoid --times 0 >/dev/null 2>&1; then
			set -- "$@" "$file"
		fi
	done
	set -- "$@" demo:walk demo:wave demo:sit demo:idle
fi

node "$root/tests/bench/emulation.mjs" "$jointcast" "$scratch" "$@"
