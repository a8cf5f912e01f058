#!/bin/sh
# Reads tables of poses with Debian's pandas.
#
# usage: tests/foreign/pandas_table.sh BUILD [MOTION…]
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
folder=$build/foreign/pandas
mkdir -p "$folder"
if ! /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
	echo 'pandas is missing: tests/foreign/install.sh installs it' >&2
	exit 1
fi
/usr/bin/python3 "$here/pandas_table.py" "$build/clients/cli/jointcast" "$folder" "$@"
