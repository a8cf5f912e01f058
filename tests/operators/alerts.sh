#!/bin/sh
# Checks the Prometheus rules of systemd/prometheus with promtool, and runs their unit tests; every
# alert has a test in which it fires and one in which it is silent. Debian package: prometheus.
# daemon_status (ctest) checks that the daemon exports every metric that the rules name.
#
# usage: tests/operators/alerts.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rules=$here/../../systemd/prometheus
fail() {
	echo "alerts: $*" >&2
	exit 1
}
command -v promtool >/dev/null || fail "promtool is missing: apt install prometheus"

promtool check rules "$rules/alerts.yml"
promtool check config "$rules/scrape.yml" >/dev/null
promtool test rules "$here/alerts.test.yml"

sed -n 's/^ *- alert: //p' "$rules/alerts.yml" | while read -r alert; do
	grep -q "name: $alert fires\$" "$here/alerts.test.yml" || fail "no test in which '$alert' fires"
	grep -q "name: $alert is silent\$" "$here/alerts.test.yml" || fail "no test in which '$alert' is silent"
done
# A rule that never fires fails its test.
broken=$(mktemp -d)
trap 'rm -rf "$broken"' EXIT
sed 's/ == 0$/ == 2/' "$rules/alerts.yml" >"$broken/alerts.yml"
sed "s|- .*alerts.yml|- $broken/alerts.yml|" "$here/alerts.test.yml" >"$broken/alerts.test.yml"
! promtool test rules "$broken/alerts.test.yml" >/dev/null 2>&1 || fail "the tests accept a broken rule"
echo "alerts: $(grep -c -- '- alert:' "$rules/alerts.yml") rules, $(grep -c -- '- name:' "$here/alerts.test.yml") tests: fine"
