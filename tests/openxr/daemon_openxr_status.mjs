// The line of `jointcast status` for each failure of an OpenXR source, which ends with the remedy. A new failure is a new entry of a list.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ERROR, frames, HEADLESS, join, jointcast, manifest, META, Mock, scratch, under } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

/** The lines of the sources in the output of `jointcast status`, without ids. */
function statusLines(daemon) {
	const text = execFileSync(jointcast, ['status', `http://127.0.0.1:${daemon.admin}`],
		{ encoding: 'utf8' });
	return text.split('\n').filter((line) => line.includes("  'OpenXR")).map((line) => line.replace(/^ +\S+ +/, ''));
}

/** The line of the only source. */
function line(daemon) {
	const lines = statusLines(daemon);
	assert.equal(lines.length, 1, lines.join('\n'));
	return lines[0];
}

/** Waits until the line of the source is this one, but for its latency; N is any number of seconds. */
async function prints(t, daemon, condition, detail) {
	const expected = `${condition.padEnd(8)}  'OpenXR'  openxr: ${detail}`;
	let printed = '';
	await until('the status', () => {
		printed = line(daemon).replace(/; [\d.]+ ms, 99 % [\d.]+ ms$/, '').replace(/\d+ s:/, 'N s:');
		return printed === expected;
	}).catch(() => assert.equal(printed, expected));
	t.diagnostic(printed);
}

/** Waits until subscribers get the source without a body, and only this text of the reason. */
async function tells(t, daemon, reason) {
	const client = join(t, daemon);
	const expected = [{ name: 'OpenXR', source: 'openxr', reason }];
	await until('the roster', () => JSON.stringify(client.waiting) === JSON.stringify(expected))
		.catch(() => assert.deepEqual(client.waiting, expected));
	assert.equal(client.bodies.size, 0);
}

/* Files of the machine; FOLDER in a text is a folder of the test. */

const library = (name) => JSON.stringify({ file_format_version: '1.0.0',
	runtime: { library_path: name } });

const MACHINES = [
	{ name: 'the loader cannot be loaded',
		files: { 'libopenxr_loader.so.1': '' }, set: ['LD_LIBRARY_PATH=FOLDER'],
		detail: 'no OpenXR loader: FOLDER/libopenxr_loader.so.1: file too short: install libopenxr-loader1' },
	{ name: 'no runtime is configured',
		set: ['HOME=FOLDER', 'XDG_CONFIG_DIRS=FOLDER/xdg'], unset: ['XDG_CONFIG_HOME'],
		skip: existsSync('/etc/openxr/1/active_runtime.json'),
		detail: 'no OpenXR runtime: no openxr/1/active_runtime.json in FOLDER/.config, FOLDER/xdg, /etc: '
			+ 'install Monado, start WiVRn or SteamVR, or set XR_RUNTIME_JSON' },
	{ name: 'XR_RUNTIME_JSON names no file',
		set: ['XR_RUNTIME_JSON=FOLDER/no.json'],
		detail: "no OpenXR runtime: 'FOLDER/no.json' cannot be opened: No such file or directory: "
			+ 'correct the file or XR_RUNTIME_JSON' },
	{ name: 'the manifest is not JSON',
		files: { '.config/openxr/1/active_runtime.json': '{\n"runtime": {' },
		set: ['HOME=FOLDER'], unset: ['XDG_CONFIG_HOME'],
		detail: "no OpenXR runtime: 'FOLDER/.config/openxr/1/active_runtime.json' is not valid JSON "
			+ '(line 2, column 12): correct it or install the runtime again' },
	{ name: 'the manifest names no library',
		files: { 'm.json': '{"file_format_version": "1.0.0", "runtime": {}}' },
		set: ['XR_RUNTIME_JSON=FOLDER/m.json'],
		detail: "no OpenXR runtime: 'FOLDER/m.json' has no runtime.library_path: "
			+ 'correct the file or XR_RUNTIME_JSON' },
	{ name: 'the library does not exist',
		files: { 'm.json': library('./libno.so') }, set: ['XR_RUNTIME_JSON=FOLDER/m.json'],
		detail: "no OpenXR runtime: the library 'FOLDER/./libno.so' does not exist: install the runtime again" },
	{ name: 'the library is in no folder of the linker',
		files: { 'm.json': library('libno.so') }, set: ['XR_RUNTIME_JSON=FOLDER/m.json'],
		detail: 'no OpenXR runtime: libno.so: cannot open shared object file: No such file or directory: '
			+ 'install the runtime again' },
	{ name: 'the library is no runtime',
		files: { 'm.json': library('libc.so.6') }, set: ['XR_RUNTIME_JSON=FOLDER/m.json'],
		detail: "no OpenXR runtime: 'libc.so.6' is no OpenXR runtime: install the runtime again" },
];

