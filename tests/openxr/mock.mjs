// The mock runtime's script, held by a test, and a daemon that runs under it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { BONES, connect } from '../../clients/js/index.js';
import { binary, scratch, startThrough } from '../e2e/support/daemon.mjs';
import { sleep, until } from '../e2e/support/until.mjs';

// Each daemon of a file is killed at its end should it still be there.
process.setMaxListeners(0);

// Packages stand where the end-to-end tests are.
const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');

export { BONES, binary, scratch, sleep, startThrough };
export const manifest = process.argv[3];
export const jointcast = process.argv[4];

/** Extensions of each vendor's runtime, beside those that every test needs. */
export const HEADLESS = 'XR_MND_headless XR_KHR_convert_timespec_time';
export const META = 'XR_FB_body_tracking XR_META_body_tracking_full_body '
	+ 'XR_META_body_tracking_calibration XR_META_body_tracking_fidelity';

/** The source's detail for a complete body. */
export const LIVE = /^'mock': meta body, 84 joints/;
/** XrResult. */
export const ERROR = {
	VALIDATION_FAILURE: -1, RUNTIME_FAILURE: -2, FEATURE_UNSUPPORTED: -8, LIMIT_REACHED: -10,
	INSTANCE_LOST: -13, SESSION_LOST: -17,
	FORM_FACTOR_UNAVAILABLE: -35, RUNTIME_UNAVAILABLE: -51, PERMISSION_INSUFFICIENT: -1000710000,
};

/** The service behind the runtime: each process that loads the mock asks it what to do. */
export class Mock {
	/** @param script commands before anything else happens, `offer …` among them */
	static async begin(t, ...script) {
		const mock = new Mock();
		mock.folder = scratch(t);
		mock.script = script;
		mock.socket = null;
		mock.farewell = null;
		mock.environment = [`XR_RUNTIME_JSON=${manifest}`,
			`MOCK_RUNTIME_CONTROL=${path.join(mock.folder, 'control')}`];
		const server = net.createServer((socket) => mock.#serve(socket));
		await new Promise((resolve) => server.listen(path.join(mock.folder, 'control'), resolve));
		t.after(() => server.close());
		return mock;
	}

	#serve(socket) {
		let text = '';
		const waiting = this.script.map((command) => (report) =>
			assert.equal(report.error, undefined, command));
		socket.on('data', (data) => {
			text += data;
			for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
				const report = JSON.parse(text.slice(0, end));
				text = text.slice(end + 1);
				// The unrequested one comes at the end.
				if (waiting.length)
					waiting.shift()(report);
				else
					this.farewell = report;
			}
		});
		socket.on('error', () => {});
		socket.unref();
		socket.write([...this.script, 'go', ''].join('\n'));
		this.socket = socket;
		this.waiting = waiting;
	}

	/** Sends a command to the process that loaded the mock last; resolves with its report. */
	async tell(command) {
		await until('the runtime is loaded', () => this.socket);
		return new Promise((resolve, reject) => {
			this.waiting.push((report) =>
				(report.error ? reject(new Error(`${command}: ${report.error}`)) : resolve(report)));
			this.socket.write(`${command}\n`);
		});
	}

	ask() {
		return this.tell('ask');
	}

	/** Calls of a function so far. */
	async count(name) {
		return (await this.ask()).calls[name] ?? 0;
	}

	/** Waits until a function has been called this many more times. */
	async called(name, times = 1) {
		const before = await this.count(name);
		return until(`${name} is called`, async () => await this.count(name) >= before + times);
	}
}

/**
 * A daemon with `--source openxr:` under a mock. When the test ends it must go in
 * order, with every object of the runtime destroyed and nothing done wrong.
 */
