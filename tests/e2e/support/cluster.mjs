// Starts a cluster for tests: nats-server (Debian's package, or the program that the environment
// variable JC_NATS_SERVER names), origins and edges, each a process with a name that can be killed,
// frozen, stopped and restarted, on free ports. It ends with the test.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from './client.mjs';
import { binary, scratch, startThrough } from './daemon.mjs';
import { Nats } from './nats.mjs';
import { until } from './until.mjs';

const START_MS = 20000;
const STOP_MS = 20000;

/** Starts nats-server on a port (-1: a free one), with a configuration file or none. */
async function startNats({ port, monitor, config }) {
	const child = spawn(process.env.JC_NATS_SERVER || 'nats-server', [...config ? ['-c', config] : [], '-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)],
		{ stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin` } });
	const server = { child, log: '' };
	server.exited = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
	const found = (pattern) => Number(pattern.exec(server.log)?.[1]);
	await new Promise((resolve, reject) => {
		child.stderr.on('data', (text) => {
			server.log += text;
			if (server.log.includes('Server is ready'))
				resolve();
		});
		child.on('error', reject);
		child.on('exit', (code) => reject(new Error(`nats-server: exit ${code}: ${server.log}`)));
		setTimeout(() => reject(new Error(`nats-server is not ready: ${server.log}`)), START_MS).unref();
	});
	child.unref();
	child.stderr.unref();
	server.port = found(/client connections on 127\.0\.0\.1:(\d+)/);
	server.monitor = `http://127.0.0.1:${found(/http monitor on 127\.0\.0\.1:(\d+)/)}/`;
	server.url = `nats://127.0.0.1:${server.port}`;
	return server;
}

/**
 * Processes by name; nats-server is 'nats'. Each has `child`, `log`, `exited`; a daemon also `url`
 * and `port` for clients and `admin` for status.
 */
export class Cluster {
	processes = new Map();
	#plans = new Map(); // how each is started again
	#folder;

	/**
	 * A cluster with nats-server only; add origins and edges.
	 * @param t the test that ends it; undefined: call `end`
	 * @param {{ config?: string }} [nats] text of a configuration file of nats-server
	 */
	static async start(t, { config } = {}) {
		const cluster = new Cluster();
		cluster.#folder = scratch(t);
		process.on('exit', () => cluster.#killAll());
		t?.after(() => cluster.end());
		const file = config && cluster.#write('nats.conf', config);
		await cluster.#launch('nats', async (last) => startNats({ config: file,
			port: last?.port ?? -1, monitor: last ? new URL(last.monitor).port : -1 }));
		return cluster;
	}

	/** The address of nats-server. */
	get nats() {
		return this.processes.get('nats').url;
	}

	/**
	 * Starts an origin.
	 * @param {string[]} options as on the command line, sources among them
	 * @param {{ nats?: string, cluster?: string, config?: string, through?: string[] }} [lines] another
	 *   URL; more keys of the section `cluster`, such as credentials; more sections of
	 *   jointcastd.conf; the command that runs the daemon, such as valgrind
	 */
	origin(name, options = [], lines = {}) {
		return this.#daemon('origin', name, options, lines);
	}

	/** Starts an edge; the arguments are those of `origin`. */
	edge(name, options = [], lines = {}) {
		return this.#daemon('edge', name, options, lines);
	}

	/** Starts a daemon beside the cluster; `config`: sections of jointcastd.conf; `through`: see
	 * `origin`. */
	alone(name, options = [], config = '', through = []) {
		const file = this.#write(`${name}.conf`, config);
		return this.launch(name, (port) => ['--config', file, '--listen', `127.0.0.1:${port}`, '--admin', '127.0.0.1:0', ...options], through);
	}

	/** Starts a daemon with the arguments that `words(port)` returns; the port is 0 at the first
	 * start, and the same port again at later ones. */
	launch(name, words, through = []) {
		return this.#launch(name, async (last) => startThrough(...through, binary, ...words(last?.port ?? 0)));
	}

	/** Resolves once the process answers that it is ready (GET /readyz). */
	async ready(name) {
		const { admin } = this.processes.get(name);
		let answer = 'no answer';
		await until(() => `'${name}' is not ready: ${answer}`, async () => {
			const response = await fetch(`http://127.0.0.1:${admin}/readyz`).catch(() => null);
			answer = response ? `${response.status} ${await response.text()}` : 'no answer';
			return response?.status === 200;
		});
		return this.processes.get(name);
	}

	/** The process's status (GET /status), read once. */
	async status(name) {
		return (await fetch(`http://127.0.0.1:${this.processes.get(name).admin}/status`)).json();
	}

	/** A client that receives motion of all bodies of the roster, by `ask` (roster → boolean):
	 * by default at least one body. Connects again until the process serves the space. */
	async watch(name, { space = 'lobby', hello = {}, subscribe = {}, ask = ({ bodies }) => bodies?.length > 0 } = {}) {
		let client = null;
		await until(`'${name}' serves '${space}'`, async () => {
			client?.end();
			client = await Client.greeted(this.processes.get(name), hello, { type: 'join', space });
			// An edge that has just started closes the connection.
			const answer = await client.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
			return answer?.type === 'roster' && ask(answer);
		});
		client.send({ type: 'subscribe', space, ...subscribe });
		await client.until('a bundle', () => client.bundles.length > 0);
		return client;
	}

	/** A client of nats-server, for what the processes exchange. */
	tap(options) {
		return Nats.connect(this.nats, options);
	}

	/** Figures of nats-server by its monitoring port, such as 'varz' or 'subsz'. */
	async figures(page) {
		return (await fetch(this.processes.get('nats').monitor + page)).json();
	}

	/** Ends the process at once. */
	async kill(name) {
		return this.#signal(name, 'SIGKILL');
	}

	/** Stops the process (SIGTERM); a daemon must exit with 0. */
	async stop(name) {
		const code = await this.#signal(name, 'SIGTERM');
		assert.ok(name === 'nats' || code === 0, `'${name}' ended with ${code}:\n${this.processes.get(name).log}`);
	}

	/** The process does nothing until `thaw`; its connections stay open. */
	freeze(name) {
		this.processes.get(name).child.kill('SIGSTOP');
	}

	thaw(name) {
		this.processes.get(name).child.kill('SIGCONT');
	}

	/** Starts a process that has ended once more, with the same arguments and the same ports. One
	 * that runs is stopped first. */
	async restart(name) {
		if (this.runs(name))
			await this.stop(name);
		return this.#launch(name, this.#plans.get(name));
	}

	runs(name) {
		const { exitCode, signalCode } = this.processes.get(name).child;
		return exitCode === null && signalCode === null;
	}

	/** Stops edges, then origins, then nats-server. */
	async end() {
		const names = [...this.processes.keys()].reverse().filter((name) => this.runs(name));
		for (const name of names) {
			this.thaw(name);
			await this.stop(name);
		}
	}

	async #launch(name, plan) {
		assert.ok(!this.processes.has(name) || !this.runs(name), `'${name}' runs already`);
		this.#plans.set(name, plan);
		const started = await plan(this.processes.get(name));
		this.processes.set(name, started);
		return started;
	}

	async #signal(name, signal) {
		const { child, exited, log } = this.processes.get(name);
		child.ref();
		child.kill(signal);
		const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
		const code = await exited;
		clearTimeout(timer);
		assert.ok(signal === 'SIGKILL' || code !== 'SIGKILL', `'${name}' does not end:\n${log}`);
		return code;
	}

	#daemon(role, name, options, { nats = this.nats, cluster = '', config = '', through }) {
		const file = this.#write(`${name}.conf`,
			`cluster {\n\tnats = "${nats}"\n\trole = "${role}"\n\tname = "${name}"\n\t${cluster}\n}\n${config}\n`);
		return this.launch(name, (port) => ['--config', file, '--listen', `127.0.0.1:${port}`, '--admin', '127.0.0.1:0', ...options], through);
	}

	#write(name, text) {
		const file = path.join(this.#folder, name);
		writeFileSync(file, text);
		return file;
	}

	#killAll() {
		for (const { child } of this.processes.values())
			child.kill('SIGKILL');
	}
}