/** Writes files into a folder. */
function put(folder, files = {}) {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), text);
	}
}

for (const { name, files, set = [], unset = [], skip = false, detail } of MACHINES)
	test(name, { skip }, async (t) => {
		const folder = scratch(t);
		const here = (text) => text.replaceAll('FOLDER', folder);
		put(folder, files);
		const daemon = await under(t, { environment: ['XR_RUNTIME_JSON', ...unset].flatMap((each) => ['-u', each]) },
			{ environment: set.map(here) });
		await prints(t, daemon, 'waiting', here(detail));
		await tells(t, daemon, detail.split(':')[0]);
		await until('the log', () => daemon.log.includes(`openxr: waiting: ${here(detail)}\n`));
	});

test('in a service the remedy names the drop-in', async (t) => {
	// systemd gives a service its own process id.
	const daemon = await under(t, { environment: ['XR_RUNTIME_JSON=/nonexistent.json'] },
		{ environment: ['sh', '-c', 'SYSTEMD_EXEC_PID=$$ exec "$0" "$@"'] });
	await prints(t, daemon, 'waiting', "no OpenXR runtime: '/nonexistent.json' cannot be opened: "
		+ 'No such file or directory: correct the file or XR_RUNTIME_JSON (headset.conf)');
});

/* Services of known runtimes: the mock under their names, FOLDER is XDG_RUNTIME_DIR */

const SERVICES = [
	{ name: 'Monado',
		detail: "'Monado' has no socket FOLDER/monado_comp_ipc (No such file or directory): start monado-service" },
	{ name: 'Monado', files: { monado_comp_ipc: '' },
		detail: "'Monado' does not answer at FOLDER/monado_comp_ipc (XR_ERROR_RUNTIME_UNAVAILABLE): restart monado-service" },
	{ name: 'Monado', unset: true,
		detail: "XDG_RUNTIME_DIR is not set: set it to that of the headset's user" },
	{ name: 'WiVRn',
		detail: "'WiVRn' has no socket FOLDER/wivrn/comp_ipc (No such file or directory): start wivrn-server" },
	{ name: 'SteamVR',
		detail: "'SteamVR' does not answer (XR_ERROR_RUNTIME_UNAVAILABLE): restart SteamVR" },
	{ name: 'another',
		detail: "'another' does not answer (XR_ERROR_RUNTIME_UNAVAILABLE): restart its service" },
];

