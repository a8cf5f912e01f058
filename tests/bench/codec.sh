#!/bin/sh
# What the codecs cost: bytes and errors beside the peers', errors of ours by
# the JavaScript decoder, times in C and Node, and instructions by callgrind.
#
# usage: tests/bench/codec.sh [JOINTCAST [MOTION…]]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
[ -x "$jointcast" ] || {
	echo "codec.sh: $jointcast is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}

# One core for whatever runs, where the system can do that.
pin=
command -v taskset >/dev/null && pin="taskset -c 0"

# shellcheck disable=SC2086 # $pin is words on purpose
$pin node "$root/tests/bench/codec.mjs" "$jointcast" "$@"

# An idle body, and how far a moving one stays from still hands.
"$jointcast" bench codec demo:idle --json --iterations 1 | node -e '
	const { rows } = JSON.parse(require("fs").readFileSync(0));
	for (const row of rows) {
		if (row.clip === "all" && row.codec.startsWith("jointcast") && row.rejoin_bytes_max) {
			console.log(`idle, ${row.hz} Hz, ${row.codec}: rotations ${row.rotation_bytes_mean.toFixed(2)} B,`,
				`sections ${row.payload_bytes_mean.toFixed(2)} B, message ${row.packet_bytes_mean.toFixed(2)} B,`,
				`${row.packet_kbit_s.toFixed(2)} kbit/s; still hands ${row.still_hands_bytes_mean.toFixed(2)} B`);
		}
	}'

command -v valgrind >/dev/null || {
	echo "codec.sh: no instructions are counted: valgrind is not there" >&2
	exit 0
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Instructions inside one function of a run with so many iterations.
count() {
	valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect="$1" \
		"$jointcast" bench codec demo:walk --json --iterations "$2" >"$scratch/json" 2>"$scratch/log" || {
		cat "$scratch/log" >&2
		exit 1
	}
	sed -n 's/^==.* Collected : *\([0-9]*\).*/\1/p' "$scratch/log"
}

# All else is the same in both runs: the difference is that of the iterations,
# which are body frames of 55 bones in each of three precisions.
few=200
many=600
for function in jc_chain_encode jc_chain_decode jc_chain_rotations; do
	node -e '
		const [name, less, more, frames] = process.argv.slice(1);
		console.log(`${name}, 55 bones: ${Math.round((more - less) / frames)} instructions a frame,`,
			"mean of three precisions");
	' "$function" "$(count "$function" $few)" "$(count "$function" $many)" $((3 * (many - few)))
done
