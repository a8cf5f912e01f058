#!/bin/sh
# Builds the container image of jointcastd from Debian packages: the daemon, the tool, the viewer,
# the libraries that they load, and nothing else (no shell, no package manager). The same packages
# give the same image, byte for byte. Debian packages: buildah, mmdebstrap, dpkg-dev, binutils. No
# registry and no root are needed.
#
# usage: systemd/container/build.sh PACKAGES ARCHIVE [SUITE]
#        PACKAGES   folder with jointcastd_*.deb, jointcast_*.deb, jointcast-viewer_*.deb of SUITE
#                   (cpack: build/release/packages)
#        ARCHIVE    oci-archive:FILE, for registries and Kubernetes (skopeo copy), or
#                   docker-archive:FILE, for compose.yaml: podman load and every docker load read
#                   it, and it states a health check, which the OCI format lacks
#        SUITE      release of Debian that the packages are for (default: bookworm)
set -eu
[ $# -ge 2 ] || {
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2
	exit 2
}
packages=$1 archive=$2 suite=${3:-bookworm}
case $archive in
oci-archive:*) format=oci ;;
docker-archive:*) format=docker ;;
*) echo "build: '$archive' is neither oci-archive:FILE nor docker-archive:FILE" >&2 && exit 2 ;;
esac
mirror=${JOINTCAST_MIRROR:-http://deb.debian.org}

scratch=$(mktemp -d)
container=
finish() {
	[ -z "$container" ] || buildah rm "$container" >/dev/null
	rm -rf "$scratch"
}
trap finish EXIT
chmod 755 "$scratch"
mkdir "$scratch/ours" "$scratch/debs" "$scratch/all" "$scratch/root"
for package in jointcastd jointcast jointcast-viewer; do
	cp "$packages/${package}"_*.deb "$scratch/ours"
done
(cd "$scratch/ours" && dpkg-scanpackages . >Packages 2>/dev/null)
version=$(dpkg-deb -f "$scratch"/ours/jointcastd_*.deb Version)
name=localhost/jointcastd:${version%%-*} # a tag has no "~"

# Downloads the packages and those that they depend on; no script of a package runs.
mmdebstrap --quiet --variant=extract --format=null \
	--include=base-files,jointcastd,jointcast,jointcast-viewer \
	--extract-hook="cp \"\$1\"/var/cache/apt/archives/*.deb '$scratch/debs'" "$suite" - \
	"deb $mirror/debian $suite main" "deb $mirror/debian-security $suite-security main" \
	"deb [trusted=yes] copy:$scratch/ours ./"
for package in "$scratch"/debs/*.deb; do
	dpkg-deb -x "$package" "$scratch/all"
done

# The libraries that the programs load, by their names in the files (DT_NEEDED).
plugin=$(cd "$scratch/all" && find usr/lib -name 'libwebsockets-evlib_uv.so' | head -n 1)
[ -n "$plugin" ] || { echo "build: libwebsockets lacks its part for libuv" >&2; exit 1; }
printf '%s\n' usr/bin/jointcastd usr/bin/jointcast "$plugin" >"$scratch/files"
while read -r file; do
	readelf -d "$scratch/all/$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | while read -r library; do
		found=$(cd "$scratch/all" && find lib usr/lib -name "$library" | head -n 1)
		[ -n "$found" ] || { echo "build: no package has $library" >&2; exit 1; }
		grep -qxF "$found" "$scratch/files" || echo "$found" >>"$scratch/files"
	done
done <"$scratch/files"

# Whole packages, with their licences; the others (perl, dpkg) are there for scripts of packages.
cd "$scratch/root"
mkdir -p var/lib/dpkg
for package in "$scratch"/debs/*.deb; do
	case $(dpkg-deb -f "$package" Package) in
	jointcast | jointcastd | jointcast-viewer | base-files) ;;
	*)
		dpkg-deb --fsys-tarfile "$package" | tar -t -f - | sed 's|^\./||' >"$scratch/list"
		grep -qxFf "$scratch/files" "$scratch/list" || continue
		;;
	esac
	dpkg-deb -x "$package" .
	# Scanners look here for packages with known defects.
	dpkg-deb -f "$package" | sed '/^Package:/a Status: install ok installed' >>var/lib/dpkg/status
	echo >>var/lib/dpkg/status
done
find usr/share/doc -mindepth 2 ! -name copyright ! -type d -delete
find usr/share/doc -mindepth 1 -type d -empty -delete
rm -rf usr/share/man usr/share/lintian usr/share/locale usr/share/bash-completion usr/share/zsh \
	usr/share/info usr/lib/systemd etc/update-motd.d
printf '%s\n' root:x:0:0:root:/root:/usr/sbin/nologin \
	jointcast:x:65532:65532::/var/lib/jointcast:/usr/sbin/nologin >etc/passwd
printf '%s\n' root:x:0: jointcast:x:65532: >etc/group
echo 'hosts: files dns' >etc/nsswitch.conf
mkdir -p etc/jointcast/jointcastd.conf.d
ldconfig -r . -X
rm -rf var/cache/ldconfig # contains inodes
cd "$OLDPWD"

# The newest file dates the image. The state belongs to the user of the daemon.
date=${SOURCE_DATE_EPOCH:-$(find "$scratch"/root/usr/bin -type f -printf '%Ts\n' | sort -n | tail -n 1)}
mkdir -p "$scratch/state/var/lib/jointcast"
chmod 700 "$scratch/state/var/lib/jointcast"
set -- --sort=name --format=posix --numeric-owner --mtime="@$date" \
	--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime
tar -c -f "$scratch/root.tar" "$@" --owner=0 --group=0 -C "$scratch/root" .
tar -r -f "$scratch/root.tar" "$@" --owner=65532 --group=65532 -C "$scratch/state" ./var/lib/jointcast

container=$(buildah from scratch)
buildah add --quiet "$container" "$scratch/root.tar" / >/dev/null
# Only loopback addresses listen by default; a proxy in another container needs keys and
# JOINTCAST_PROXY_LISTEN (compose.yaml).
buildah config --user 65532:65532 --workingdir / --stop-signal SIGTERM \
	--entrypoint '["/usr/bin/jointcastd"]' --cmd '--config /etc/jointcast/jointcastd.conf' \
	--env PATH=/usr/bin --env STATE_DIRECTORY=/var/lib/jointcast \
	--volume /var/lib/jointcast --port 9871/tcp --port 9873/tcp \
	--annotation org.opencontainers.image.title=jointcastd \
	--annotation "org.opencontainers.image.version=$version" "$container"
if [ $format = docker ]; then
	# Asks the listener for administration, inside the container.
	buildah config --healthcheck 'CMD /usr/bin/jointcast status' --healthcheck-interval 30s \
		--healthcheck-timeout 5s --healthcheck-start-period 5s --healthcheck-retries 3 "$container"
fi
image=$(buildah commit --quiet --format $format --timestamp "$date" "$container" "$name")
rm -f "${archive#*:}"
buildah push --quiet "$image" "$archive:$name"
buildah rmi "$image" >/dev/null
echo "$name $image $(wc -c <"${archive#*:}") bytes"
