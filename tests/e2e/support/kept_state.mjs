// The state that a daemon keeps between runs: makes some of each kind, and checks that all of it is
// there, with whichever version of the daemon runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import WebSocket from 'ws';
import { startThrough, writer } from './daemon.mjs';
import { secret, token } from './token.mjs';
import { until } from './until.mjs';

/** A log line that reports lost or unreadable state. */
const LOSS = /set aside|not loaded|cannot be used|cannot be read|lost|damaged/;

/** A figure of one bone whose hips are so high. */
export const figure = (height, more = {}) => JSON.stringify({ name: 'figure', nodes: [{ name: 'hips', translation: [0, height, 0] }], bones: { hips: 0 }, ...more });

/** A client that checks nothing, since the schemas of other versions may differ. */
class Conversation {
	messages = [];

	static async open(url, claims, ...messages) {
		const client = new Conversation();
		client.ws = new WebSocket(url, 'jointcast.v1');
		client.ws.on('message', (data, binary) => binary || client.messages.push(JSON.parse(data)));
		await new Promise((resolve, reject) => client.ws.on('open', resolve).on('error', reject));
		client.send({ type: 'hello', token: token(claims) }, ...messages);
		const { time } = await client.find('welcome');
		client.offset = time - performance.now() * 1000;
		return client;
	}

	now = () => Math.floor(performance.now() * 1000 + this.offset);
	send = (...messages) => messages.forEach((message) => this.ws.send(JSON.stringify(message)));

	/** The first message of the type that fulfils `is`; it is taken. */
	async find(type, is = () => true) {
		let found = -1;
		await until(type, () => (found = this.messages.findIndex((message) => message.type === type && is(message))) >= 0, 30000);
		return this.messages.splice(found, 1)[0];
	}

	close = () => this.ws.close();
}

const MODERATOR = { sub: 'mia', roles: ['watch', 'moderate', 'record'] };
const moderate = (action, rest) => ({ type: 'moderate', space: 'lobby', action, ...rest });

export class World {
	bans = new Map(); // subject: reason
	skeletons = new Map(); // name: height of the hips
	#versions = 0;

	constructor(folder) {
		this.state = path.join(folder, 'state');
		this.recordings = path.join(folder, 'recordings');
		fs.mkdirSync(this.recordings);
		const write = writer(folder);
		this.key = write('key', secret);
		this.config = write('jointcastd.conf', `
server { state = "${this.state}" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${this.key}" } }
spaces { watch = {"role:watch"} }
source "walker" { uri = "demo:walk" }
`);
	}

	file = (...names) => path.join(this.state, ...names);

	async start(binary, ...options) {
		this.daemon = await startThrough(binary, '--config', this.config, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...options);
		this.http = this.daemon.url.replace('ws:', 'http:');
	}

	/** @param {RegExp} [expected] of the lines about loss that this run may log */
	async stop(expected = /^$/) {
		assert.equal(await this.daemon.stop(), 0, this.daemon.log);
		const lines = this.daemon.log.split('\n').filter((line) => LOSS.test(line) && !expected.test(line));
		assert.deepEqual(lines, []);
	}

	open = (claims, ...messages) => Conversation.open(this.daemon.url, claims, ...messages);

	async #request(method, name, body) {
		const answer = await fetch(`${this.http}skeletons${name}`, { method, body, headers: { Authorization: `Bearer ${token({ sub: 'ada' })}` } });
		assert.ok(answer.ok, `${method} ${name}: ${answer.status}`);
		return answer.json();
	}

	/** A moderator bans a person, and a person registers a skeleton. */
	async live() {
		const n = ++this.#versions;
		const mia = await this.open(MODERATOR, moderate('ban', { subject: `eve-${n}`, reason: `ban ${n}` }),
			moderate('mute', { subject: `bob-${n}`, seconds: 100000 }));
		for (const action of ['ban', 'mute'])
			assert.equal((await mia.find('moderated', (message) => message.action === action)).stored, true);
		this.bans.set(`eve-${n}`, `ban ${n}`);
		mia.close();
		const { stored } = await this.#request('PUT', `/avatar-${n}`, figure(1 + n / 8));
		assert.equal(stored, true);
		this.skeletons.set(`avatar-${n}`, 1 + n / 8);
	}

	/** Lifts a ban, and replaces a skeleton. */
	async change(subject, name, height) {
		const mia = await this.open(MODERATOR, moderate('unban', { subject }));
		assert.equal((await mia.find('moderated')).stored, true);
		this.bans.delete(subject);
		mia.close();
		await this.#request('PUT', `/${name}`, figure(height));
		this.skeletons.set(name, height);
	}

	/** Everything that was made is there, and acts. */
	async check() {
		const mia = await this.open(MODERATOR, moderate('list'));
		const { sanctions } = await mia.find('sanctions');
		const bans = sanctions.filter(({ kind }) => kind === 'ban').map(({ subject, reason }) => [subject, reason]);
		assert.deepEqual(bans.sort(), [...this.bans].sort());
		const mutes = sanctions.filter(({ kind }) => kind === 'mute');
		assert.equal(mutes.length, this.#versions);
		assert.ok(mutes.every(({ since, until: end }) => end === since + 100000), 'durations');
		mia.close();
		for (const [sub] of this.bans) {
			const eve = await this.open({ sub }, { type: 'join', space: 'lobby' });
			assert.equal((await eve.find('error')).code, 'banned');
			eve.close();
		}
		const { skeletons } = await this.#request('GET', '');
		assert.deepEqual(skeletons.map(({ name }) => name).sort(), [...this.skeletons.keys()].sort());
		for (const [name, height] of this.skeletons)
			assert.equal((await this.#request('GET', `/${name}`)).nodes[0].translation[1], height, name);
	}

	/** A token that one version of the tool makes. */
	tokenOf(tool) {
		const { status, stdout, stderr } = spawnSync(tool, ['token', this.key, '--kid', 'shared', '--audience', 'world', '--sub', 'max', '--space', 'lobby'], { encoding: 'utf8' });
		assert.equal(status, 0, stderr);
		return stdout.trim();
	}
}
