#!/bin/sh
# Replays the corpora of all fuzz targets and prints how many lines they reach, in each
# parser and in daemon/net, http and control together. Fails when a group of parsers is below
# 90 % or these three folders are below 70 %. A file that no target links counts as not reached at all.
#
# usage: tests/fuzz/coverage.sh [--files] [CORPUS…]      --files: each file too
#
# Every CORPUS is a folder named TARGET.corpus that is used instead of the one beside this
# script, so that inputs can be judged before they are added.
set -eu
cd "$(dirname "$0")/../.."
files=
[ "${1:-}" != --files ] || { files=--files; shift; }

for program in clang llvm-profdata llvm-cov node; do
	command -v "$program" >/dev/null || {
		echo "$program is missing: apt-get install clang llvm nodejs" >&2
		exit 2
	}
done

build=build/coverage
cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
	-DJC_WEB=OFF -DJC_OPENXR=OFF \
	-DCMAKE_C_FLAGS="-fprofile-instr-generate -fcoverage-mapping" >/dev/null
targets=$(find tests/fuzz -name 'fuzz_*.c' | sed 's/.*\///; s/\.c$//' | sort)
cmake --build $build --target $targets >/dev/null

rm -rf $build/profiles
mkdir -p $build/profiles
objects=
for target in $targets; do
	room=$(dirname "$(find tests/fuzz -name "$target.c")")
	corpus=$room/$target.corpus
	for folder in "$@"; do
		[ "$(basename "$folder")" != "$target.corpus" ] || corpus=$folder
	done
	LLVM_PROFILE_FILE=$build/profiles/$target.profraw \
		$build/$room/$target "$corpus" >/dev/null
	objects="$objects -object $build/$room/$target"
done
llvm-profdata merge -sparse -o $build/all.profdata $build/profiles/*.profraw
# The first program is an argument of its own.
llvm-cov export -format=lcov -summary-only -instr-profile $build/all.profdata \
	${objects# -object } >$build/lines.lcov
node tests/fuzz/coverage.mjs $files $build/lines.lcov
