// The container image of systemd/container: built twice from the packages of a build, byte for byte
// the same; run by podman from compose.yaml, as a user without rights and on a root that cannot be
// written; reached through Caddy with the recipe of systemd/proxy, as in compose.yaml, where Caddy
// is another container. Health check, a subscription with a token, state that outlives a restart.
// Debian packages: buildah, mmdebstrap, podman, podman-compose, crun, netavark, aardvark-dns,
// iptables, caddy, docker-compose. Needs root, for a network namespace, and a mirror of Debian.
//
// usage: node tests/operators/container.mjs [BUILD]     after cpack in BUILD; default: build/release
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { after } from 'node:test';
import { scratch } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';
import { exchange, frames, handshake, Raw, text } from '../e2e/support/websocket_bytes.mjs';

const self = fileURLToPath(import.meta.url);
const ROOT = path.resolve(path.dirname(self), '../..');
const BUILD = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/release'));
const APART = process.env.JOINTCAST_APART;
const folder = APART ?? scratch();
const at = (name) => path.join(folder, name);

/** Runs a program to its end; returns what it prints. */
function run(command, ...args) {
	const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: existsSync(at('container')) ? at('container') : folder });
	assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
	return stdout.trim();
}

// Images and containers stay in the scratch folder. vfs needs nothing of the file system; cgroups
// and higher limits may be out of reach in a container of a build service.
process.env.CONTAINERS_STORAGE_CONF = at('storage.conf');
process.env.CONTAINERS_CONF = at('containers.conf');
if (!APART) {
	writeFileSync(at('storage.conf'), `[storage]\ndriver = "vfs"\ngraphroot = "${at('store')}"\nrunroot = "${at('run')}"\n`);
	writeFileSync(at('containers.conf'), `[containers]\ncgroups = "disabled"
[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "${at('networks')}"
[engine]\ncgroup_manager = "cgroupfs"\nruntime = "crun"\nevents_logger = "file"\nvolume_path = "${at('volumes')}"\n`);
	const build = (name) => run(path.join(ROOT, 'systemd/container/build.sh'), path.join(BUILD, 'packages'), `${name}`);
	const first = build(`oci-archive:${at('first.tar')}`);
	const second = build(`oci-archive:${at('second.tar')}`);
	const docker = build(`docker-archive:${at('docker.tar')}`);
	console.log(`# ${first}\n# ${second}\n# ${docker}`);
	assert.equal(first, second, 'two builds of the same packages differ');
	// A namespace of its own: bridges and rules of podman end with it.
	const prepare = 'ip link set lo up; [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ] || { umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup; }; exec "$@"';
	const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', prepare, 'sh', process.execPath, self, BUILD],
		{ stdio: 'inherit', env: { ...process.env, JOINTCAST_APART: folder } });
	process.exit(status ?? 1);
}

const NAME = 'room.example.org';
const PORT = 8443;
const CONTAINER = 'container_jointcastd_1';
const jointcast = path.join(BUILD, 'clients/cli/jointcast');

for (const part of ['container', 'proxy'])
	cpSync(path.join(ROOT, 'systemd', part), at(part), { recursive: true });
mkdirSync(at('container/keys'));
run(jointcast, 'token', '--new-key', at('container/keys/main.pem'), '--algorithm', 'ES256');
// A body to watch, and no audience without a token.
writeFileSync(at('proxy/jointcastd.conf'), readFileSync(at('proxy/jointcastd.conf'), 'utf8')
	.replace('watch = {"anyone"}', '') + 'source "walker" { uri = "demo:walk" }\n');
run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-keyout', at('tls.key'),
	'-out', at('tls.pem'), '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`);
const tls = { ca: readFileSync(at('tls.pem')), servername: NAME };
const token = run(jointcast, 'token', at('container/keys/main.pem'), '--kid', 'main', '--algorithm', 'ES256', '--sub', 'ada', '--space', '*',
	'--role', 'watch', '--role', 'publish', '--body', '*');

run('podman', 'load', '--quiet', '--input', at('docker.tar'));
run('podman-compose', '--podman-run-args=--ulimit nproc=512:512', 'up', '-d', 'jointcastd');
after(() => spawnSync('podman', ['rm', '-f', '-t', '5', CONTAINER]));
const inspect = (format) => run('podman', 'inspect', CONTAINER, '--format', format);
const log = () => {
	const { stdout, stderr } = spawnSync('podman', ['logs', CONTAINER], { encoding: 'utf8' });
	return stdout + stderr;
};
await until('the daemon', () => log().includes('listening on'));

