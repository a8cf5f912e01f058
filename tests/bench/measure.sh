#!/bin/sh
# How well motions sit on figures: three motions on three figures, one row each.
#
# usage: tests/bench/measure.sh [JOINTCAST [MOTION… -- FIGURE…]]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
[ -x "$jointcast" ] || {
	echo "measure.sh: $jointcast is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}

if [ $# -eq 0 ]; then
	data=${JOINTCAST_DATA:-$root/../shared/data}
	[ -d "$data" ] || {
		echo "measure.sh: the public motions and figures are not there: set JOINTCAST_DATA" >&2
		exit 1
	}
	set -- "$data/bvh/cmu_12_01_walk.bvh" "$data/bvh/threejs_pirouette.bvh" demo:sit -- \
		"$data/vrm/vrm0_univrm_emission_test.vrm" \
		"$data/vrm/vrm0_cryptovoxels_nonidentity_rest.vrm" "$data/hanim/KoreanCharacter02Chul.x3d"
fi

motions=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	motions="$motions$1
"
	shift
done
[ $# -gt 1 ] || {
	echo "usage: tests/bench/measure.sh [JOINTCAST [MOTION… -- FIGURE…]]" >&2
	exit 2
}
shift

# At one rate, so that what is counted by frame compares.
node -e '
	const { execFileSync } = require("child_process");
	const [jointcast, motions, ...figures] = process.argv.slice(1);
	const base = (path) => path.replace(/.*\//, "");
	const show = (value, digits, width) =>
		(value === null ? "-" : value.toFixed(digits)).padStart(width);
	console.log("motion".padEnd(22), "figure".padEnd(36), "skate cm (source)".padStart(17),
		"depth mm, most".padStart(14), "F1".padStart(6), "ends %".padStart(6),
		"jerk ratio".padStart(10), "past limits".padStart(11), "flips".padStart(5));
	for (const motion of motions.trim().split("\n")) {
		for (const figure of figures) {
			const m = JSON.parse(execFileSync(jointcast,
				["measure", motion, figure, "--fps", "60", "--json"]));
			console.log(base(motion).padEnd(22), base(figure).padEnd(36),
				`${show(m.footSkateCm.worn, 3, 0)} (${show(m.footSkateCm.source, 3, 0)})`.padStart(17),
				`${show(m.penetrationMm.worn, 1, 0)}, ${show(m.penetrationMostMm.worn, 1, 0)}`.padStart(14),
				show(m.contacts.f1, 3, 6), show(100 * m.endEffectorError, 2, 6),
				show(m.jerkRatio, 3, 10),
				`${m.limits.violations}/${m.limits.joints * m.frames}`.padStart(11),
				String(m.signFlips).padStart(5));
		}
	}
' "$jointcast" "$motions" "$@"
