#!/bin/sh
# How far bodies are from the truth after they went through six OSC trackers, clip by clip, and after
# the same with a tenth of the packets lost. A fault in the last column is a wrong alarm.
#
# usage: tests/bench/trackers/osc_trackers.sh [BUILD]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
program=${1:-$root/build/release}/tests/unit/daemon/test_osc_round_trip
data=${JOINTCAST_DATA:-$root/../shared/data}
[ -x "$program" ] || {
	echo "osc_trackers.sh: $program is not built (cmake --build --preset release)" >&2
	exit 1
}
[ -d "$data/bvh" ] || {
	echo "osc_trackers.sh: the public motions are not there: set JOINTCAST_DATA" >&2
	exit 1
}
echo "no loss:"
"$program" "$data"/bvh/*.bvh demo:walk demo:sit
echo "10 % loss, at most one minute:"
"$program" --loss 10 "$data"/bvh/*.bvh demo:walk demo:sit
