#!/bin/sh
# Runs the tests of ./check several times while other processes keep every processor busy.
#
# usage: tests/busy.sh [-n RUNS] [-l LOOPS] [BUILD [ctest option…]]
#
#   -n RUNS    how often the tests run (5)
#   -l LOOPS   busy loops for each processor (2)
#   BUILD      a folder that was built by ./check (build/release)
#   option     selects tests, for example -L plain: the pages (default: the tests of ./check)
#
# Prints a line for each run, with the tests that failed in it. The exit status is 1 if any did.
set -u
cd "$(dirname "$0")/.." || exit 2

runs=5
loops=2
while getopts n:l:h option; do
	case $option in
	n) runs=$OPTARG ;;
	l) loops=$OPTARG ;;
	*)
		sed -n '2,/^set/s/^#\( \|$\)//p' "$0"
		[ "$option" = h ]
		exit
		;;
	esac
done
shift $((OPTIND - 1))
build=${1:-build/release}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- -LE '^(plain|long|sanitized)$'

busy=
trap 'kill $busy 2>/dev/null' EXIT
trap 'exit 2' INT TERM
for _ in $(seq $(($(nproc) * loops))); do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done

logs=$(mktemp -d)
status=0
for run in $(seq "$runs"); do
	began=$(date +%s)
	if ctest --test-dir "$build" --output-on-failure --timeout 900 -j $((2 * $(nproc))) \
		"$@" >"$logs/$run" 2>&1; then
		result="all $(grep -c ' Passed ' "$logs/$run") tests passed"
	else
		status=1
		result="failed, see $logs/$run:$(sed -n 's/^[[:space:]]*[0-9]* - \(.*\) (.*)$/ \1/p' "$logs/$run" | tr '\n' ',')"
	fi
	printf 'run %d of %d: %d s, %s\n' "$run" "$runs" $(($(date +%s) - began)) "$result"
done
exit $status
