#!/bin/sh
# Cross-compiles everything for arm64, and runs under qemu-user what depends on the processor: the
# unit tests of src with all golden vectors, the corpora of the fuzz targets, and the programs, whose
# results are compared with those of this machine. For Debian 12; installs compiler, emulator and
# mmdebstrap, as root or with sudo. The libraries of arm64 are unpacked into build/arm64-sysroot and
# touch no package of this machine. Takes 20 minutes on two processors.
#
# usage: tests/cross/run.sh [quick]
#
#   quick     without the corpora of the fuzz targets
set -eu
case ${1:-} in
-h | --help)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
	exit 0
	;;
esac
cd "$(dirname "$0")/../.."
extent=${1:-all}
triplet=aarch64-linux-gnu
build=$PWD/build/arm64
sysroot=$build-sysroot
jobs=$(nproc)
began=$(date +%s)
step() { printf '\n== %s (%d s)\n' "$*" $(($(date +%s) - began)); }

step "installation"
tests/install.sh check
tests/install.sh packages mmdebstrap qemu-user-static "gcc-$triplet" "g++-$triplet"
if [ ! -e "$sysroot/.complete" ]; then
	rm -rf "$sysroot"
	libraries=$(grep -E '^(lib|zlib).*-dev$' packages.txt | grep -v libclang | tr '\n' ,)
	mmdebstrap --quiet --variant=extract --architectures=arm64 \
		--include="${libraries}libc6-dev,libstdc++-12-dev,libwebsockets-evlib-uv" \
		bookworm "$sysroot"
	touch "$sysroot/.complete"
fi

step "build"
# prepare PRESET BUILD [option…]
prepare() {
	preset=$1
	folder=$2
	shift 2
	cmake --preset "$preset" -B "$folder" -DJC_WERROR=ON "$@" >"$folder.log" 2>&1 || {
		cat "$folder.log"
		exit 1
	}
}
mkdir -p build
prepare release build/release
cmake --build build/release -j "$jobs" --target jointcast jointcastd npm_packages
prepare release "$build" --toolchain tests/cross/toolchain.cmake \
	-DJC_WEB=OFF -DJC_SYSROOT="$sysroot"
cmake --build "$build" -j "$jobs"
for program in clients/cli/jointcast daemon/jointcastd; do
	file "$build/$program"
done

# What ctest starts itself runs under the emulator; other tests get programs that start it.
mkdir -p "$build/emulated"
for program in clients/cli/jointcast daemon/jointcastd; do
	cat >"$build/emulated/$(basename $program)" <<END
#!/bin/sh
exec qemu-aarch64-static -L '$sysroot' '$build/$program' "\$@"
END
	chmod +x "$build/emulated/$(basename $program)"
done

failed=
attempt() {
	step "$1"
	shift
	"$@" || failed="$failed
  $*"
}
for room in humanoid format avatar skeleton motion retarget codec mcap recording; do
	attempt "unit tests: $room" ctest --test-dir "$build/tests/unit/$room" -R '^test_' \
		-j "$jobs" --timeout 1200 --output-on-failure --no-tests=error -Q -O "$build/unit-$room.log"
	tail -n 4 "$build/unit-$room.log"
done
if [ "$extent" = all ]; then
	attempt "corpora of the fuzz targets" ctest --test-dir "$build/tests/fuzz" -R '^fuzz_' -E apply \
		-j "$jobs" --timeout 1800 --output-on-failure
fi
attempt "layouts of the C interface" node tests/package/layouts.mjs --target="$triplet" --sysroot="$sysroot"
attempt "programs" node tests/cross/programs.mjs build/release "$build/emulated"
attempt "figures with known answers" sh -c "for figure in folded between reference a_pose i_pose tilted scaled; do
	node tests/figures/retarget.mjs '$build/emulated/jointcast' \$figure || exit 1; done"

step "summary"
[ -z "$failed" ] || {
	printf 'failed:%s\n' "$failed"
	exit 1
}
echo "all passed"
