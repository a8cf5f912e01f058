#!/bin/sh
# The packages of a build are sound: lintian, what is in them, what the library
# gives away, how programs are hardened; and they work from a folder into which they are unpacked.
#
# usage: contents.sh BUILD     after cpack in BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
packages=$1/packages
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
	echo "packages: $*" >&2
	exit 1
}

said=$(lintian --allow-root --tag-display-limit 0 "$packages"/*.deb) || true
[ -z "$said" ] || fail "lintian reports
$said"

for name in jointcastd jointcast libjointcast0 libjointcast-dev jointcast-viewer jointcast-webcam; do
	set -- "$packages/${name}"_*.deb
	{ [ $# = 1 ] && [ -f "$1" ]; } || fail "not one package '$name'"
	dpkg-deb -x "$1" "$scratch/root"
	# Nothing lies where Debian does not expect it.
	dpkg-deb -c "$1" | awk '{ print $6 }' | grep -vE \
		'^\./(etc/jointcast/|etc/$|usr/$|usr/(bin|include|lib|share)/|$)' && fail "$name: see above"
	dpkg-deb -f "$1" Depends >"$scratch/$name.depends"
done
grep -q libwebsockets-evlib-uv "$scratch/jointcastd.depends" || fail "jointcastd: no loop for libwebsockets"
grep -q libqrencode "$scratch/jointcast.depends" || fail "jointcast: no library of QR codes"
grep -q 'libjointcast0 (= ' "$scratch/libjointcast-dev.depends" || fail "libjointcast-dev: no library"

root=$scratch/root
"$root/usr/bin/jointcast" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' |
	while read -r command; do
		[ -f "$root/usr/share/man/man1/jointcast-$command.1.gz" ] || fail "no page of '$command'"
	done
for file in etc/jointcast/jointcastd.conf etc/jointcast/edge.conf 'usr/lib/systemd/system/jointcast-edge@.service' usr/bin/jointcastd \
	usr/lib/systemd/system/jointcastd.service usr/lib/systemd/system/jointcastd.socket \
	usr/share/man/man5/jointcastd.conf.5.gz usr/share/man/man7/jointcast-protocol.7.gz \
	usr/share/man/man8/jointcastd.8.gz usr/share/doc/jointcastd/proto/PROTOCOL.md \
	usr/share/doc/jointcastd/proto/CORE.md usr/share/doc/jointcastd/proto/MODULES.md \
	usr/share/doc/jointcastd/proto/AVATARS.md usr/share/doc/jointcastd/proto/INVITATIONS.md \
	usr/share/doc/jointcastd/proto/joints.json usr/share/doc/jointcastd/proto/face.json usr/share/doc/jointcastd/proto/chain-table.json \
	usr/share/doc/jointcastd/proto/golden/bundles.json \
	usr/share/doc/jointcastd/examples/headset.conf \
	usr/share/doc/libjointcast-dev/examples/c/subscribe.c \
	usr/share/doc/jointcastd/examples/proxy/jointcastd.conf \
	usr/share/doc/jointcastd/examples/proxy/nginx.conf usr/share/doc/jointcastd/examples/proxy/Caddyfile \
	usr/share/doc/jointcastd/examples/nats/nats-server.conf \
	usr/share/doc/jointcastd/examples/prometheus/alerts.yml \
	usr/share/bash-completion/completions/jointcast usr/share/bash-completion/completions/jointcastd \
	usr/share/zsh/vendor-completions/_jointcast usr/share/zsh/vendor-completions/_jointcastd \
	usr/share/jointcast/web/index.html usr/share/jointcast/web/js/index.js \
	usr/share/jointcast/web/js/package.json usr/share/jointcast/web/js/index.d.ts \
	usr/share/jointcast/web/js/connection/line.js usr/share/jointcast/web/js/LICENSE \
	usr/share/jointcast/web/js/three/index.js usr/share/jointcast/web/js/three/index.d.ts \
	usr/share/jointcast/web/js/react/index.js usr/share/jointcast/web/js/aframe/index.js \
	usr/share/jointcast/web/js/x3d/index.js usr/share/jointcast/web/examples/three.html \
	usr/share/jointcast/web/main.js usr/share/jointcast/web/main.js.gz usr/share/jointcast/web/index.html.gz \
	usr/share/jointcast/web/publish.js usr/share/jointcast/web/beat.js usr/share/jointcast/web/demo-walk.json.gz \
	usr/share/jointcast/web/vendor/lean-qr/lean-qr.js usr/share/jointcast/web/vendor/three-vrm/three-vrm.module.min.js \
	usr/share/jointcast/web/vendor/three/three.module.min.js; do
	[ -f "$root/$file" ] || fail "no $file"
done
# Each vendor has its licence in the copyright file, and the packages have no example that needs others.
for folder in "$root"/usr/share/jointcast/web/vendor/*/; do
	grep -q "^Files: web/vendor/$(basename "$folder")/" "$project/systemd/debian/copyright" || fail "no licence of $folder"
done
[ "$(ls "$root/usr/share/jointcast/web/examples" | xargs)" = "three.html three.html.gz" ] || fail "examples with programs that the package lacks"
# The compressed form of each file is that of its text, and not older.
find "$root/usr/share/jointcast/web" -name '*.gz' | while read -r file; do
	zcat "$file" | cmp - "${file%.gz}" || fail "$file has another text"
	[ ! "$file" -ot "${file%.gz}" ] || fail "$file is older than its text"
done
echo "lintian and contents: fine"

"$here/hardened.sh" "$root/usr/bin/jointcastd" "$root/usr/bin/jointcast" \
	"$(find "$root" -name 'libjointcast.so.0.*')" || fail "see above"
"$here/hardened.sh" --objects "$(find "$root" -name libjointcast.a)" || fail "see above"
echo "hardening: fine"

for header in "$project"/include/jointcast/*.h; do
	echo "#include <jointcast/$(basename "$header")>"
done | clang -x c++ -std=c++17 -Wall -Wextra -Werror -I "$root/usr/include" -fsyntax-only - ||
	fail "C++ cannot include the headers"
dpkg-deb -I "$packages"/libjointcast0_*.deb symbols >"$scratch/symbols"
"$here/symbols.sh" "$(find "$root" -name 'libjointcast.so.0.*')" "$root/usr/include" "$scratch/symbols"

"$here/installed.sh" "$root" "$here"
