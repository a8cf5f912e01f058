// Starts daemons for tests, on free ports, and ends them with the test.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
/** The build folder that ctest names, or the release build. */
export const BUILD = process.env.JC_BUILD ?? path.join(ROOT, 'build/release');
/** The daemon: the first argument of the test, or that of the build folder. */
export const binary = process.argv[2] ?? path.join(BUILD, 'daemon/jointcastd');
export const JOINTCAST = path.join(BUILD, 'clients/cli/jointcast');
const WEB = path.join(BUILD, 'share/jointcast/web');

/** The beginning of a token; a number that was measured. */
const SECRET = /\beyJ[\w-]{9,}|\d\.\d{4,}/;
const START_MS = 20000;
const STOP_MS = 5000;

// A test that fails must not leave daemons behind.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts the daemon, with its status and metrics at the port `admin`; resolves once it listens. */
export const start = (...options) => startThrough(binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...options);

/** The same through another command line, for arguments that are not text. */
export async function startThrough(command, ...args) {
	const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
	running.add(child);
	const daemon = { child, log: '', port: 0, tlsPort: 0, admin: 0 };
	daemon.exited = new Promise((resolve) =>
		child.on('exit', (code, signal) => {
			running.delete(child);
			resolve(code ?? signal);
		}));
	await new Promise((resolve, reject) => {
		child.stderr.on('data', (text) => {
			daemon.log += text;
			const found = /listening on 127\.0\.0\.1:(\d+)\n/.exec(daemon.log);
			if (found) {
				daemon.port = Number(found[1]);
				daemon.admin = Number(/status and metrics on 127\.0\.0\.1:(\d+)\n/.exec(daemon.log)?.[1]);
				daemon.tlsPort = Number(/TLS on 127\.0\.0\.1:(\d+)\n/.exec(daemon.log)?.[1]);
				resolve();
			}
		});
		child.on('error', reject);
		child.on('exit', (code) => reject(new Error(`exit ${code}: ${daemon.log}`)));
		setTimeout(() => reject(new Error(`jointcastd does not listen: ${daemon.log}`)), START_MS).unref();
	});
	child.unref();
	child.stderr.unref();
	daemon.url = `ws://127.0.0.1:${daemon.port}/`;
	daemon.stop = async (signal = 'SIGTERM') => {
		child.ref();
		child.kill(signal);
		await daemon.exited;
		assert.doesNotMatch(daemon.log, SECRET, 'a token or a pose is in the log');
		return daemon.exited;
	};
	return daemon;
}

/** Runs the daemon to its end: for options that it refuses. */
export function run(...options) {
	const child = spawn(binary, options, { stdio: ['ignore', 'pipe', 'pipe'] });
	const result = { stdout: '', stderr: '' };
	child.stdout.on('data', (text) => (result.stdout += text));
	child.stderr.on('data', (text) => (result.stderr += text));
	return new Promise((resolve) =>
		child.on('close', (code) => resolve({ code, ...result })));
}

/**
 * Starts a daemon with the viewer and stops it when the test `t` ends; it must exit with 0.
 * @returns {Promise<{port: number, url: string, page: string, admin: string, reload: () => void,
 *   stop: () => Promise<void>}>}
 */
export async function startDaemon(t, ...options) {
	const daemon = await start('--web', WEB, ...options);
	const stop = async () => {
		const killer = setTimeout(() => daemon.child.kill('SIGKILL'), STOP_MS);
		const code = await daemon.stop();
		clearTimeout(killer);
		assert.equal(code, 0, `jointcastd ended with ${code}:\n${daemon.log}`);
	};
	t.after(stop);
	return { port: daemon.port, url: daemon.url, page: `http://127.0.0.1:${daemon.port}/`,
		admin: `http://127.0.0.1:${daemon.admin}/`, reload: () => daemon.child.kill('SIGHUP'), stop };
}

/** A file of the folder of public motions beside the project; null where it is absent. */
export function sample(name) {
	const folder = process.env.JOINTCAST_DATA ?? path.join(ROOT, '../shared/data');
	const file = path.join(folder, name);
	return existsSync(file) ? file : null;
}

/** A folder that is removed when the test `t` ends, without `t` when the process ends. */
export function scratch(t) {
	const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	t ? t.after(remove) : process.on('exit', remove);
	return folder;
}

/** A function that writes a file of the folder and returns its path. */
export function writer(folder) {
	return (name, bytes) => {
		writeFileSync(path.join(folder, name), bytes);
		return path.join(folder, name);
	};
}
