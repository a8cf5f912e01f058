// The state of a daemon: /status, /metrics, and `jointcast status`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { ROOT, scratch, start, writer } from './support/daemon.mjs';
import { until } from './support/until.mjs';
import { exchange, handshake, open, text } from './support/websocket_bytes.mjs';

const jointcast = process.argv[3];
const daemon = await start('--source', 'demo:walk', '--source', 'vmc:0?name=Ada', '--source',
	'demo:idle?space=hall&name=A "quoted" name\\');
after(async () => assert.equal(await daemon.stop(), 0));

const get = (target, headers = '', method = 'GET') =>
	exchange(daemon.admin, `${method} ${target} HTTP/1.1\r\nHost: localhost:${daemon.admin}\r\n${headers}\r\n`);
const status = async () => JSON.parse((await get('/status')).body);

/** Runs the tool beside this process, which has to answer nothing meanwhile. */
function run(...parameters) {
	const child = spawn(jointcast, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
	const result = { stdout: '', stderr: '' };
	child.stdout.on('data', (bytes) => (result.stdout += bytes));
	child.stderr.on('data', (bytes) => (result.stderr += bytes));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}

/** The text format 0.0.4, by its grammar, strictly: families in one piece, each with
 * HELP and TYPE before its samples, no sample twice, histograms that add up. */
function parseMetrics(body) {
	assert.ok(body.endsWith('\n'), 'the last line ends');
	const families = new Map();
	let family;
	for (const line of body.slice(0, -1).split('\n')) {
		let match;
		if ((match = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)$/.exec(line))) {
			assert.ok(!families.has(match[1]), `${match[1]} comes twice`);
			family = { name: match[1], samples: new Map() };
			families.set(match[1], family);
		} else if ((match = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line))) {
			assert.equal(match[1], family.name);
			assert.equal(family.type, undefined);
			family.type = match[2];
		} else {
			match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$/.exec(line);
			assert.ok(match, `not a line of the format: ${line}`);
			const [, name, labels = '', value] = match;
			const rest = labels.replace(
				/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g, '');
			assert.equal(rest, '', `labels: ${line}`);
			const suffix = name.slice(family.name.length);
			assert.ok(name.startsWith(family.name) && (family.type === 'histogram'
				? ['_bucket', '_sum', '_count'].includes(suffix) : suffix === ''), line);
			assert.ok(!family.samples.has(`${name}{${labels}}`), `twice: ${line}`);
			family.samples.set(`${name}{${labels}}`, Number(value.replace('Inf', 'Infinity')));
		}
	}
	for (const { name, type, samples } of families.values()) {
		assert.ok(type, `${name} has no TYPE`);
		assert.equal(type === 'counter', name.endsWith('_total'), name);
		if (type === 'histogram')
			checkHistogram(name, samples);
	}
	return families;
}

function checkHistogram(name, samples) {
	const series = new Map();
	for (const [key, value] of samples) {
		const bucket = /^(.*)_bucket\{(.*?),?le="([^"]*)"\}$/.exec(key);
		if (bucket) {
			const rows = series.get(bucket[2]) ?? [];
			rows.push([bucket[3] === '+Inf' ? Infinity : Number(bucket[3]), value]);
			series.set(bucket[2], rows);
		}
	}
	assert.ok(series.size > 0, name);
	for (const [labels, rows] of series) {
		const key = labels ? `{${labels}}` : '{}';
		assert.equal(rows.at(-1)[0], Infinity);
		assert.equal(rows.at(-1)[1], samples.get(`${name}_count${key}`));
		assert.ok(samples.get(`${name}_sum${key}`) >= 0);
		for (let i = 1; i < rows.length; i++) {
			assert.ok(rows[i][0] > rows[i - 1][0], `${name}: bounds grow`);
			assert.ok(rows[i][1] >= rows[i - 1][1], `${name}: counts grow`);
		}
	}
}

const value = (families, key) => families.get(`jointcast_${key.split('{')[0]}`)
	.samples.get(`jointcast_${key}${key.includes('{') ? '' : '{}'}`);

