#!/bin/sh
# Runs fuzz targets one after the other, each for so many seconds from its corpus,
# and prints how many inputs it took. New inputs and findings stay in the build
# folder: what is worth keeping goes into the corpus by hand.
#
# usage: tests/fuzz/run.sh [SECONDS] [TARGET…]      (60 seconds, all targets)
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- $(find tests/fuzz -name 'fuzz_*.c' | sed 's/.*\///; s/\.c$//' | sort)

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "$@" >/dev/null
status=0
for target in "$@"; do
	folder=build/fuzz/found/$target
	mkdir -p "$folder/inputs"
	room=$(dirname "$(find tests/fuzz -name "$target.c")")
	dictionary=
	[ ! -f "$room/$target.dict" ] || dictionary=-dict=$room/$target.dict
	if nice -n 19 "build/fuzz/$room/$target" -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=2048 -artifact_prefix="$folder/" -print_final_stats=1 \
		$dictionary \
		"$folder/inputs" "$room/$target.corpus" >"$folder/log" 2>&1; then
		result=ok
	else
		result="FINDING, see $folder"
		status=1
	fi
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
	echo "$target ${inputs:-0} inputs in $seconds s: $result"
done
exit $status
