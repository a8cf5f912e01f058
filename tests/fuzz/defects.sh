#!/bin/sh
# Whether fuzz_control finds defects that it has to find: for each patch in defects/ the
# tree is copied, the patch puts the defect back, and the target runs from its corpus until
# it finds it. Prints how many inputs and seconds that took. --check only looks whether the
# patches still fit the tree.
#
# usage: tests/fuzz/defects.sh [SECONDS] [DEFECT…]    (an hour for all together, all)
#        tests/fuzz/defects.sh --check
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
if [ "${1:-}" = --check ]; then
	for defect in tests/fuzz/defects/*.patch; do
		patch --dry-run --silent --force --fuzz=0 -p1 <"$defect" || { echo "$defect does not apply"; exit 1; }
	done
	exit 0
fi
total=${1:-3600}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/defects | sed -n 's/\.patch$//p')
each=$((total / $#))
corpus=$root/tests/fuzz/fuzz_control.corpus
export UBSAN_OPTIONS=print_stacktrace=1

# A copy with the defect in it, whose fuzz_control is built.
prepare() {
	rm -rf "$1/tree/daemon" "$1/tree/tests" "$1"/inputs "$1"/crash-* &&
		mkdir -p "$1/tree" "$1/inputs" &&
		tar -c --exclude=./build --exclude=./.git --exclude=node_modules . | tar -x -C "$1/tree" &&
		patch -s -p1 -d "$1/tree" <"tests/fuzz/defects/$2.patch" &&
		(cd "$1/tree" && cmake --preset fuzz -DJC_WEB=OFF && cmake --build --preset fuzz --target fuzz_control) >"$1/build.log" 2>&1
}

printf '%-18s %10s %8s  %s\n' defect inputs seconds found
status=0
for defect; do
	folder=$root/build/defects/$defect
	prepare "$folder" "$defect" || { echo "$defect: cannot be built, see $folder/build.log"; status=1; continue; }
	target=$folder/tree/build/fuzz/tests/fuzz/fuzz_control
	begin=$(date +%s)
	if ! "$target" -runs=0 "$corpus" >"$folder/log" 2>&1; then
		echo "$defect: is in the corpus, where it must not be"
		status=1
		continue
	fi
	# Counts of branches would keep every input that is only longer.
	nice -n 10 "$target" -max_total_time="$each" -seed=1 -use_counters=0 -max_len=1200 -mutate_depth=1 -timeout=20 \
		-rss_limit_mb=3000 -dict=tests/fuzz/fuzz_control.dict -artifact_prefix="$folder/" \
		-print_final_stats=1 "$folder/inputs" "$corpus" >"$folder/log" 2>&1 || true
	seconds=$(($(date +%s) - begin))
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
	seen=$(sed -n 's/^Seen in: //p' "tests/fuzz/defects/$defect.patch")
	if ! ls "$folder"/crash-* >/dev/null 2>&1; then
		found=no
		status=1
	elif grep -aq "#[0-9]* 0x[0-9a-f]* in $seen " "$folder/log"; then
		found="in $seen"
	else
		found="ANOTHER DEFECT, see $folder/log"
		status=1
	fi
	printf '%-18s %10s %8s  %s\n' "$defect" "${inputs:-0}" "$seconds" "$found"
done
exit $status