test('the status names spaces, bodies and sources', async () => {
	const { status: code, headers, body } = await get('/status');
	assert.equal(code, 200);
	assert.equal(headers.get('content-type'), 'application/json');
	assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
	const { version, uptime, spaces } = JSON.parse(body);
	assert.match(version, /^\d+\.\d+\.\d+$/);
	assert.ok(uptime > 0);
	assert.deepEqual(spaces.map(({ name }) => name), ['lobby', 'hall']);
	const [walk] = spaces[0].bodies;
	const [ada] = spaces[0].waiting;
	assert.equal(walk.source.kind, 'demo');
	assert.equal(walk.source.condition, 'live');
	assert.equal(ada.name, 'Ada');
	assert.equal(ada.source.condition, 'waiting');
	assert.match(ada.source.detail, /^port \d+: nothing arrives: start a sender to this port$/);
	assert.equal(spaces[1].bodies[0].name, 'A "quoted" name\\');
});

test('times from capture to the socket are counted once there is a subscriber', async () => {
	assert.equal((await status()).spaces[0].bodies[0].source.latency.count, 0);
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }),
		text({ type: 'subscribe', space: 'lobby' }));
	const { bodies, subscribers, streams, delivered, fanout } = await until('figures', async () => {
		const [space] = (await status()).spaces;
		return space.bodies[0].source.latency.count > 20 && space;
	});
	const { latency } = bodies[0].source;
	assert.equal(subscribers, 1);
	assert.equal(streams, bodies.length);
	assert.ok(delivered >= latency.count);
	assert.ok(fanout.count >= latency.count && fanout.p50 > 0);
	assert.ok(latency.p50 > 0 && latency.p50 <= latency.p99);
	assert.ok((await status()).bytes.sent > 0);
	raw.socket.destroy();
	await until('nobody watches', async () => (await status()).spaces[0].subscribers === 0);
});

test('a sender is live while it sends and stale when it stops', async () => {
	const { detail } = (await status()).spaces[0].waiting[0].source;
	const socket = dgram.createSocket('udp4');
	const pad = (s) => Buffer.concat([Buffer.from(s), Buffer.alloc(4 - (s.length % 4))]);
	const floats = Buffer.alloc(28);
	floats.writeFloatBE(0.9, 4);
	floats.writeFloatBE(1, 24);
	const bone = Buffer.concat([pad('/VMC/Ext/Bone/Pos'), pad(',sfffffff'), pad('Hips'), floats]);
	const send = () => socket.send(bone, Number(detail.match(/^port (\d+)/)[1]), '127.0.0.1');
	const source = async () => (await status()).spaces[0].bodies[1].source;
	await until('it is live', async () => {
		send();
		return (await status()).spaces[0].bodies.length === 2 && (await source()).frames > 1;
	});
	socket.send(Buffer.from('rubbish'), Number(detail.match(/^port (\d+)/)[1]), '127.0.0.1');
	const tail = Buffer.concat([pad('/VMC/Ext/Bone/Pos'), pad(',sfffffff'), pad('Tail'), floats]);
	assert.equal((await source()).ignored, 0);
	assert.ok(!('ignoredReason' in await source()));
	for (const packet of [tail, Buffer.concat([pad('/VMC/Ext/T'), pad(',s'), pad('now')])])
		socket.send(packet, Number(detail.match(/^port (\d+)/)[1]), '127.0.0.1');
	await until('both are counted while it runs', async () => (await source()).ignored === 2);
	assert.equal((await source()).ignoredReason, '/VMC/Ext/Bone/Pos: unknown bone Tail');
	await until('it is stale', async () => (await source()).condition === 'stale');
	assert.equal((await source()).refused, 1);
	socket.close();
});

