#!/bin/sh
# Installs the Debian packages of packages.txt that are missing, and Node.js
# if it is missing. `install.sh demo` leaves out packages that only tests need; `install.sh packages`
# installs the given ones instead.
#
# usage: tests/install.sh [demo|check|packages NAME…]
set -eu
cd "$(dirname "$0")/.."

tools='^(chromium|clang|clang-format|clang-tidy|doxygen|file|jq|libclang-rt-dev|liblo-dev|lintian|mandoc|python3|python3-cryptography|python3-jwt|python3-websockets|systemd|zsh)$'
case ${1:-check} in
demo) wanted=$(grep -vE "$tools" packages.txt) ;;
packages)
	shift
	wanted=$*
	;;
*) wanted=$(cat packages.txt) ;;
esac
# Other builds of Node conflict with Debian's packages: only where absent.
command -v node >/dev/null || wanted="$wanted nodejs"
command -v npm >/dev/null || wanted="$wanted npm"

missing=
for package in $wanted; do
	case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true) in
	ii*) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
as_root=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "jointcast: these packages are missing and need root to install:$missing" >&2
		exit 1
	}
	as_root=sudo
fi
log=$(mktemp)
# shellcheck disable=SC2086 # a list of words on purpose
if ! { $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	echo "jointcast: apt-get could not install:$missing" >&2
	rm -f "$log"
	exit 1
fi
rm -f "$log"
