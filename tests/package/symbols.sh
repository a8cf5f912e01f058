#!/bin/sh
# The functions of the public headers, as a compiler reads jointcast.h, the functions that the
# shared library exports, and the list of them in its Debian package are the same.
#
# usage: symbols.sh LIBRARY [INCLUDES [SYMBOLS]]
#        default: include/ and systemd/debian/libjointcast/symbols of this project
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
library=$1
includes=${2:-$project/include}
symbols=${3:-$project/systemd/debian/libjointcast/symbols}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
fail() {
	echo "symbols: $*" >&2
	exit 1
}

# All headers by themselves, then all by the one that includes them.
for header in "$includes"/jointcast/*.h; do
	echo "#include <jointcast/$(basename "$header")>"
done >"$scratch/each.c"
echo '#include <jointcast/jointcast.h>' >"$scratch/all.c"
for source in each all; do
	clang -I "$includes" -fsyntax-only -Xclang -ast-dump "$scratch/$source.c" |
		sed -n "/ static /d; s/.*FunctionDecl [^']* \(jc_[a-z0-9_]*\) '.*/\1/p" |
		sort -u >"$scratch/$source"
	clang -I "$includes" -M "$scratch/$source.c" | tr ' ' '\n' | sed -n 's|.*/\(jointcast/.*\.h\)$|\1|p' |
		sort -u >"$scratch/$source.headers"
done
[ -s "$scratch/each" ] || fail "no function is declared"
diff "$scratch/each.headers" "$scratch/all.headers" || fail "jointcast.h does not include all headers (<)"

nm -D --defined-only "$library" | awk '{ sub("@+", "@", $3); print $3 }' | grep -v '^JOINTCAST_' |
	sort -u >"$scratch/exported"
sed 's/@.*//' "$scratch/exported" | diff "$scratch/all" - || fail "headers (<) and library (>) differ"

sed -n 's/^ \([^ ]*\) .*/\1/p' "$symbols" | grep -v '^JOINTCAST_' >"$scratch/listed"
diff "$scratch/listed" "$scratch/exported" || fail "the list '$symbols' (<) and the library (>) differ.
  Add a new function to the list, in the order of the alphabet, with the version in which it appears.
  A function that is removed or changed breaks programs: raise JC_ABI and begin a new list."
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
grep -q "^$soname libjointcast${soname##*.} #MINVER#$" "$symbols" || fail "the list is not of '$soname'"
echo "$(wc -l <"$scratch/exported") functions in the headers, the library and the list of the package: fine"