export async function under(t, mock, { source = 'openxr:', options = [], environment = [], check = true } = {}) {
	const daemon = await startThrough('env', ...mock.environment, ...environment, binary,
		'--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--source', source, ...options);
	daemon.status = async () => (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json();
	/** The OpenXR source at that place, with a body or without. */
	daemon.body = async (index = 0) => {
		const { bodies, waiting = [] } = (await daemon.status()).spaces[0];
		return [...bodies, ...waiting].filter(({ source: { kind } }) => kind === 'openxr')[index];
	};
	daemon.source = async (index = 0) => (await daemon.body(index)).source;
	/** Waits for a condition of the source and its detail. */
	daemon.is = (condition, detail = /./, index = 0) =>
		until(`the source is ${condition} and says ${detail}`, async () => {
			daemon.last = await daemon.source(index);
			return daemon.last.condition === condition && detail.test(daemon.last.detail);
		}).catch((error) => {
			throw new Error(`${error.message}: ${JSON.stringify(daemon.last)}\n${daemon.log}`);
		});
	daemon.end = async () => {
		assert.equal(await daemon.stop(), 0, daemon.log);
		if (mock.socket) {
			await until('the runtime says goodbye', () => mock.farewell);
			assert.deepEqual(mock.farewell.faults, []);
			assert.equal(mock.farewell.alive, 0, 'objects of the runtime were left');
		}
	};
	if (check)
		t.after(daemon.end);
	return daemon;
}

/** A mock that plays a walking body, and a daemon under it. */
export async function begin(t, { offer = META, script = [], motion = 'demo:walk', ...rest } = {}) {
	const played = frames(scratch(t), motion, 'meta');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, `play fb ${played.file}`, ...script);
	const daemon = await under(t, mock, rest);
	return { mock, daemon, played };
}

/** A client in the space. */
export function join(t, daemon) {
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	return client;
}

/** A subscriber that has received the first pose of the one body. */
export async function subscribe(t, daemon) {
	const client = join(t, daemon);
	client.body = await until('a body enters', () => [...client.bodies.values()][0]);
	await until('its first pose arrives', () => newest(client));
	return client;
}

/** The newest packet: rotations, hips, states. */
export const newest = ({ body }) => body.timeline.at(body.timeline.newest);

/** Degrees between two rotations; the chord, as an arccosine is blind to small angles. */
export function angle(a, b) {
	const off = (sign) => Math.hypot(...a.map((x, i) => x - sign * b[i]));
	return 4 * Math.asin(Math.min(off(1), off(-1), 2) / 2) * (180 / Math.PI);
}

/** Degrees that a rotation may be off, the coding's 0.01 included. */
export const NEAR = 0.1;

/** The bone with the largest error. */
function worst(client, wanted, isCounted) {
	const { rotations } = newest(client);
	const off = BONES.flatMap((bone, i) => (wanted[bone] && isCounted(bone) ? [{ bone,
		degrees: angle(wanted[bone].normalized, [...rotations.subarray(4 * i, 4 * i + 4)]) }] : []));
	return { count: off.length, ...off.reduce((a, b) => (b.degrees > a.degrees ? b : a)) };
}

/** Waits until the body has the expected pose; returns the remaining error. */
export async function stands(client, wanted, isCounted) {
	let last;
	await until('the body stands as it should', () => {
		last = worst(client, wanted, isCounted);
		return last.degrees < NEAR;
	}).catch((error) => assert.fail(`${error.message}: ${JSON.stringify(last)}`));
	return last;
}

/** The normalised rotations of a motion at a time, by bone, computed on the command line. */
export function stance(motion, moment) {
	const text = execFileSync(jointcast, ['retarget', motion, 'humanoid', '--json',
		'--times', String(moment)], { maxBuffer: 1 << 28 });
	return JSON.parse(text).frames[0].bones;
}

/** A motion as body frames in a profile: its lines, those of about so many a second. */
export function frames(folder, motion, profile, { every = 4, drop } = {}) {
	const file = path.join(folder, `${profile}.jsonl`);
	execFileSync(jointcast, ['convert', motion, file, '--profile', profile,
		...(drop ? ['--drop', drop] : [])], { stdio: ['ignore', 'ignore', 'ignore'] });
	const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
	const kept = lines.filter((_, i) => i % every === 0);
	writeFileSync(file, [header, ...kept, ''].join('\n'));
	return { file, header: JSON.parse(header), times: kept.map((line) => JSON.parse(line).t) };
}

/** A file of devices: by path, or "view"; poses as [x, y, z, qx, qy, qz, qw] over time. */
export function devices(folder, named, times = [0]) {
	const file = path.join(folder, 'devices.jsonl');
	const names = Object.keys(named);
	writeFileSync(file, [JSON.stringify({ jointcast: 'body-frames', joints: names }),
		...times.map((t) => JSON.stringify({ t,
			joints: names.map((name) => [...named[name](t), 2]) })), ''].join('\n'));
	return file;
}