// Caddy as compose.yaml runs it, with a certificate of the test.
writeFileSync(at('Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${
	readFileSync(at('proxy/Caddyfile'), 'utf8').replace(' {\n\treverse_proxy', ` {\n\ttls ${at('tls.pem')} ${at('tls.key')}\n\treverse_proxy`)}`);
let caddy;
after(() => caddy?.kill());
/** Starts the proxy for the container's address, which a start of the container may change. */
async function startProxy() {
	if (caddy) {
		caddy.kill();
		await new Promise((resolve) => caddy.on('exit', resolve));
	}
	const address = inspect('{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}');
	caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', at('Caddyfile')], { stdio: 'ignore',
		env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, JOINTCAST_SITE: `https://${NAME}:${PORT}`, JOINTCAST_PROXY_TO: `${address}:9873` } });
	await until('the daemon behind its proxy', async () => (await ask('/healthz').catch(() => ({}))).status === 200);
}
const ask = (target, headers = '', body = '', method = 'GET') =>
	exchange(PORT, `${method} ${target} HTTP/1.1\r\nHost: ${NAME}:${PORT}\r\nConnection: close\r\n${headers}\r\n${body}`, tls);
await startProxy();

test('the files for compose are valid', () => {
	run('docker-compose', 'config', '--quiet');
	run('docker-compose', '--file', 'cluster.yaml', 'config', '--quiet');
});

test('the daemon runs without rights, and its root cannot be written', () => {
	const pid = inspect('{{.State.Pid}}');
	const status = Object.fromEntries(readFileSync(`/proc/${pid}/status`, 'utf8').split('\n').map((line) => line.split(/:\s+/)));
	assert.equal(status.Uid, '65532\t65532\t65532\t65532');
	assert.equal(status.Gid, '65532\t65532\t65532\t65532');
	assert.match(status.CapEff, /^0+$/);
	assert.match(status.CapBnd, /^0+$/);
	assert.equal(status.NoNewPrivs, '1');
	assert.equal(status.Seccomp, '2');
	const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n').map((line) => line.split(' '));
	assert.match(mounts.find((fields) => fields[4] === '/')[5], /^ro,/);
	assert.match(mounts.find((fields) => fields[4] === '/var/lib/jointcast')[5], /^rw,/);
});

test('the image has no shell, no package manager and no interpreter', () => {
	const root = `/proc/${inspect('{{.State.Pid}}')}/root`;
	const programs = ['bin', 'sbin', 'usr/bin', 'usr/sbin'].flatMap((name) => (existsSync(path.join(root, name)) ? readdirSync(path.join(root, name)) : []));
	assert.deepEqual(programs.filter((name) => /sh$|perl|python|apt|dpkg|busybox/.test(name)), []);
	assert.ok(programs.includes('jointcastd') && programs.includes('jointcast'));
	assert.match(readFileSync(path.join(root, 'var/lib/dpkg/status'), 'utf8'), /^Package: libssl3\nStatus: install ok installed$/m);
	assert.ok(existsSync(path.join(root, 'usr/share/doc/libc6/copyright')));
});

test('the health check of the image succeeds, and /healthz answers through the proxy', async () => {
	run('podman', 'healthcheck', 'run', CONTAINER);
	const { status, body } = await ask('/healthz');
	assert.equal(status, 200);
	assert.match(body, /^ok\b/);
	assert.match((await ask('/')).body, /<script type="module"/, 'the viewer');
	assert.equal((await ask('/metrics')).status, 404);
});

async function enter(hello) {
	const raw = new Raw(PORT, tls);
	raw.send(handshake({ Host: `${NAME}:${PORT}`, Origin: `https://${NAME}:${PORT}` }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.send(text({ type: 'hello', ...hello }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	raw.received = () => frames(raw.bytes);
	raw.find = (type) => raw.until(() => raw.received().filter(({ opcode }) => opcode === 1).map(({ payload }) => JSON.parse(payload)).find((message) => message.type === type));
	return raw;
}

test('a subscriber with a token receives the body; without one it is refused', async () => {
	const ada = await enter({ token });
	assert.deepEqual((await ada.find('roster')).bodies.map(({ name }) => name), ['walker']);
	await ada.until(() => ada.received().filter(({ opcode }) => opcode === 2).length >= 30);
	ada.socket.destroy();
	const eve = await enter({});
	assert.equal((await eve.find('error')).reason, 'no-token');
	eve.socket.destroy();
});

test('state outlives a restart, and the daemon ends by itself', async () => {
	const figure = JSON.stringify({ nodes: [{ name: 'h', translation: [0, 1, 0] }], bones: { hips: 0 } });
	const bearer = `Authorization: Bearer ${token}\r\n`;
	const put = await ask('/skeletons/figure', `${bearer}Content-Length: ${figure.length}\r\n`, figure, 'PUT');
	assert.equal(put.status, 201, put.body);
	run('podman', 'stop', '-t', '10', CONTAINER);
	assert.equal(inspect('{{.State.ExitCode}}'), '0');
	assert.match(log(), /stopping on SIGTERM/);
	run('podman', 'start', CONTAINER);
	await startProxy();
	const { skeletons } = JSON.parse((await ask('/skeletons', bearer)).body);
	assert.deepEqual(skeletons.map(({ name }) => name), ['figure']);
	assert.doesNotMatch(log(), /eyJ/, 'no token is in the log');
});
