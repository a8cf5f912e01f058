// A daemon that is attacked, what it costs meanwhile, and the honest clients beside it. Daemon
// and attackers have a processor each; the daemon and the honest clients come before whatever
// else runs, as far as the system permits that.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startThrough } from '../../e2e/support/daemon.mjs';
import { sleep } from '../../e2e/support/until.mjs';
import { exchange } from '../../e2e/support/websocket_bytes.mjs';

const PROBE = fileURLToPath(new URL('../../e2e/hostile/honest_clients.mjs', import.meta.url));
const can = (...command) => spawnSync(command[0], [...command.slice(1), 'true']).status === 0;

/** The command prefix that binds a process to a processor with high priority. */
export const BOUND = os.cpus().length > 1 && can('taskset', '-c', '1');
export const FIRST = can('chrt', '-r', '10');
const pinned = (cpu) => [...(FIRST ? ['chrt', '-r', '10'] : []), ...(BOUND ? ['taskset', '-c', String(cpu)] : [])];

/** Binds this process, the attackers', to the other processor. */
export function bindAttackers() {
	if (BOUND)
		spawnSync('taskset', ['-a', '-p', '-c', '1', String(process.pid)]);
}

export class Scene {
	/** `config`: lines of jointcastd.conf; $FOLDER in them is a folder that is there. */
	static async open(program, config, options = []) {
		const scene = new Scene();
		scene.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jointcast-attack-'));
		fs.writeFileSync(path.join(scene.folder, 'jointcastd.conf'), config.replaceAll('$FOLDER', scene.folder));
		const [command, ...rest] = [...pinned(0), program, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--state', path.join(scene.folder, 'state'),
			'--config', path.join(scene.folder, 'jointcastd.conf'), ...options];
		scene.daemon = await startThrough(command, ...rest);
		scene.port = scene.daemon.port;
		scene.admin = scene.daemon.admin;
		scene.began = performance.now();
		scene.daemon.exited.then((how) => {
			scene.died = how;
			scene.diedAt = performance.now();
		});
		return scene;
	}

	proc(name) {
		return fs.readFileSync(`/proc/${this.daemon.child.pid}/${name}`, 'utf8');
	}

	/** Seconds of processor that its threads have had. */
	processor() {
		const tasks = `/proc/${this.daemon.child.pid}/task`;
		return fs.readdirSync(tasks).reduce((sum, task) =>
			sum + Number(fs.readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9, 0);
	}

	resident() {
		return Number(/^VmRSS:\s+(\d+) kB$/m.exec(this.proc('status'))[1]) / 1024;
	}

	/** The most since forgetPeak(), in MB. */
	peak() {
		return Number(/^VmHWM:\s+(\d+) kB$/m.exec(this.proc('status'))[1]) / 1024;
	}

	forgetPeak() {
		fs.writeFileSync(`/proc/${this.daemon.child.pid}/clear_refs`, '5');
	}

	async answers() {
		const answer = exchange(this.daemon.admin, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined, 10000);
		return answer.then(({ status }) => status === 200, () => false);
	}

	/** Ticks that there was no time for; null where it does not answer. */
	async missedTicks() {
		const answer = exchange(this.daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined, 10000);
		return answer.then(({ body }) => JSON.parse(body).ticks.missed, () => null);
	}

	async beginProbe(space) {
		const [command, ...rest] = [...pinned(1), process.execPath, PROBE, String(this.port), space];
		this.probe = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		await this.heard('ready');
	}

	heard(wanted, ms = 20000) {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`the honest clients do not answer '${wanted}'`)), ms);
			const listen = (message) => {
				if (message.ask === wanted) {
					clearTimeout(timer);
					this.probe.off('message', listen);
					resolve(message);
				}
			};
			this.probe.on('message', listen);
			this.probe.on('exit', () => reject(new Error('the honest clients ended')));
		});
	}

	ask(ask, more = {}) {
		const answer = this.heard(ask);
		this.probe.send({ ask, ...more });
		return answer;
	}

	async close() {
		this.probe?.kill('SIGKILL');
		if (this.died === undefined) {
			this.daemon.child.kill('SIGCONT');
			this.daemon.child.kill('SIGTERM');
			await Promise.race([this.daemon.exited, sleep(4000)]);
			this.daemon.child.kill('SIGKILL');
		}
		fs.rmSync(this.folder, { recursive: true, force: true });
	}
}
