// Clients of the soak of a cluster, and what they check: each body shows the motion of the person
// that its name says, an id has one name in an epoch, no bundle arrives twice, and no change of
// the roster is lost.
import { createRequire } from 'node:module';
import { BONES, PoseFrame, TRACKED, connect } from '../../clients/js/index.js';

const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const HEAD = BONES.indexOf('head');
/** The head of person i is turned by this angle times i about +Y. */
const STEP = 0.15;
const TOLERANCE = 0.06; // standard precision is 1 degree
const HZ = 20;
const MOST_POSES = 1000; // in a report

const turnOf = (name) => STEP * Number(/^person(\d+)/.exec(name)?.[1]);

/** What was found wrong, by kind; each kind with its number and the first example. */
export class Findings {
	counts = new Map();
	first = new Map();
	/** Poses that are not those of their person, each with what may explain it. */
	poses = [];
	/** The last action on the cluster. */
	action = 'none';
	checks = 0;

	add(kind, detail) {
		this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
		if (!this.first.has(kind))
			this.first.set(kind, detail);
	}
}

/** A WebSocket that shows the text messages it receives. */
function spying(onText, onOpen) {
	return class extends WebSocket {
		constructor(url, protocol) {
			super(url, protocol);
			this.on('open', onOpen);
			this.on('message', (data, isBinary) => isBinary || onText(JSON.parse(data)));
		}
	};
}

/** A client that only watches. `names`: epoch and id → name, of all clients together. */
export function watch(url, space, findings, names) {
	let revision = -1;
	let epoch = '';
	let tick = -1;
	const onText = (message) => {
		if (message.type !== 'roster' || message.space !== space)
			return;
		findings.checks++;
		if (message.bodies) {
			({ epoch, revision } = message);
			tick = -1; // another epoch, or another origin, counts anew
		} else if (message.revision > revision + 1) {
			findings.add('lost change of the roster', `revision ${message.revision} after ${revision}`);
		} else {
			revision = Math.max(revision, message.revision);
		}
		for (const { id, name } of [...message.bodies ?? [], ...message.joined ?? [], ...message.changed ?? []]) {
			const key = `${space} ${epoch} ${id}`;
			if (names.has(key) && names.get(key) !== name)
				findings.add('another name for an id', `${key}: '${names.get(key)}', then '${name}'`);
			names.set(key, name);
		}
	};
	const client = connect(url, { space, WebSocket: spying(onText, () => {
		revision = -1;
		tick = -1;
	}) });
	client.on('bundle', (bundle) => {
		findings.checks++;
		if (bundle.tick <= tick)
			findings.add('a tick again', `${bundle.tick} after ${tick}`);
		tick = bundle.tick;
		const seen = new Set();
		for (let i = 0; i < bundle.count; i++) {
			if (seen.has(bundle.body[i]))
				findings.add('two packets of a body in a bundle', `body ${bundle.body[i]}`);
			seen.add(bundle.body[i]);
		}
	});
	client.on('error', () => {}); // processes are killed: errors are expected
	return client;
}

/* After half a second without captures the daemon blends a body to the rest pose, and in 0.3 s back. */
const BLENDS_US = 1e6;
/** When each body was not tracked, or stood still, last: the server time of its pose. */
const unsteady = new WeakMap();
const newest = new WeakMap();

/** Whether the pose may be between the rest and that of the person: after a standstill the client
 * goes from the last pose to the first one that has come since, which the daemon may blend. */
function isBlending(body, { time, states }) {
	const before = newest.get(body);
	const stands = time === before?.time;
	if (states[HEAD] !== TRACKED || stands || before?.stands || !(Math.abs(time - before?.time) < 0.45 * BLENDS_US))
		unsteady.set(body, time);
	newest.set(body, { time, stands });
	return time - unsteady.get(body) < BLENDS_US;
}

/** Compares the head of each person with the name. */
export function checkPoses(client, findings) {
	for (const body of client.bodies.values()) {
		const turn = turnOf(body.name);
		const sample = Number.isNaN(turn) ? null : body.sample(client.now());
		// Rotations are those of the rest until the first packet has been decoded.
		if (!sample || Number.isNaN(sample.time))
			continue;
		const blends = isBlending(body, sample);
		const [, y, , w] = sample.rotations.subarray(4 * HEAD, 4 * HEAD + 4);
		const seen = 2 * Math.atan2(y, w);
		findings.checks++;
		if (Math.abs(seen - turn) > TOLERANCE && !(blends && seen > -TOLERANCE && seen < turn)) {
			const others = [...client.bodies.values()].map(({ name }) => name).filter((name) => turnOf(name) && name !== body.name);
			findings.add('the motion of another person', `'${body.name}' turns ${seen.toFixed(2)}, not ${turn.toFixed(2)}`);
			if (findings.poses.length < MOST_POSES)
				findings.poses.push({ name: body.name, id: body.id, time: sample.time, state: body.state, seen, own: turn,
					others: Object.fromEntries(others.map((name) => [name, turnOf(name)])), steadyUs: sample.time - unsteady.get(body), action: findings.action });
		}
	}
}

/** Publishes person i until close() is called. */
export function publish(url, space, i) {
	const client = connect(url, { space, WebSocket });
	client.on('error', () => {});
	const publication = client.publish({ name: `person${i}`, kind: 'poses' });
	const pose = new PoseFrame();
	pose.states.fill(TRACKED);
	pose.rotations[4 * HEAD + 1] = Math.sin(STEP * i / 2);
	pose.rotations[4 * HEAD + 3] = Math.cos(STEP * i / 2);
	const timer = setInterval(() => {
		if (publication.state === 'open') {
			pose.time = Math.round(client.clock.at(client.now()));
			pose.hips[1] = 0.01 * Math.sin(client.now() / 300);
			publication.send(pose);
		}
	}, 1000 / HZ);
	return { client, publication, close: () => {
		clearInterval(timer);
		client.close();
	} };
}
