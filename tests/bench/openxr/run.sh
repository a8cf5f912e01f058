#!/bin/sh
# Measures the cost of an OpenXR source and the delay of its poses, under the mock runtime and
# beside stock Monado (tests/live/monado --help, left out where it cannot run), and counts
# instructions. Times need a quiet machine.
#
# usage: tests/bench/openxr/run.sh [BUILD [SECONDS]]      a release build, seconds of each window
# exit status: 0 the goals are met, else missed
set -eu
case ${1:-} in
-h | --help)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
	exit 0
	;;
esac
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${1:-$root/build/release}
seconds=${2:-20}
[ -x "$build/daemon/jointcastd" ] && [ -e "$build/tests/openxr/runtime.json" ] || {
	echo "run.sh: $build is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}
status=0

node "$root/tests/bench/openxr/latency.mjs" "$build" "$seconds" || status=1
"$root/tests/live/monado" --latency "$seconds" "$build/daemon/jointcastd" || [ $? -eq 77 ] || status=1
if command -v valgrind >/dev/null; then
	node "$root/tests/bench/openxr/instructions.mjs" "$build"
else
	echo "run.sh: no instructions are counted: valgrind is not installed"
fi
exit $status
