// Makes the corpus of fuzz_config: every section with every key, and what is wrong in one way
// each. Usage: node make_config_corpus.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../fuzz_config.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(new URL(name, folder), content);

// The file that is installed, and the same with every example in it.
const installed = readFileSync(new URL('../../../systemd/jointcastd.conf', import.meta.url), 'utf8');
write('installed.conf', installed.replaceAll(/^\s*#.*\n/gm, ''));
write('examples.conf', installed.replaceAll(/^\s*# ?(?=.*[={}].*$)(?![^={\n]*[:;])/gm, ''));

const permits = 'watch = {"anyone"} publish = {"role:publish", "subject:ada"} record = {"nobody"}'
	+ ' moderate = {role:moderate} administer = {"role:administer"}';
const good = {
	server: 'server { listen = "127.0.0.1:9871" web = "/w" state = "/s" hosts = {"a.example", "b.example"}'
		+ ' origins = {"https://c.example:1", "http://d"} }',
	ipv6: 'server { listen = "[::1]:1" } admin { listen = "unix:/run/a" } proxy { listen = "[::]:2" forwarded = true }',
	admin: 'admin { listen = "127.0.0.1:1" }',
	tls: 'tls { listen = "0.0.0.0:9443" certificate = "/c" key = "/k" } auth { key "a" { algorithm = HS256 file = /f } }',
	development: 'tls { listen = "127.0.0.1:9443" development = on } server { state = /s }',
	auth: 'auth { audience = "x" key "1" { algorithm = "ES256" file = "/k" } key "2" { algorithm = "RS256" file = "/l" revoked = true } }',
	cluster: 'cluster { nats = "tls://ada:secret@nats.example,tls://[::1]:4222,tls://token@h" role = "edge" name = "hall-2"'
		+ ' credentials = /n.creds ca = /ca.pem certificate = /c.pem key = /k.pem }',
	limits: 'limits { connections = 16384 connections_per_address = 1 connections_per_subject = 2'
		+ ' bodies_per_person = 3 rewind_seconds = 300 rewind_bytes = 65536 }',
	spaces: `spaces { hz = 10 bodies = 1 subscribers = 2 streams = 3 leave_after = 2 ${permits} open = {"anyone"} most = 255 most_of_one = 1 linger = 86400 }`,
	space: `space "stage" { hz = 120 bodies = 64 subscribers = 16384 streams = 8192 leave_after = 86400 ${permits} } space "a.b_c-d" { }`,
	skeleton: 'skeleton "knight" { file = "/k.vrm#1" bones = "/k.txt" } skeleton "x" { file = "y#z" }',
	source: 'skeleton "k" { file = f } source "walker" { uri = "demo:walk" space = "stage" skeleton = "k" }',
	vmc_out: 'vmc_out "puppet" { target = "127.0.0.1:39540?body=walker&space=s&hz=30&bones=original" }',
	recording: 'recording { folder = "/r" spaces = {"a", "b"} raw = true scene = "true" packets = "true" sync = "close"'
		+ ' split_seconds = "10" split_bytes = 1048576 keep_days = "7" keep_bytes = "1073741824" }',
	comments: '# one\n// two\n/* three\nfour */ server { /* five */ }\n',
	quotes: "server { web = 'single \\n' state = \"a\\tb\\x41\\101\\\n\" }",
	environment: 'server { web = "${HOME:-/w}" state = ${NOTHING} }',
	added: 'server { hosts = {a} hosts += {b, c} hosts += d }',
	empty: '',
};
const uris = ['file:/a.bvh?loop=0&speed=2&mirror=1&twist=0.5&motion=3&bones=/b.txt&name=Ada&space=s', 'demo:idle?loop&mirror',
	'replay:/r.mcap?loop=1&speed=0.1&from=1&until=2&paused&prefix=old-&rename=a:b&rename=c:d', 'vmc:39539?smooth&avatar=/a.vrm%231',
	'vmc:0.0.0.0:39539?allow=remote&smooth=1,0.5&name=x', 'openxr:?profile=meta&height=1.7&smooth=0.1,2', 'openxr:',
	'file:/a?b?', 'vmc:[::1]:1', 'replay:/r?until=0.5', 'mocopi:12351?peer=192.0.2.1&peer=::1',
	'ifacialmocap:0.0.0.0:49983?allow=remote&phone=192.0.2.8&body=A%26B', 'facemotion3d:1?height=1.7&phone=[::1]:2'];
const bad = {
	'section-twice': 'space "a" { hz = 20 } space "a" { hz = 30 } server { hosts = {a} } server { hosts = {b} }',
	'unknown-section': 'servr { }', 'unknown-key': 'server {\n\n lissten = "x" }', 'unknown-nothing-near': 'zzzzzzzzzzzz = 1',
	'no-title': 'space { }', 'title-on-one': 'server "x" { }', 'not-closed': 'server { listen = "127.0.0.1:1"',
	'not-closed-text': 'server { web = "x', 'not-closed-comment': '/* x', 'not-closed-list': 'server { hosts = {"a"',
	'no-value': 'server { web = }', 'no-equals': 'server { web "x" }', 'list-for-text': 'server { web = {a} }',
	'empty-list': 'server { hosts = {} origins = {} } spaces { open = {} watch = {} } recording { folder = x spaces = {} }',
	'text-for-number': 'limits { connections = many }', 'too-large': 'limits { connections = 99999999999999999999 }',
	'wraps': 'limits { connections = 4294967297 }', 'negative': 'spaces { most = -1 }', 'hexadecimal': 'limits { connections = 0x10 }',
	'fraction': 'spaces { hz = 59.94 }', 'no-boolean': 'proxy { forwarded = perhaps }', 'nul': 'server { web = "a\0b" }',
	'not-utf8': Buffer.concat([Buffer.from('space "'), Buffer.of(0xff, 0xfe), Buffer.from('" { }')]),
	'include': 'include("/etc/passwd")', 'include-in-section': 'server { include("/etc/passwd") }', 'function': 'system("id")',
	'nats-scheme': 'cluster { nats = "http://h" role = edge }', 'nats-host': 'cluster { nats = "nats://a b" }',
	'nats-port': 'cluster { nats = "nats://h:0" }', 'nats-many': `cluster { nats = "${'nats://h,'.repeat(20)}nats://h" }`,
	'nats-long': `cluster { nats = "nats://${'x'.repeat(600)}" }`, 'role': 'cluster { role = both }', 'host-id': 'cluster { name = "a.b" }',
	'not-loopback': 'server { listen = "0.0.0.0:1" }', 'no-address': 'admin { listen = "unix:relative" }',
	'long-unix': `admin { listen = "unix:/${'x'.repeat(200)}" }`, 'no-port': 'tls { listen = "127.0.0.1" }',
	'large-port': 'proxy { listen = "127.0.0.1:65536" }', 'origin-path': 'server { origins = {"https://a/b"} }',
	'origin-none': 'server { origins = {"*"} }', 'host-port': 'server { hosts = {"a:1"} }', 'host-empty': 'server { hosts = {""} }',
	'algorithm': 'auth { key "a" { algorithm = "none" file = f } }', 'key-no-file': 'auth { key "a" { algorithm = HS256 } }',
	'key-no-algorithm': 'auth { key "a" { file = f } }', 'space-name': 'space "a b" { }', 'space-long': `space "${'x'.repeat(64)}" { }`,
	'permit': 'spaces { open = {"everybody"} }', 'permit-role': 'spaces { open = {"role:king"} }',
	'permit-subject': 'spaces { open = {"subject:"} }',
	'permit-many': `spaces { open = {${Array.from({ length: 9 }, (_, i) => `"subject:${i}"`)}} }`,
	'skeleton-no-file': 'skeleton "x" { }', 'source-no-uri': 'source "x" { }', 'source-no-name': 'source "" { uri = "demo:walk" }',
	'source-unknown-skeleton': 'source "x" { uri = "demo:walk" skeleton = "none" }', 'source-space': 'source "x" { uri = "demo:walk" space = "/" }',
	'recording-no-folder': 'recording { raw = true }', 'recording-empty': 'recording { folder = "" }',
	'recording-long': `recording { folder = "${'x'.repeat(4096)}" }`, 'recording-space': 'recording { folder = f spaces = {"/"} }',
	'too-many-hosts': `server { hosts = {${Array.from({ length: 33 }, (_, i) => `h${i}`)}} }`,
	'too-many-keys': `auth { ${Array.from({ length: 17 }, (_, i) => `key "${i}" { algorithm = HS256 file = f }`).join(' ')} }`,
	'too-many-spaces': Array.from({ length: 257 }, (_, i) => `space "${i}" { }`).join('\n'),
	'too-many-sources': Array.from({ length: 65 }, (_, i) => `source "${i}" { uri = "demo:walk" }`).join('\n'),
	'too-many-skeletons': Array.from({ length: 65 }, (_, i) => `skeleton "${i}" { file = f }`).join('\n'),
	'too-many-sinks': Array.from({ length: 17 }, (_, i) => `vmc_out "${i}" { target = "127.0.0.1:1" }`).join('\n'),
	'deep': '{'.repeat(500), 'name-long': `${'x'.repeat(3000)} = 1`, 'value-long': `server { web = "${'y'.repeat(6000)}" }`,
};
for (const [i, setting] of ['raw = 2', 'sync = often', 'split_seconds = 1', 'split_bytes = -1', 'keep_days = x',
	'keep_bytes = 99999999999999999999'].entries())
	bad[`setting-${i}`] = `recording { folder = f ${setting} }`;
for (const [i, uri] of ['ftp:x', 'file:', 'demo:nobody', 'file:/a?speed=0', 'file:/a?speed=nan', 'file:/a?unknown=1', 'file:/a?loop=2',
	'file:/a?motion=-1', 'file:/a?twist=2', 'file:/a?name=', `file:/a?name=${'x'.repeat(64)}`, 'file:/a?space=/', 'vmc:1.2.3.4:1',
	'vmc:0', 'vmc:x', 'vmc:1?allow=all', 'vmc:1?smooth=1', 'openxr:?profile=x', 'openxr:?height=9', 'openxr:x', 'replay:/r?speed=11',
	'replay:/r?from=2&until=1', 'replay:/r?from=-1', 'replay:/r?rename=a', `replay:/r?prefix=${'x'.repeat(64)}`,
	`replay:/r?${'rename=a:b&'.repeat(17)}`, `file:/${'x'.repeat(4096)}`, 'mocopi:1?peer=x', `mocopi:1?${'peer=1.2.3.4&'.repeat(17)}`,
	'ifacialmocap:1?phone=1.2.3.4', 'facemotion3d:1?body='].entries())
	bad[`uri-${i}`] = `source "x" { uri = "${uri}" }`;
for (const [i, target] of ['x', '127.0.0.1:1?hz=0', '127.0.0.1:1?bones=x', '127.0.0.1:1?body=', '127.0.0.1:1?space=/',
	'127.0.0.1:1?x', '127.0.0.1:0'].entries())
	bad[`target-${i}`] = `vmc_out "x" { target = "${target}" }`;
// Arguments of --record; the target reads each input as one, too.
const records = ['/r', '/r?space=a&raw&scene=false&packets=true&sync=never', '/r?split_seconds=3600&keep_days=1', '', '?raw', '/r?space=/',
	'/r?unknown', `/${'x'.repeat(4096)}`];

for (const [name, text] of Object.entries(good))
	write(`good-${name}.conf`, text);
for (const [i, uri] of uris.entries())
	write(`good-uri-${i}.conf`, `source "x" { uri = "${uri}" }`);
for (const [name, text] of Object.entries(bad))
	write(`bad-${name}.conf`, text);
for (const [i, text] of records.entries())
	write(`record-${i}`, text);
