#!/bin/sh
# Contact sheets of what `--contacts on` does: boxing, kneeling, clapping, sitting, walking and running, on a
# short and a tall figure and on those of the shortest legs and the widest stance, off and on, from the front
# and the side, with the figures of `jointcast measure`.
#
# usage: tests/bench/contacts/pictures.sh OUT [JOINTCAST [FIGURE…]]
#
# Public motions are those below JOINTCAST_DATA, with motion-corpus/motions.tar.xz unpacked meanwhile; the
# clapping one is that of tests/contacts.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
[ $# -gt 0 ] || {
	echo "usage: pictures.sh OUT [JOINTCAST [FIGURE…]]" >&2
	exit 2
}
out=$1
shift
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
data=${JOINTCAST_DATA:-$root/../shared/data}
[ $# -gt 0 ] || set -- "$data/vrm/vrm0_godette.vrm" "$data/gltf/godot_mannequiny.glb" \
	"$data/gltf/KayKit_Knight.glb" "$data/vrm/vrm0_crimsom_polygonalmind.vrm"
[ -d "$root/tests/oracle/node_modules" ] || npm ci --silent --prefix "$root/tests/oracle"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -C "$scratch" -xJf "$data/motion-corpus/motions.tar.xz"
node "$root/tests/contacts/write_motion.mjs" clap "$scratch/clap.vrma"
corpus=$scratch/train
node "$root/tests/oracle/posed_pictures.mjs" "$jointcast" "$out" \
	"$data/bvh/boxing_toes_extra_line.bvh@6,15,24.13,29" \
	"$corpus/glb_mesh2motion/human-addon-animations.glb#21@0.1,0.4,0.75" \
	"$scratch/clap.vrma@0.5,0.83,1.2" demo:sit@0.9,2,5 \
	"$data/bvh/cmu_12_01_walk.bvh@1,1.6,2.2,3" \
	"$corpus/bvh_cmu/cmu_35_20_mb.bvh@0.3,0.55,0.8,1.1" -- "$@"
