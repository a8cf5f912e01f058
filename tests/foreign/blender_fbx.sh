#!/bin/sh
# Reads FBX files that Debian's Blender wrote (package blender) and compares them with what Blender
# itself states about each bone.
#
# usage: tests/foreign/blender_fbx.sh BUILD [FIGURE.glb…]
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
folder=$build/foreign/blender_fbx
mkdir -p "$folder"
if ! command -v blender >/dev/null; then
	echo 'Blender is missing: apt-get install --no-install-recommends blender python3-numpy' >&2
	exit 1
fi
"$build/clients/cli/jointcast" convert demo:walk "$folder/walk.bvh"
node "$here/blender_fbx.mjs" "$build/clients/cli/jointcast" "$folder" "$here/blender_fbx.py" \
	"$folder/walk.bvh" "$@"
