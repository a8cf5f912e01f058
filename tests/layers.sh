#!/bin/sh
# Arrows only go down: the core includes nothing that does I/O, and no room
# reaches into another's private headers. (src/codec/training is a tool that
# makes a table of the codec from files; it is no part of the library.)
set -eu
cd "$1"
status=0
fail() { echo "$1"; status=1; }

hits=$(grep -rnE '#include *[<"](uv\.h|libwebsockets|openxr/|systemd/|sys/socket|sys/stat|fcntl|unistd|pthread|time)' src include --exclude-dir=training || true)
[ -z "$hits" ] || fail "the core does no I/O, reads no clock, starts no thread:
$hits"

hits=$(grep -rnE '\b(fopen|open|read|write|socket|clock_gettime|gettimeofday|printf|fprintf|perror|getenv|exit|abort)\(' src --include='*.c' --exclude-dir=training | grep -vE 'sn?printf|vsnprintf|(->|\.)(read|write)\(' || true)
[ -z "$hits" ] || fail "the core prints nothing and touches no file:
$hits"

hits=$(grep -rnE '#include *[<"]cglm' include || true)
[ -z "$hits" ] || fail "cglm's types stay out of public headers:
$hits"

# A quoted include in src/ROOM must be ROOM's own header, a public one or a shared one.
for room in src/*/; do
	room=${room%/}
	[ "$room" != src/include ] || continue
	grep -rhoE '#include *"[^"]+"' "$room" --exclude-dir=training | sed 's/.*"\(.*\)"/\1/' | sort -u | while read -r header; do
		case "$header" in
		jointcast/*) [ -f "include/$header" ] || echo "$room includes unknown $header" ;;
		jointcast_private/*) [ -f "src/include/$header" ] || echo "$room includes unknown $header" ;;
		*) [ -f "$room/$header" ] || echo "$room includes $header, which is not its own" ;;
		esac
	done
done >"${TMPDIR:-/tmp}/layers.$$"
[ ! -s "${TMPDIR:-/tmp}/layers.$$" ] || fail "$(cat "${TMPDIR:-/tmp}/layers.$$")"
rm -f "${TMPDIR:-/tmp}/layers.$$"

# Public and shared headers a room may use: its own floor and the rooms before it.
floor='types|error|limits|lint|transform|tables|humanoid|bvh|csv|gltf|hierarchy|json|osc|scene|text'
allow() {
	hits=$(grep -rnE '#include *"jointcast(_private)?/' "src/$1" --include='*.[ch]' |
		grep -vE "\"jointcast(_private)?/($2)\.h\"" || true)
	[ -z "$hits" ] || fail "src/$1 may not include:
$hits"
}
allow humanoid "$floor"
allow format "$floor"
allow skeleton "$floor|skeleton|hanim|posture|recognition|rest_pose"
allow motion "$floor|skeleton|hanim|posture|recognition|rest_pose|rerest|motion|vmc|write|take"
allow retarget "$floor|skeleton|motion|write|axes|calibration|continuity|emulation|one_euro|plausibility|solver|retarget|fitting|measure"
allow codec "$floor|skeleton|motion|solver|retarget|packet|chain|stream|capture"
allow mcap "$floor|mcap|mcap_bytes|mcap_reader|mcap_writer|mcap_recovery"
allow recording "$floor|skeleton|motion|solver|retarget|packet|chain|stream|capture|mcap|mcap_bytes|mcap_reader|mcap_writer|mcap_recovery|recording|recording_reader|take|write"
exit $status
