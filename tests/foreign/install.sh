#!/bin/sh
# Installs the Debian packages of the foreign programs, where they are missing.
#
# usage: tests/foreign/install.sh
set -eu
exec "$(dirname "$0")/../install.sh" packages blender godot3-server python3-numpy python3-pandas
