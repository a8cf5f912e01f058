// Runs an older version of the daemon and this one in turn on one state directory; each makes state
// of every kind, and finds what both have made.
//
// usage: versions.mjs OLD_BUILD NEW_BUILD
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../clients/js/body-frame.js';
import { JOINTS } from '../../clients/js/tables.js';
import { scratch } from '../e2e/support/daemon.mjs';
import { World } from '../e2e/support/kept_state.mjs';
import { captures, json, readMessages } from '../e2e/support/mcap_messages.mjs';
import { sleep } from '../e2e/support/until.mjs';

const builds = { old: path.resolve(process.argv[2]), new: path.resolve(process.argv[3]) };
const daemonOf = (version) => path.join(builds[version], 'daemon/jointcastd');
const toolOf = (version) => path.join(builds[version], 'clients/cli/jointcast');

/** The built-in figure in the T-pose, with trackers at head, hands and hips. */
const HALF = Math.SQRT1_2;
const TRACKERS = {
	head: [[0, 1.56, 0.01], [-HALF, 0, 0, HALF]],
	'left-hand-wrist': [[0.705, 1.42, -0.005], [0, -HALF, 0, HALF]],
	'right-hand-wrist': [[-0.705, 1.42, -0.005], [0, HALF, 0, HALF]],
	hips: [[0, 1.0, 0.08], [0.5, 0.5, 0.5, 0.5]],
};

const publish = (publication, name, mayRecord) => ({ type: 'publish', space: 'lobby', publication, name,
	kind: 'body-frames', height: 1.75, mayRecord });

/** Ada consents to a recording and is calibrated; Kim does not consent. */
async function perform(world) {
	const person = await world.open({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish(0, 'Ada', true), publish(1, 'Kim', false));
	const { body } = await person.find('published', ({ publication }) => publication === 0);
	const timer = setInterval(() => {
		const frame = new BodyFrame();
		frame.time = person.now();
		for (const [joint, [position, rotation]] of Object.entries(TRACKERS)) {
			const index = JOINTS.indexOf(joint);
			frame.states[index] = TRACKED;
			frame.positions.set(position, 3 * index);
			frame.rotations.set(rotation, 4 * index);
		}
		for (const publication of [0, 1])
			person.ws.send(captureMessage(publication, encodeBodyFrame(frame)));
	}, 16);
	// On a busy machine frames may come too late for a calibration: then it is repeated.
	let answer;
	do {
		person.send({ type: 'calibrate', space: 'lobby', body, height: 1.75, countdown: 1 });
		answer = await person.find('calibration', ({ state }) => state !== 'counting');
	} while (/nothing comes from the trackers/.test(answer.reason));
	assert.deepEqual([answer.state, answer.stored], ['done', true], answer.reason);
	await sleep(500); // of recording
	clearInterval(timer);
	person.close();
}

/** Each recording has the captures of Ada and none of Kim, for the readers of both versions. */
async function checkRecordings(world) {
	const files = fs.readdirSync(world.recordings).filter((name) => name.endsWith('.mcap')).map((name) => path.join(world.recordings, name));
	for (const file of files) {
		const messages = await readMessages(file);
		const bodies = json(messages, 'roster').flatMap((roster) => roster.bodies);
		const ids = (is) => new Set(bodies.filter(is).map(({ id }) => id));
		const ada = ids(({ name, recorded }) => name === 'Ada' && recorded !== 'nothing');
		const kim = ids(({ recorded }) => recorded === 'nothing');
		assert.equal(ada.size, 1);
		assert.equal(kim.size, 1);
		const recorded = captures(messages).map(({ body }) => body);
		assert.ok(recorded.some((body) => ada.has(body)));
		assert.ok(!recorded.some((body) => kim.has(body)));
		for (const version of ['old', 'new']) {
			const { status, stdout, stderr } = spawnSync(toolOf(version), ['convert', file, path.join(world.state, '../motion.csv')], { encoding: 'utf8' });
			assert.equal(status, 0, `${version}: ${stdout}${stderr}`);
			const check = spawnSync(daemonOf(version), ['--source', `replay:${file}`, '--check-config'], { encoding: 'utf8' });
			assert.equal(check.status, 0, `${version}: ${check.stderr}`);
		}
	}
	return files.length;
}

test('upgrade, downgrade, upgrade: nothing is lost', async (t) => {
	const world = new World(scratch(t));
	let certificate = null;
	let calibrations = 0;
	for (const version of ['old', 'new', 'old', 'new']) {
		await world.start(daemonOf(version), '--record', `${world.recordings}?raw=true`,
			'--tls-listen', '127.0.0.1:0', '--dev-certificate');
		await world.check();
		for (const maker of ['old', 'new']) {
			const max = await fetch(`${world.http}skeletons`, { headers: { Authorization: `Bearer ${world.tokenOf(toolOf(maker))}` } });
			assert.ok(max.status < 500 && max.status !== 401, `a token of the ${maker} tool: ${max.status}`);
		}
		await world.live();
		await perform(world);
		await world.check();
		await world.stop();

		const pem = fs.readFileSync(world.file('dev-certificate.pem'), 'utf8');
		assert.equal(pem, certificate ?? pem, 'the certificate that people have accepted');
		certificate = pem;
		const calibration = JSON.parse(fs.readFileSync(world.file('calibration', 'Ada.json'), 'utf8'));
		calibrations++;
		assert.equal(calibration.current.height, 1.75);
		assert.equal(calibration.before === null, calibrations === 1, 'the calibration before this one');
		assert.equal(calibration.version, version === 'new' ? 1 : undefined);
		t.diagnostic(`${version}: ${world.bans.size} bans, ${world.skeletons.size} skeletons, ${await checkRecordings(world)} recordings`);
	}
	// The older version reads what the newer one wrote last, and a person is forgotten by each tool.
	await world.start(daemonOf('old'));
	await world.check();
	await world.stop();
	const [first, second] = fs.readdirSync(world.recordings).filter((name) => name.endsWith('.mcap')).sort().map((name) => path.join(world.recordings, name));
	for (const [version, file] of [['new', first], ['old', second]]) {
		const { status, stderr } = spawnSync(toolOf(version), ['forget', 'Ada', file], { encoding: 'utf8' });
		assert.equal(status, 0, `${version}: ${stderr}`);
		const names = json(await readMessages(file), 'roster').flatMap(({ bodies }) => bodies.map(({ name }) => name));
		assert.ok(!names.includes('Ada') && names.includes('walker'));
	}
});
