#!/bin/sh
# Tests an installation: the daemon behind a socket of its manager, the tool as its client, the
# viewer, and the library in an external program.
#
# usage: installed.sh ROOT FOLDER     ROOT: where packages were unpacked, / when
#                                     they are installed; FOLDER has program/
set -eu
root=${1%/}
folder=$2
scratch=$(mktemp -d)
activator=
finish() {
	[ -z "$activator" ] || kill "$activator" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT
fail() {
	echo "installed: $*" >&2
	[ ! -s "$scratch/log" ] || tail -n 20 "$scratch/log" >&2
	exit 1
}
export PATH="$root/usr/bin:$PATH"
config=$root/etc/jointcast/jointcastd.conf

jointcastd --config "$config" --check-config >/dev/null || fail "the configuration as installed"
jointcastd --config "$root/etc/jointcast/edge.conf" --check-config >/dev/null ||
	fail "the configuration of edges as installed"

# A client's connection starts the daemon. The port is one that is free.
port=$((20000 + $$ % 10000))
tries=0
until [ -n "$activator" ] && grep -q Listening "$scratch/log"; do
	if [ -z "$activator" ] || ! kill -0 "$activator" 2>/dev/null; then
		port=$((port + 1))
		systemd-socket-activate -l "127.0.0.1:$port" "$root/usr/bin/jointcastd" \
			--config "$config" --admin "unix:$scratch/admin" --source demo:walk --source demo:wave >"$scratch/log" 2>&1 &
		activator=$!
	fi
	tries=$((tries + 1))
	[ "$tries" -lt 200 ] || fail "systemd-socket-activate does not listen"
	sleep 0.1
done
url=http://127.0.0.1:$port

jointcast watch "$url" --json | head -n 2 >"$scratch/watch"
grep -q '"name":"walk","state":"live"' "$scratch/watch" ||
	fail "watch sees no body: $(cat "$scratch/watch")"
jointcast status "unix:$scratch/admin" --json | grep -q '"live"' || fail "status lists no live body"
! grep -q 'no viewer' "$scratch/log" || fail "the daemon finds no viewer"
kill -TERM "$activator"
wait "$activator" || fail "the daemon ended with $?"
activator=
echo "daemon, socket activation, status and watch: fine"

library=$(find "$root/usr/lib" -name libjointcast.so.0)
folder_of_library=$(dirname "$library")
export PKG_CONFIG_PATH="$folder_of_library/pkgconfig"
[ -z "$root" ] || export PKG_CONFIG_SYSROOT_DIR="$root"
# shellcheck disable=SC2046 # options are words
cc -Wall -Werror -o "$scratch/shared" "$folder/program/retarget.c" \
	$(pkg-config --cflags --libs jointcast) -lm
# shellcheck disable=SC2046
cc -Wall -Werror -o "$scratch/static" "$folder/program/retarget.c" $(pkg-config --cflags jointcast) \
	-Wl,-Bstatic $(pkg-config --libs jointcast) -Wl,-Bdynamic \
	$(pkg-config --static --libs jointcast | sed 's/-ljointcast//')
cmake -S "$folder/program" -B "$scratch/build" -Djointcast_DIR="$folder_of_library/cmake/jointcast" \
	>"$scratch/log" || fail "find_package"
cmake --build "$scratch/build" >"$scratch/log" || fail "a build with find_package"
export LD_LIBRARY_PATH="$folder_of_library"
"$scratch/shared" >"$scratch/said" || fail "with the shared library"
for program in "$scratch/static" "$scratch/build/with_jointcast" "$scratch/build/with_static"; do
	"$program" | cmp -s - "$scratch/said" || fail "'$(basename "$program")' says something else"
done
for program in "$scratch/shared" "$scratch/build/with_jointcast"; do
	readelf -d "$program" | grep -q 'NEEDED.*libjointcast\.so\.0' || fail "shared is not shared"
done
for program in "$scratch/static" "$scratch/build/with_static"; do
	! readelf -d "$program" | grep -q 'NEEDED.*libjointcast' || fail "static is not static"
done
echo "a program with the library, shared and static, by pkg-config and CMake: fine"

# The examples of the package, as a user builds them; they need more packages than the library.
if pkg-config --exists libwebsockets; then
	env -u PKG_CONFIG_PATH -u PKG_CONFIG_SYSROOT_DIR cmake -S "$root/usr/share/doc/libjointcast-dev/examples/c" \
		-B "$scratch/examples" -Djointcast_DIR="$folder_of_library/cmake/jointcast" >"$scratch/log" ||
		fail "the examples are not configured"
	cmake --build "$scratch/examples" >"$scratch/log" 2>&1 || fail "the examples are not built"
	"$scratch/examples/decode" </dev/null || fail "an example does not run"
	echo "the examples: fine"
fi
