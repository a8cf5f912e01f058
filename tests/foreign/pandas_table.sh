#!/bin/sh
# Reads tables of poses with Debian's pandas (package python3-pandas).
#
# usage: tests/foreign/pandas_table.sh BUILD [MOTION…]
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
folder=$build/foreign/pandas
mkdir -p "$folder"
if ! /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
	echo 'pandas is missing: apt-get install --no-install-recommends python3-pandas' >&2
	exit 1
fi
/usr/bin/python3 "$here/pandas_table.py" "$build/clients/cli/jointcast" "$folder" "$@"
