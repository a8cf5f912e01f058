#!/bin/sh
# Builds, tests and packages HEAD in a bare root of each Debian release, and
# installs and purges the packages in another. As root; wants debootstrap and a
# mirror. Takes some minutes a release; the roots are kept for the next time.
#
# usage: tests/package/run.sh [bookworm|trixie]…     default: both
#        JOINTCAST_ROOTS=FOLDER     where the roots are (/var/tmp/jointcast-roots)
#        JOINTCAST_TESTS=no         without the tests of the build
set -eu
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'
	exit 0
fi
# What is mounted and started here is gone with this process.
[ -n "${JOINTCAST_APART:-}" ] ||
	JOINTCAST_APART=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
cd "$(dirname "$0")/../.."
project=$PWD
roots=${JOINTCAST_ROOTS:-/var/tmp/jointcast-roots}
[ $# -gt 0 ] || set -- bookworm trixie
tests=ON
[ "${JOINTCAST_TESTS:-yes}" = yes ] || tests=OFF
mkdir -p "$roots"
step() { printf '\n== %s: %s\n' "$release" "$*"; }

# within ROOT COMMAND…: as a login in there would run it
within() {
	root=$1
	shift
	chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI=true \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$@"
}

# bare NAME: a root with nothing but Debian's base, and this machine's certificates
bare() {
	if [ ! -e "$roots/$1/.complete" ]; then
		rm -rf "${roots:?}/$1"
		debootstrap --variant=minbase --include=ca-certificates "$release" "$roots/$1" \
			>"$roots/$1.log" 2>&1 || { tail -n 20 "$roots/$1.log"; exit 1; }
		cp -L /etc/ssl/certs/ca-certificates.crt "$roots/$1/etc/ssl/certs/"
		touch "$roots/$1/.complete"
	fi
}

# lively NAME: what programs in there look for
lively() {
	mount -t proc proc "$roots/$1/proc"
	mount --rbind /dev "$roots/$1/dev"
	mount -t tmpfs tmpfs "$roots/$1/tmp"
}

for release; do
	step "roots"
	bare "$release"
	if [ ! -e "$roots/$release-build/.complete" ]; then
		rm -rf "${roots:?}/$release-build"
		cp -a "$roots/$release" "$roots/$release-build"
	fi
	lively "$release-build"
	wanted=$(grep -vE '^(chromium|clang-format|clang-tidy|lintian)$' packages.txt)
	# shellcheck disable=SC2086 # names are words
	within "$roots/$release-build" sh -c 'apt-get update -q && apt-get install -q -y \
		--no-install-recommends "$@" && cp /etc/ssl/certs/ca-certificates.crt /tmp' - \
		$wanted nodejs npm >"$roots/$release-build.log" 2>&1 ||
		{ tail -n 20 "$roots/$release-build.log"; exit 1; }
	cp -L /etc/ssl/certs/ca-certificates.crt "$roots/$release-build/etc/ssl/certs/"

	rm -rf "$roots/$release-build/src"
	mkdir "$roots/$release-build/src"
	git -c safe.directory='*' archive HEAD | tar -x -C "$roots/$release-build/src"
	step "build"
	within "$roots/$release-build" sh -ec 'cd /src
		cmake --preset release -DJC_WERROR=ON -DBUILD_TESTING="$1" >/dev/null
		cmake --build --preset release -j "$(nproc)" >/tmp/log || { cat /tmp/log; exit 1; }
		cpack --preset release >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }' - "$tests"
	if [ "$tests" = ON ]; then
		step "tests"
		within "$roots/$release-build" sh -ec 'cd /src/build/release
			ctest --output-on-failure --timeout 300 -j "$(nproc)" | sed "/Start\|Passed/d"'
	fi

	step "installation"
	rm -rf "${roots:?}/$release-run"
	cp -a "$roots/$release" "$roots/$release-run"
	lively "$release-run"
	mkdir "$roots/$release-run/packages" "$roots/$release-run/tmp/package"
	cp "$roots/$release-build"/src/build/release/packages/*.deb "$roots/$release-run/packages"
	cp -r "$project"/tests/package/. "$roots/$release-run/tmp/package"
	within "$roots/$release-run" /tmp/package/inside.sh
done
