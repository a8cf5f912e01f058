#!/bin/sh
# Sends every public motion as a sound stream, of bones over VMC and as six OSC trackers, and prints
# the faults that the daemon names: each is a false alarm unless the recording itself is wrong.
# Motions of less than 24 seconds repeat.
#
# usage: tests/bench/trackers/sound_streams.sh [BUILD]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
programs=${1:-$root/build/release}/tests/unit/daemon
data=${JOINTCAST_DATA:-$root/../shared/data}
for program in test_stream_faults test_osc_round_trip; do
	[ -x "$programs/$program" ] || {
		echo "sound_streams.sh: $program is not built (cmake --build --preset release)" >&2
		exit 1
	}
done
[ -d "$data/bvh" ] || {
	echo "sound_streams.sh: the public motions are not there: set JOINTCAST_DATA" >&2
	exit 1
}
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
tar -C "$corpus" -xJf "$data/motion-corpus/motions.tar.xz"
motions() {
	find "$corpus" "$data/bvh" "$data/gltf" "$data/vrma" "$data/hanim" -type f \
		\( -name '*.bvh' -o -name '*.glb' -o -name '*.vrma' -o -name '*.x3d' -o -name '*.wrl' \) "$@"
}
echo "bones over VMC:"
motions -exec "$programs/test_stream_faults" {} + || true
echo "six OSC trackers, at most one minute:"
motions -exec "$programs/test_osc_round_trip" {} + |
	awk '/cm mean/ { count++ } / most  ./ { print; faults++ }
	     END { printf "%d motions, %d faults\n", count, faults }'
