#!/bin/sh
# Prints the version script of the shared library: it gives away what the public
# headers declare and nothing else.
#
# usage: exports.sh NODE HEADER…
set -eu
node=$1
shift
echo "$node {"
echo "global:"
# A prototype begins in the first column; comments, macros and bodies do not count.
cat "$@" | sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' |
	grep -v -e '^[[:space:]#}]' -e '^static ' -e '^typedef ' |
	sed -n 's/^[a-z][^(]*[ *]\(jc_[a-z0-9_]*\)(.*/	\1;/p' | sort -u
echo "local:"
echo "	*;"
echo "};"
