// SlimeVR's bones through a real Monado: the bones of known poses go to its SolarXR device, and
// the rotations that a subscriber receives are compared with the poses, in degrees.
// Started by `./monado --body ROOT` (service.mjs has the arguments).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { BONES } from '../../clients/js/index.js';
import { sleep, until } from '../e2e/support/until.mjs';
import { JOINTCAST, NotShown, RUN, conclude, startDaemon, startService, subscribe } from './service.mjs';
import { slimevrBones, worldRotations } from './slimevr_bones.mjs';
import { serveBones } from './solarxr_peer.mjs';

const MOTIONS = ['demo:walk', 'demo:wave', 'demo:sit'];
const HZ = 30;
/** Frames from one compared pose to the next. */
const EVERY = 10;
/** How old a packet's sample may at most be against the pose that is held. */
const SETTLED_US = 100000;

/**
 * How SlimeVR's bones come in and are read. Shoulders and upper arms that SlimeVR leaves alone,
 * since controllers drive the arms, are not in the pose.
 */
const WAYS = [
	{ name: 'auto', uri: 'openxr:' },
	{ name: 'slimevr', uri: 'openxr:?profile=slimevr' },
	{ name: 'controllers', uri: 'openxr:', bones: { controllers: true }, unknown: /shoulders|upper/ },
];
/** Bones in rows of the table; mean and 99 % of their degrees have these limits. */
const ROWS = [
	['hips', /^hips$/], ['spine', /^spine$/], ['chest', /^(c|upperC)hest$/], ['neck', /^neck$/],
	['head', /^head$/], ['shoulders', /Shoulder$/], ['upper arms', /UpperArm$/],
	['lower arms', /LowerArm$/], ['hands', /Hand$/], ['thighs', /UpperLeg$/],
	['shins', /LowerLeg$/], ['feet', /Foot$/],
].map(([name, bones]) => ({ name, bones, limits: name === 'feet' ? [2, 4] : [1, 2] }));

/** The frames of a motion: rotations in the world since the T-pose, place of the hips. */
function framesOf(motion) {
	const text = execFileSync(JOINTCAST, ['retarget', motion, 'humanoid', '--json', '--fps', String(HZ)],
		{ maxBuffer: 1 << 28 });
	return JSON.parse(text).frames.map(({ bones }) => ({
		rotations: worldRotations((i) => bones[BONES[i]]?.normalized ?? [0, 0, 0, 1]),
		hips: bones.hips.worldPosition }));
}

/** Degrees between two rotations. */
function angle(a, b) {
	const off = (sign) => Math.hypot(...a.map((x, i) => x - sign * b[i]));
	return 4 * Math.asin(Math.min(off(1), off(-1), 2) / 2) * (180 / Math.PI);
}

/** Plays each motion and holds it again and again; degrees by row of the poses held. */
async function compare(client, show, motions) {
	const degrees = ROWS.map(() => []);
	const { body, clock } = client;
	for (const [i, frame] of motions.flat().entries()) {
		show(frame);
		await sleep(1000 / HZ);
		if (i % EVERY !== EVERY - 1)
			continue;
		const from = clock.at(client.now()) + SETTLED_US;
		await until('the pose arrives', () => body.timeline.newest >= from);
		const { rotations } = body.timeline.at(body.timeline.newest);
		const got = worldRotations((bone) => [...rotations.subarray(4 * bone, 4 * bone + 4)]);
		for (const [row, { bones }] of ROWS.entries())
			degrees[row].push(...BONES.flatMap((bone, b) =>
				(bones.test(bone) ? [angle(got[b], frame.rotations[b])] : [])));
	}
	return degrees.map((all) => {
		all.sort((a, b) => a - b);
		return { mean: all.reduce((sum, x) => sum + x, 0) / all.length,
			most: all[Math.floor(0.99 * (all.length - 1))] };
	});
}

function print(results) {
	const cell = (text) => text.padStart(16);
	console.log(`${'degrees'.padEnd(12)}${results.map(({ name }) => cell(name)).join('')}`);
	console.log(`${''.padEnd(12)}${results.map(() => cell('mean, 99 %')).join('')}`);
	for (const [i, { name }] of ROWS.entries())
		console.log(name.padEnd(12) + results.map(({ rows }) =>
			cell(`${rows[i].mean.toFixed(2)}, ${rows[i].most.toFixed(2)}`)).join(''));
}

async function main() {
	const motions = MOTIONS.map(framesOf);
	const shown = { frame: motions[0][0], bones: {} };
	mkdirSync(RUN, { recursive: true, mode: 0o700 });
	const peer = await serveBones(`${RUN}/SlimeVRRpc`, () => slimevrBones(shown.frame, shown.bones));
	// The head only: controllers would deliver hands of their own.
	const monado = await startService(() =>
		({ head: { position: [0, 1.6, 0], orientation: [0, 1, 0, 0] } }));
	if (peer.clients() === 0)
		throw new NotShown('the service has not asked for SlimeVR\'s bones: it has no solarxr device');

	const results = [];
	for (const { name, uri, bones = {}, unknown = /^$/ } of WAYS) {
		shown.bones = bones;
		const daemon = await startDaemon(uri);
		await until(`the body is live, ${name}`, daemon.isLive)
			.catch(async () => assert.fail(JSON.stringify(await daemon.source())));
		const { detail } = await daemon.source();
		console.log(`monado_body: ${name}: ${detail}`);
		assert.match(detail, /meta body, 84 joints/);
		const client = await subscribe(daemon);
		await sleep(2000); // until the client knows the server's clock
		results.push({ name, unknown, rows: await compare(client, (frame) => (shown.frame = frame), motions) });
		client.close();
		assert.equal(await daemon.stop(), 0, daemon.log);
	}
	print(results);
	await monado.kill();
	peer.stop();
	for (const { name, unknown, rows } of results)
		for (const [i, row] of ROWS.entries())
			assert.ok(unknown.test(row.name) || (rows[i].mean <= row.limits[0] && rows[i].most <= row.limits[1]),
				`${name}: ${row.name} are more than ${row.limits.join(' or, at 99 %, ')} degrees off`);
}

conclude('monado_body', main);
