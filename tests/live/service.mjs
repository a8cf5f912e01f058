// Starts Monado's service in a Debian 13 root, and jointcastd as a client of the service. ./monado
// runs the tests in namespaces: node TEST.mjs ROOT PREFIX JOINTCASTD [ARGUMENT]. PREFIX is that of
// Monado in ROOT, ARGUMENT that of the option.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { connect } from '../../clients/js/index.js';
import { scratch, startThrough } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';
import { feed } from './monado_peer.mjs';

// Each daemon of a test has a listener that kills it at the end of the process.
process.setMaxListeners(0);

const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const [, , root, prefix, jointcastd] = process.argv;
export const argument = process.argv[5];
const ARCHITECTURE = 'x86_64-linux-gnu';
const LIBRARIES = `${root}/usr/lib/${ARCHITECTURE}`;
/** The service's runtime folder as seen from outside. */
export const RUN = `${root}/run/jointcast`;
const SOCKET = `${RUN}/monado_comp_ipc`;

/** A test that cannot run here. */
export class NotShown extends Error {}

/** Runs a test and exits: 0 passed, 77 not shown, 1 failed. */
export function conclude(name, test) {
	const begun = performance.now();
	test().then(() => {
		console.log(`${name}: passed in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
		process.exit(0);
	}, (error) => {
		const isSkip = error instanceof NotShown;
		console.error(`${name}: ${isSkip ? `not shown: ${error.message}` : `failed: ${error.stack}`}`);
		process.exit(isSkip ? 77 : 1);
	});
}

/**
 * Starts the service; resolves once it takes clients and our peer.
 * @param {(t: number) => object} devices poses of headset and controllers, see monado_peer
 */
export async function startService(devices) {
	mkdirSync(RUN, { recursive: true, mode: 0o700 });
	// As the socket's owner does after a service that was killed.
	rmSync(SOCKET, { force: true });
	const service = spawn('chroot', [root, '/usr/bin/env', '-i', 'PATH=/usr/bin:/bin', 'HOME=/root',
		'XDG_RUNTIME_DIR=/run/jointcast', 'XRT_NO_STDIN=1', 'XRT_COMPOSITOR_NULL=1',
		'SIMULATED_ENABLE=1', 'P_OVERRIDE_ACTIVE_CONFIG=remote', `${prefix}/bin/monado-service`],
	{ stdio: ['ignore', 'pipe', 'pipe'] });
	let log = '';
	for (const stream of [service.stdout, service.stderr])
		stream.on('data', (text) => (log = (log + text).slice(-4000)));
	service.on('exit', (code, signal) => (service.ended = code ?? signal));
	await until('Monado listens', () => {
		assert.equal(service.ended, undefined, `monado-service ended with ${service.ended}:\n${log}`);
		return existsSync(SOCKET);
	});
	const readyAt = performance.now() / 1000;
	const stopFeeding = await until('Monado takes our peer', () => feed(devices).catch(() => null));
	return { readyAt,
		kill: async () => {
			stopFeeding();
			service.kill('SIGKILL');
			await until('it is gone', () => service.ended);
		} };
}

const runtimeLibrary = () => [`${root}${prefix}/lib`, `${root}${prefix}/lib/${ARCHITECTURE}`]
	.map((folder) => `${folder}/libopenxr_monado.so`).find((file) => existsSync(file));

/** Debian 12's program on Debian 13's C library, for the runtime is Debian 13's. */
export async function startDaemon(uri = 'openxr:') {
	const manifest = path.join(scratch(), 'monado.json');
	writeFileSync(manifest, JSON.stringify({ file_format_version: '1.0.0',
		runtime: { name: 'Monado', library_path: runtimeLibrary() } }));
	const daemon = await startThrough('env', `XR_RUNTIME_JSON=${manifest}`, `XDG_RUNTIME_DIR=${RUN}`,
		`${root}/lib64/ld-linux-x86-64.so.2`, '--library-path',
		`${LIBRARIES}:/usr/lib/${ARCHITECTURE}:/lib/${ARCHITECTURE}`,
		jointcastd, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--source', uri);
	daemon.status = async () => (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json();
	daemon.source = async () => {
		const [{ bodies, waiting }] = (await daemon.status()).spaces;
		return (bodies[0] ?? waiting[0]).source;
	};
	daemon.isLive = async () => (await daemon.source()).condition === 'live';
	return daemon;
}

/** A subscriber, and the one body. */
export async function subscribe(daemon) {
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	client.body = await until('a body enters', () => [...client.bodies.values()][0]);
	return client;
}