test('metrics follow the text format and name no person', async () => {
	const { status: code, headers, body } = await get('/metrics');
	assert.equal(code, 200);
	assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
	const families = parseMetrics(body);
	assert.doesNotMatch(body, /Ada|quoted|127\.0\.0\.1/);
	assert.equal(value(families, 'subscribers{space="hall"}'), 0);
	assert.equal(value(families, 'streams{space="hall"}'), 0);
	assert.equal(value(families, 'bodies{space="lobby",source="demo",condition="live"}'), 1);
	assert.equal(value(families, 'source_refused_total{space="lobby",source="vmc"}'), 1);
	assert.equal(value(families, 'source_ignored_total{space="lobby",source="vmc"}'), 2);
	assert.ok(value(families, 'source_frames_total{space="lobby",source="vmc"}') > 1);
	const name = 'jointcast_ingest_to_send_seconds';
	const { samples } = families.get(name);
	assert.ok(samples.get(`${name}_count{space="lobby",source="demo"}`) > 20);
	assert.equal(samples.get(`${name}_count{space="hall",source="demo"}`), 0);
	for (const key of [...samples.keys()])
		assert.match(key, /^jointcast_ingest_to_send_seconds_(bucket|sum|count)\{/);
	// A demo is never old; a body that was sent once is, until it counts as stale.
	const age = families.get('jointcast_staleness_seconds').samples;
	const of = (what, space, source, more = '') => age.get(`jointcast_staleness_seconds_${what}{space="${space}",source="${source}"${more}}`);
	assert.ok(of('count', 'hall', 'demo') > 20, 'nobody has to watch');
	assert.equal(of('bucket', 'hall', 'demo', ',le="0.000256"'), of('count', 'hall', 'demo'));
	assert.ok(of('sum', 'lobby', 'vmc') > 0);
	assert.ok(of('bucket', 'lobby', 'vmc', ',le="16.777216"') === of('count', 'lobby', 'vmc'));
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

test('Prometheus accepts the metrics', { skip: promtool ? false : 'no promtool here' }, async () => {
	const { status: code, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'],
		{ input: (await get('/metrics')).body, encoding: 'utf8' });
	assert.equal(code, 0, stdout + stderr);
	assert.equal(stdout + stderr, '');
});

test('figures of the process agree with /proc', async () => {
	const own = (name) => readFileSync(`/proc/${daemon.child.pid}/${name}`, 'utf8');
	const fields = () => own('stat').replace(/^.*\) /, '').split(' ');
	const ticks = Number(spawnSync('getconf', ['CLK_TCK']).stdout);
	const page = Number(spawnSync('getconf', ['PAGESIZE']).stdout);
	const cpu = () => (Number(fields()[11]) + Number(fields()[12])) / ticks;
	const figure = (families, name) => families.get(`process_${name}`).samples.get(`process_${name}{}`);
	const before = cpu();
	const families = parseMetrics((await get('/metrics')).body);
	const used = figure(families, 'cpu_seconds_total');
	assert.ok(used >= before && used <= cpu(), `${before} <= ${used}`);
	// The file system counts the connection that brought the request too.
	const open = readdirSync(`/proc/${daemon.child.pid}/fd`).length;
	assert.ok(Math.abs(figure(families, 'open_fds') - open) <= 1, `${figure(families, 'open_fds')}, ${open}`);
	assert.equal(figure(families, 'max_fds'), Number(/^Max open files +(\d+)/m.exec(own('limits'))[1]));
	const [virtual, resident] = own('statm').split(' ').map((pages) => Number(pages) * page);
	assert.ok(Math.abs(figure(families, 'virtual_memory_bytes') / virtual - 1) < 0.1);
	assert.ok(Math.abs(figure(families, 'resident_memory_bytes') / resident - 1) < 0.5);
	const booted = Date.now() / 1000 - Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
	const started = figure(families, 'start_time_seconds');
	assert.ok(Math.abs(started - booted - Number(fields()[19]) / ticks) < 1, `${started}`);
	await until('a later second', () => cpu() > used);
	assert.equal(figure(parseMetrics((await get('/metrics')).body), 'start_time_seconds'), started, 'it is one value');
});

test('the alerts for Prometheus name only metrics and labels that the daemon exports', async (t) => {
	const recorder = await start('--source', 'demo:walk', '--record', scratch(t));
	t.after(() => recorder.stop());
	const body = (await exchange(recorder.admin, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')).body;
	const families = parseMetrics(body);
	const rules = readFileSync(path.join(ROOT, 'systemd/prometheus/alerts.yml'), 'utf8');
	// cluster/operation.mjs looks for those of NATS, which a daemon alone does not have.
	const named = new Set(rules.match(/\b(jointcast|process)_(?!nats_)[a-z_]+/g));
	assert.ok(named.size > 15);
	for (const name of named) {
		const family = families.get(name.replace(/_bucket$/, ''));
		assert.equal(family?.type === 'histogram', name.endsWith('_bucket'), name);
		assert.ok([...family.samples.keys()].some((key) => key.startsWith(`${name}{`)), `${name} has no sample`);
	}
	for (const [, metric, labels] of rules.matchAll(/(jointcast_\w+)\{([^}]*)\}/g))
		for (const [, label, values] of labels.matchAll(/(\w+)=~?"([^"]*)"/g))
			if (label !== 'job')
				for (const value of values.split('|'))
					assert.ok(body.split('\n').some((line) => line.startsWith(`${metric}{`) && line.includes(`${label}="${value}"`)),
						`${metric} has no ${label}="${value}"`);
});

test('HEAD returns only the head', async () => {
	for (const target of ['/status', '/metrics']) {
		const { status: code, headers, body } = await get(target, '', 'HEAD');
		assert.equal(code, 200);
		assert.ok(Number(headers.get('content-length')) > 100);
		assert.equal(body, '');
	}
});

test('refuses pages of another origin or host name', async () => {
	for (const target of ['/status', '/metrics']) {
		const evil = await get(target, 'Origin: http://evil.example\r\n');
		assert.equal(evil.status, 403);
		assert.equal(evil.headers.get('access-control-allow-origin'), undefined);
		assert.doesNotMatch(evil.body, /lobby/);
		const rebound = await exchange(daemon.admin,
			`GET ${target} HTTP/1.1\r\nHost: evil.example:${daemon.admin}\r\n\r\n`);
		assert.equal(rebound.status, 403);
		assert.equal((await get(target)).headers.get('access-control-allow-origin'), undefined);
	}
});

test('counts refused origins, hosts and tokens, and logs the line that admits an origin', async (t) => {
	const folder = scratch(t);
	const write = writer(folder);
	write('secret', randomBytes(32));
	const guarded = await start('--source', 'demo:walk', '--origin', 'https://page.example', '--config', write('conf', `server { origins = {"https://known.example"} }
		auth { key "k" { algorithm = HS256 file = "${folder}/secret" } }\n`));
	const ask = (target, headers) => exchange(guarded.admin, `GET ${target} HTTP/1.1\r\n${headers}\r\n`);
	const from = (origin, host = 'localhost', target = '/') => exchange(guarded.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n\r\n`);
	const before = guarded.log.length;
	const refused = ['https://world.example:8443', 'null', 'https://a.example"}', 'https://evil"};', `https://${'a'.repeat(300)}.example`];
	for (const origin of refused)
		assert.equal((await from(origin)).status, 403);
	assert.equal((await from('https://world.example', 'other.example')).status, 403, 'for its host');
	for (const known of ['https://known.example', 'https://page.example'])
		assert.equal((await from(known, 'localhost', '/healthz')).status, 200);
	// A page whose WebSocket was refused asks there for the reason.
	assert.equal((await from('https://again.example', 'localhost', '/healthz')).status, 403);
	// A WebSocket to that path is counted and logged, and its answer is not readable.
	const shaken = await exchange(guarded.port, handshake({ Origin: 'https://sly.example' }, 'GET /healthz HTTP/1.1'));
	assert.equal(shaken.status, 403);
	assert.equal(shaken.headers.has('access-control-allow-origin'), false);
	const bearer = 'Authorization: Bearer a.b.c\r\nHost: localhost\r\n';
	assert.equal((await exchange(guarded.port, `GET /skeletons HTTP/1.1\r\n${bearer}\r\n`)).status, 401);
	const client = await Client.connect(guarded, { token: 'a.b.c' });
	assert.equal((await client.find('error')).reason, 'malformed');
	client.end();

	assert.deepEqual(JSON.parse((await ask('/status', 'Host: localhost\r\n')).body).refusals, { origins: 6, hosts: 1, tokens: 2 });
	const families = parseMetrics((await ask('/metrics', 'Host: localhost\r\n')).body);
	for (const [reason, count] of [['origin', 6], ['host', 1], ['token', 2]])
		assert.equal(value(families, `refusals_total{reason="${reason}"}`), count);
	const { stdout } = await run('status', `127.0.0.1:${guarded.admin}`);
	assert.match(stdout, /\n {2}refused {6}6 origins, 1 hosts, 2 tokens\n/);

	const lines = guarded.log.slice(before).split('\n').filter((line) => line.includes('refused a page'));
	assert.equal(lines.length, 6);
	assert.match(guarded.log, /refused a request for host 'other\.example'; if a proxy serves that name, jointcastd\.conf admits it with: server \{ hosts = \{"other\.example"\} \}\n/);
	assert.deepEqual(lines.filter((line) => line.includes('origins =')), [
		`jointcastd: warning: refused a page of origin 'https://world.example:8443'; jointcastd.conf admits it with: server { origins = {"https://world.example:8443"} }`,
		`jointcastd: warning: refused a page of origin 'https://sly.example'; jointcastd.conf admits it with: server { origins = {"https://sly.example"} }`]);
	// With that line in a drop-in file the origin is admitted.
	mkdirSync(path.join(folder, 'conf.d'));
	write('conf.d/1.conf', /with: (.*)/.exec(lines[0])[1]);
	guarded.child.kill('SIGHUP');
	await until('a reload', () => /was read again/.test(guarded.log));
	for (const known of [refused[0], 'https://page.example'])
		assert.equal((await from(known, 'localhost', '/healthz')).status, 200);
	assert.equal(await guarded.stop(), 0);
});

test('jointcast status prints a readable report', async () => {
	for (const url of [`http://127.0.0.1:${daemon.admin}`, `ws://localhost:${daemon.admin}/`,
		`127.0.0.1:${daemon.admin}`]) {
		const { code, stdout, stderr } = await run('status', url);
		assert.equal(stderr, '');
		assert.equal(code, 0);
		assert.match(stdout, /^jointcastd \d+\.\d+\.\d+ at \S+, up \d+ s\n/);
		assert.match(stdout, /\nlobby: 2 bodies, 0 subscribers, \d+ bundles sent, \d+ left out\n/);
		assert.match(stdout, /\n +1 +live +'walk' +demo: .*ms\n/);
		assert.match(stdout, /\n +2 +stale +'Ada' +vmc: port \d+: nothing arrives: start the sender again\n +1 damaged messages refused, 2 messages ignored; first ignored message: \/VMC\/Ext\/Bone\/Pos: unknown bone Tail\n/);
	}
});

test('jointcast status reads from a listener for administration, also on a Unix socket', async (t) => {
	const folder = scratch(t);
	const other = await start('--admin', `unix:${folder}/admin`, '--source', 'demo:walk');
	const { code, stdout, stderr } = await run('status', `unix:${folder}/admin`);
	assert.equal(code, 0, stderr);
	assert.ok(stdout.includes(` at ${folder}/admin, up `) && stdout.includes('\nlobby: 1 body, '), stdout);
	assert.equal(await other.stop(), 0);
	const gone = await run('status', `unix:${folder}/admin`);
	assert.equal(gone.code, 3);
	assert.equal(gone.stderr, `jointcast: unix:${folder}/admin: cannot connect: No such file or directory (jointcastd serves it at the address of --admin)\n`);
	assert.equal((await run('status', 'unix:admin')).code, 2);
});

test('jointcast status lists recordings', async (t) => {
	const folder = scratch(t);
	const other = await start('--source', 'demo:walk', '--record', folder);
	const line = /\nlobby: [^\n]*\n  recording to 'lobby[^\n']*\.mcap(\.part)?': \d+ s, \d+(\.\d)? k?B, \d+ captures, 0 dropped\n/;
	await until(`a line as ${line}`, async () => line.test((await run('status', `http://127.0.0.1:${other.admin}`)).stdout));
	const families = parseMetrics((await exchange(other.admin, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
	assert.equal(value(families, 'recording_failing{space="lobby"}'), 0);
	assert.equal(value(families, 'recording_dropped_total{space="lobby"}'), 0);
	assert.ok(value(families, 'recording_captures_total{space="lobby"}') > 0);
	assert.ok(value(families, 'recording_bytes_total{space="lobby"}') > 0);
	assert.equal(await other.stop(), 0);
});

test('jointcast status --json prints the answer of the daemon', async () => {
	const { code, stdout } = await run('status', '--json', `http://127.0.0.1:${daemon.admin}`);
	assert.equal(code, 0);
	assert.deepEqual(Object.keys(JSON.parse(stdout)), Object.keys(await status()));
});

test('a missing daemon gives one line and status 3', async () => {
	const other = await start();
	assert.equal(await other.stop(), 0);
	const url = `http://127.0.0.1:${other.port}`;
	const { code, stdout, stderr } = await run('status', url);
	assert.equal(code, 3);
	assert.equal(stdout, '');
	assert.equal(stderr, `jointcast: ${url}: cannot connect: Connection refused (jointcastd serves it at the address of --admin)\n`);
});

test('the port for subscribers does not serve it', async () => {
	const url = `http://127.0.0.1:${daemon.port}`;
	const { code, stdout, stderr } = await run('status', url);
	assert.deepEqual([code, stdout], [3, '']);
	assert.equal(stderr, `jointcast: ${url}: answers 404: no such file (jointcastd serves it at the address of --admin)\n`);
});

test('an invalid URL is wrong use', async () => {
	for (const url of ['ftp://127.0.0.1', 'http://', 'host', 'http://a:b', 'http://a:99999', 'http://[::1', 'http://a/b',
		'http://a b:1', '--xml'])
		assert.equal((await run('status', url)).code, 2, url);
});
