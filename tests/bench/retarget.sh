#!/bin/sh
# Microseconds per body frame: jointcast beside three-vrm in Node, the same
# motion on the same model, one core each, one after the other.
#
# usage: tests/bench/retarget.sh [JOINTCAST [MOTION MODEL.vrm]…]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
[ -x "$jointcast" ] || {
	echo "retarget.sh: $jointcast is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 0 ]; then
	node "$root/tests/oracle/figures.mjs" "$scratch" >"$scratch/list"
	node "$root/tests/cli/body_frames.mjs" 120 >"$scratch/body_frames.jsonl"
	set -- "$scratch/body_frames.jsonl" "$scratch/vrm1_plain.vrm" demo:walk "$scratch/vrm1_between.vrm"
	data=${JOINTCAST_DATA:-$root/../shared/data}
	walk=$data/bvh/cmu_12_01_walk.bvh
	for model in vrm1_debug_robot vrm0_crimsom_polygonalmind vrm0_cryptovoxels_nonidentity_rest; do
		[ -f "$data/vrm/$model.vrm" ] || continue
		set -- "$@" "$scratch/body_frames.jsonl" "$data/vrm/$model.vrm" demo:wave "$data/vrm/$model.vrm" "$walk" "$data/vrm/$model.vrm"
	done
fi

# One core for whatever runs, where the system can do that.
pin=
command -v taskset >/dev/null && pin="taskset -c 0"

printf '%-20s %-36s %5s %9s %9s %9s %9s %6s\n' motion model bones retarget 'with pose' worn \
	three-vrm ratio
while [ $# -gt 1 ]; do
	# shellcheck disable=SC2086 # $pin is words on purpose
	$pin "$jointcast" bench retarget "$1" "$2" --json >"$scratch/ours.json"
	"$jointcast" retarget "$1" "$2" --fps 30 --json >"$scratch/frames.json"
	# shellcheck disable=SC2086
	theirs=$($pin node "$root/tests/bench/three_vrm.mjs" "$2" "$scratch/frames.json" 2>/dev/null)
	node -e '
		const [ours, frames, theirs, motion, model] = process.argv.slice(1);
		const { rows: [row] } = JSON.parse(require("fs").readFileSync(ours));
		const { skeleton } = JSON.parse(require("fs").readFileSync(frames));
		const base = (path) => path.replace(/.*\//, "");
		const figures = [row.retarget_us, row.pose_and_retarget_us, row.worn_us, Number(theirs)]
			.map((value) => value.toFixed(2).padStart(9));
		console.log(base(motion).padEnd(20), base(model).padEnd(36),
			String(Object.keys(skeleton.bones).length).padStart(5), ...figures,
			(theirs / row.worn_us).toFixed(1).padStart(6));
	' "$scratch/ours.json" "$scratch/frames.json" "$theirs" "$1" "$2"
	shift 2
done