for (const { name, files, unset = false, detail } of SERVICES)
	test(`${name}: ${detail}`, async (t) => {
		const folder = scratch(t);
		const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`,
			`result xrCreateInstance ${ERROR.RUNTIME_UNAVAILABLE}`);
		put(folder, { 'm.json': JSON.stringify({ file_format_version: '1.0.0',
			runtime: { name, library_path: JSON.parse(readFileSync(manifest, 'utf8')).runtime.library_path } }), ...files });
		mock.environment = [...(unset ? ['-u', 'XDG_RUNTIME_DIR'] : []), ...mock.environment,
			`XR_RUNTIME_JSON=${path.join(folder, 'm.json')}`, ...(unset ? [] : [`XDG_RUNTIME_DIR=${folder}`])];
		const daemon = await under(t, mock);
		await prints(t, daemon, 'waiting', `no OpenXR runtime: ${detail.replaceAll('FOLDER', folder)}`);
		await tells(t, daemon, 'no OpenXR runtime');
	});

/* Failures of a runtime. `script` applies before the daemon begins, `then` after a person was
 * tracked. `reason` is the text for subscribers, where the source has no body. */

const FAILED = 'read the log of the runtime';

const RUNTIMES = [
	{ name: 'the service does not run', script: [`result xrCreateInstance ${ERROR.RUNTIME_UNAVAILABLE}`],
		reason: 'no OpenXR runtime', detail: "no OpenXR runtime: 'mock' does not answer (XR_ERROR_RUNTIME_UNAVAILABLE): restart its service" },
	{ name: 'the runtime has no headless sessions', offer: `XR_KHR_convert_timespec_time ${META}`,
		reason: 'no headless sessions', detail: 'the OpenXR runtime has no XR_MND_headless: use one that has it, such as Monado or WiVRn' },
	{ name: 'the runtime has no headset', script: [`result xrGetSystem ${ERROR.FORM_FACTOR_UNAVAILABLE}`],
		reason: 'no headset', detail: "no headset at 'mock': connect it" },
	{ name: 'another program has the headset', script: [`result xrCreateSession ${ERROR.LIMIT_REACHED}`],
		reason: 'another program has the runtime', detail: "'mock' is in use by another program: end that program" },
	{ name: 'the session lacks a permission', script: [`result xrCreateSession ${ERROR.PERMISSION_INSUFFICIENT}`],
		reason: 'permission denied', detail: "'mock': permission denied: permit jointcastd in its settings" },
	{ name: 'the runtime refuses a session', script: [`result xrCreateSession ${ERROR.RUNTIME_FAILURE}`],
		reason: 'no session', detail: "'mock' refuses a session (XR_ERROR_RUNTIME_FAILURE): restart it" },
	{ name: 'the session is not ready', script: ['set auto_ready 0'],
		reason: 'no session', detail: "'mock' does not run the session yet: switch the headset on" },
	{ name: 'nobody was tracked yet', script: ['set active 0'],
		reason: 'nobody is tracked', detail: "'mock': nobody is tracked: put the headset on" },
	{ name: 'the body lacks a permission', script: [`result xrCreateBodyTrackerFB ${ERROR.PERMISSION_INSUFFICIENT}`],
		reason: 'nobody is tracked', detail: "'mock': nobody is tracked: put the headset on; meta body: permission denied: permit it in the runtime" },
	{ name: 'the body fails', script: [`result xrCreateBodyTrackerFB ${ERROR.FEATURE_UNSUPPORTED}`],
		reason: 'nobody is tracked', detail: `'mock': nobody is tracked: put the headset on; meta body fails (XR_ERROR_FEATURE_UNSUPPORTED): ${FAILED}` },
	{ name: 'the runtime hangs', script: ['block xrCreateInstance forever'], condition: 'stale',
		end: 'release',
		reason: 'the runtime does not answer', detail: 'the runtime does not answer: restart its service' },
	{ name: 'nobody is tracked any more', then: ['set active 0'], condition: 'stale',
		detail: "'mock': nobody is tracked: put the headset on" },
	{ name: 'nobody has put the headset on', offer: `${HEADLESS} ${META} XR_EXT_user_presence`, script: ['present 0'],
		reason: 'nobody wears the headset', detail: "'mock': nobody wears the headset: put it on" },
	{ name: 'the headset is put down', offer: `${HEADLESS} ${META} XR_EXT_user_presence`, then: ['present 0'],
		condition: 'stale', detail: "'mock': nobody wears the headset: put it on" },
	{ name: 'the calibration becomes invalid', then: ['set calibration 3'], condition: 'stale',
		detail: "'mock': the runtime's body calibration is invalid: calibrate in the headset" },
	{ name: 'the sender of the joints ends', then: ['freeze'], condition: 'stale',
		detail: "'mock': meta body: joints have not changed for N s: wake the headset, or start SlimeVR" },
	{ name: 'the session stops', then: ['state STOPPING'], condition: 'stale',
		detail: "'mock' does not run the session yet: switch the headset on" },
	{ name: 'the service ends', then: ['lose-session', `result xrCreateSession ${ERROR.RUNTIME_FAILURE}`],
		condition: 'lost', detail: "'mock' is gone (XR_ERROR_SESSION_LOST): start it again" },
];

for (const { name, offer = `${HEADLESS} ${META}`, script = [], then = [], condition = 'waiting', end, reason, detail } of RUNTIMES)
	test(name, async (t) => {
		const { file } = frames(scratch(t), 'demo:walk', 'meta');
		const mock = await Mock.begin(t, `offer ${offer}`, `play fb ${file}`, ...script);
		const daemon = await under(t, mock);
		if (then.length)
			await daemon.is('live', /meta body/);
		for (const command of then)
			await mock.tell(command);
		await prints(t, daemon, condition, detail);
		if (reason)
			await tells(t, daemon, reason);
		if (end)
			await mock.tell(end);
	});

test('a second source of the kind', async (t) => {
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`);
	const daemon = await under(t, mock, { options: ['--source', 'openxr:?name=OpenXR'] });
	await until('one source waits for the other', () => statusLines(daemon).some((each) =>
		each.endsWith("  openxr: another source has the OpenXR runtime: keep one source 'openxr:'")));
});

for (const [name, option, expected] of [
	['names a source without a body', [], "waiting for openxr 'OpenXR': no OpenXR runtime\n"],
	['--json lists sources without a body', ['--json'],
		'"bodies":[],"waiting":[{"name":"OpenXR","source":"openxr","reason":"no OpenXR runtime"}]}\n'],
])
	test(`jointcast watch ${name}`, async (t) => {
		const daemon = await under(t, { environment: [] }, { environment: ['XR_RUNTIME_JSON=/nonexistent.json'] });
		const watch = spawn(jointcast, ['watch', daemon.url, ...option], { stdio: ['ignore', 'pipe', 'inherit'] });
		t.after(() => watch.kill());
		let printed = '';
		watch.stdout.on('data', (text) => (printed += text));
		await until('the line', () => printed.includes(expected)).catch(() => assert.equal(printed, expected));
	});
