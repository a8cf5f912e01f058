#!/bin/sh
# What `--contacts on` does to feet and hands: motions on figures with the stage off and on, and with
# three-vrm on the VRMs among them.
#
# usage: tests/bench/contacts.sh [JOINTCAST [MOTION… -- FIGURE…]]
#
# Without motions: those of contacts/lists.mjs (JC_LIST=chosen or held_back) below JOINTCAST_DATA, with
# motion-corpus/motions.tar.xz unpacked meanwhile. JC_SECONDS: of each motion for pairs of hands (20).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
jointcast=${1:-$root/build/release/clients/cli/jointcast}
[ $# -gt 0 ] && shift
[ -x "$jointcast" ] || {
	echo "contacts.sh: $jointcast is not built (cmake --preset release; cmake --build --preset release)" >&2
	exit 1
}
[ -d "$root/tests/oracle/node_modules" ] || npm ci --silent --prefix "$root/tests/oracle"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 0 ]; then
	data=${JOINTCAST_DATA:-$root/../shared/data}
	[ -d "$data" ] || {
		echo "contacts.sh: the public motions and figures are not there: set JOINTCAST_DATA" >&2
		exit 1
	}
	mkdir "$scratch/corpus"
	tar -C "$scratch/corpus" -xJf "$data/motion-corpus/motions.tar.xz"
	node "$root/tests/bench/contacts/paths.mjs" "$data" "$scratch/corpus" "${JC_LIST:-chosen}" >"$scratch/paths"
	while read -r path; do
		set -- "$@" "$path"
	done <"$scratch/paths"
fi
node "$root/tests/bench/contacts/table.mjs" "$jointcast" "$scratch" "${JC_SECONDS:-20}" "$@"
