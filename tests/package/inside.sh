#!/bin/sh
# In a bare Debian: the packages of /packages are installed, used, removed and
# purged, and nothing of them is left behind.
#
# usage: inside.sh     by run.sh, as root of the other root
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ours='^(jointcast|libjointcast)'
fail() {
	echo "inside: $*" >&2
	exit 1
}
apt() { apt-get -q -y -o Dpkg::Use-Pty=0 "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "apt-get $*"; }; }
files() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run \
		-o -path /packages -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
		-o -path /var/lib/dpkg \) -prune -o -print | LC_ALL=C sort
}

export DEBIAN_FRONTEND=noninteractive
apt update
# What the checks below need, then what the packages need.
apt install --no-install-recommends systemd man-db bash-completion zsh gcc libc6-dev pkg-config \
	cmake make
# shellcheck disable=SC2046 # names are words
apt install --no-install-recommends $(apt-get -s install /packages/*.deb |
	sed -n 's/^Inst \([^ ]*\) .*/\1/p' | grep -vE "$ours")
files >/tmp/before

apt install /packages/*.deb
dpkg --verify jointcastd jointcast libjointcast0 libjointcast-dev jointcast-viewer || fail "dpkg --verify"
[ -L /etc/systemd/system/multi-user.target.wants/jointcastd.service ] || fail "the service is not enabled"
echo "installed: fine"

"$here/installed.sh" / "$here"

said=$(systemd-analyze verify /usr/lib/systemd/system/jointcastd*.service \
	/usr/lib/systemd/system/jointcastd*.socket jointcast-edge@1.service 2>&1) || fail "systemd-analyze verify: $said"
[ -z "$said" ] || fail "systemd-analyze verify: $said"
systemctl enable jointcast-edge@1.service jointcast-edge@2.service 2>/dev/null
[ -L /etc/systemd/system/multi-user.target.wants/jointcast-edge@2.service ] || fail "no edge can be enabled"
echo "units: fine"

for page in $(dpkg -L jointcastd jointcast | sed -n 's|.*/man/man./\(.*\)\.gz$|\1|p'); do
	name=${page%.*}
	said=$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -P cat "${page##*.}" "$name" 2>&1 >/tmp/page)
	[ -z "$said" ] || fail "man $name: $said"
	grep -q '^NAME' /tmp/page || fail "man $name shows nothing"
done
[ "$(apropos -s 1,5,7,8 jointcast | wc -l)" -ge 14 ] || fail "apropos finds too little"
echo "manual pages: fine"

# As the shells load them, at the first completion.
bash -c '
	. /usr/share/bash-completion/bash_completion
	for name in jointcast jointcastd; do
		_completion_loader $name
		complete -p $name | grep -q "_$name" || exit 1
	done' || fail "the completions of bash"
zsh -fc '
	autoload -Uz compinit && compinit -u -d /tmp/zcompdump
	for name in jointcast jointcastd; do
		[[ $_comps[$name] == _$name ]] && autoload +X _$name || exit 1
	done' || fail "the completions of zsh"
echo "completions: fine"

# An upgrade keeps changed configuration files and a service that was turned off. A removal keeps
# both, and the state.
echo '# ours' >>/etc/jointcast/jointcastd.conf
systemctl disable jointcastd.service 2>/dev/null
dpkg-deb -R /packages/jointcastd_*.deb /tmp/newer
sed -i 's/^Version: .*/Version: 99/' /tmp/newer/DEBIAN/control
echo '# theirs' >>/tmp/newer/etc/jointcast/jointcastd.conf
dpkg-deb -b /tmp/newer /tmp/newer.deb >/dev/null
dpkg --force-confdef --force-confold -i /tmp/newer.deb >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "the upgrade"; }
[ "$(dpkg-query -W -f '${Version}' jointcastd)" = 99 ] || fail "the upgrade did not happen"
tail -n 1 /etc/jointcast/jointcastd.conf | grep -q '^# ours' || fail "the configuration was lost"
tail -n 1 /etc/jointcast/jointcastd.conf.dpkg-dist | grep -q '^# theirs' || fail "the new one is not beside it"
[ ! -e /etc/systemd/system/multi-user.target.wants/jointcastd.service ] || fail "the service was turned on"
mkdir -p /var/lib/private/jointcast/calibrations /etc/jointcast/jointcastd.conf.d
ln -s private/jointcast /var/lib/jointcast
echo '{}' >/var/lib/private/jointcast/calibrations/ada.json
echo 'limits { connections = 8 }' >/etc/jointcast/jointcastd.conf.d/small.conf
installed=$(dpkg-query -W -f '${Package}\n' | grep -E "$ours")
# shellcheck disable=SC2086 # names are words
apt remove $installed
[ -f /etc/jointcast/jointcastd.conf ] || fail "a removal took the configuration"
[ -f /var/lib/private/jointcast/calibrations/ada.json ] || fail "a removal took the state"
# shellcheck disable=SC2086
dpkg --purge $installed >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "the purge"; }
! dpkg-query -W -f '${Package}\n' | grep -E "$ours" || fail "dpkg still knows them"
rm -f /tmp/zcompdump
files | diff /tmp/before - || fail "files (>) were left behind, or (<) taken along"
echo "purged, nothing left behind: fine"
