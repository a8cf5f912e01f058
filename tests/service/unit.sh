#!/bin/sh
# Checks that the units are valid and that the exposure of the service is as documented, alone
# and with the drop-in for a headset; the same of an edge, whose sandbox is not weaker.
#
# usage: unit.sh SERVICE SOCKET JOINTCASTD DROP-IN README EDGE
set -eu
most=1.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
service=$folder/jointcastd.service

# The program where this build has it.
sed "s#[^ =]*/bin/jointcastd#$3#g" "$1" >"$service"
cp "$2" "$folder/jointcastd.socket"

judge() {
	complaints=$(systemd-analyze verify --man=no "$service" "$folder/jointcastd.socket" 2>&1) ||
		{ echo "$complaints"; exit 1; }
	[ -z "$complaints" ] || { echo "$complaints"; exit 1; }

	exposure=$(systemd-analyze security --offline=yes --no-pager "$service" |
		sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/\1/p')
	echo "$1: exposure $exposure, at most $most"
	[ -n "$exposure" ] && awk "BEGIN { exit !($exposure <= $most) }"
}
judge "by itself"
grep -q "systemd-analyze security.: $exposure)" "$5" || { echo "README.md states another value"; exit 1; }

mkdir "$service.d"
cp "$4" "$service.d"
systemd-analyze security --offline=yes --no-pager "$service" | grep -q 'static non-root user' ||
	{ echo "the drop-in does not count"; exit 1; }
judge "with a headset"

# The instances of the template.
edge=$folder/jointcast-edge@.service
sed "s#[^ =]*/bin/jointcastd#$3#g" "$6" >"$edge"
for number in 1 9; do
	service=$folder/jointcast-edge@$number.service
	ln -s "$edge" "$service"
	judge "edge $number"
done
grep -q '^User=' "$edge" || { echo "edges of different users cannot share a port"; exit 1; }
