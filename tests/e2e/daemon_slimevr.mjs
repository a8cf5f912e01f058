// SlimeVR Server's VMC messages: bones that are sent arrive as they are, and arms that are left
// out reach the controllers.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import WebSocket from 'ws';
import { BONES, Figure, connect } from '../../clients/js/index.js';
import { start } from './support/daemon.mjs';
import { inverse, localRotations, multiply, packet, rotate, subtract, trackers, turn } from './support/slimevr.mjs';
import { until } from './support/until.mjs';

const DEGREES = 180 / Math.PI;
const [X, Y, Z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/* OpenXR's axes are turned by half a turn against those of bodies here. */
const pointHere = ([x, y, z]) => [-x, y, -z];
const rotationHere = ([x, y, z, w]) => [-x, y, -z, w];

const distance = (a, b) => Math.hypot(...subtract(a, b));
const angle = (a, b) => {
	const [x, y, z, w] = multiply(inverse(a), b);
	return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)) * DEGREES;
};

/** The VRM that SlimeVR has loaded: the proportions of the built-in figure. */
function makeAvatar() {
	const { bones } = JSON.parse(readFileSync(new URL('../../proto/joints.json', import.meta.url)));
	const rest = new Map(bones.map((bone) => [bone.name, bone]));
	const unity = (name) => name.replace(/^./, (c) => c.toUpperCase());
	return { offsets: Object.fromEntries(bones.filter(({ parent }) => parent).map(({ name, parent, rest: place }) =>
		[unity(name), pointHere(subtract(place, rest.get(parent).rest))])) };
}

/**
 * A person who looks to the left of the room, leans, raises the left arm and one knee, and holds
 * the right hand in front of the chest. The thumb of the raised hand points backwards.
 */
function makeFigure(knee) {
	const yaw = turn(Y, 40);
	const about = (axis, degrees) => multiply(yaw, turn(axis, degrees));
	const hmd = [0.6, 1.6, -0.4];
	const from = (offset) => hmd.map((x, i) => x + rotate(yaw, offset)[i]);
	return { hmd, rotations: { hips: yaw, waist: about(X, -5), chest: about(X, -12),
		neck: about(X, -20), head: multiply(yaw, multiply(turn(Y, 25), turn(X, -10))),
		leftUpperLeg: about(X, knee), leftLowerLeg: about(X, knee - 60), leftFoot: about(X, 5),
		rightUpperLeg: yaw, rightLowerLeg: about(X, -3), rightFoot: yaw },
	controllers: {
		left: { position: from([-0.3, 0.3, -0.1]), rotation: about(X, 165) },
		right: { position: from([0.12, -0.32, -0.4]), rotation: multiply(about(X, 75), turn(Y, 20)) },
	} };
}

/** A running daemon with a VMC port, a client, and a sender that repeats what it is given. */
async function setUp(t, options = '') {
	const daemon = await start('--source', `vmc:0?name=Ada${options}`);
	t.after(() => daemon.stop());
	const port = Number(/vmc 127\.0\.0\.1:(\d+): waiting for a body/.exec(daemon.log)[1]);
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	const socket = createSocket('udp4');
	const begin = Date.now();
	let make = () => undefined;
	const timer = setInterval(() => {
		const bytes = make((Date.now() - begin) / 1000);
		if (bytes)
			socket.send(bytes, port, '127.0.0.1');
	}, 10);
	t.after(() => {
		clearInterval(timer);
		socket.close();
	});
	const detail = async () => (await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json())
		.spaces[0].bodies[0].source.detail;
	return { client, detail, send: (next) => { make = next; },
		enters: () => until('a body enters', () => [...client.bodies.values()][0]) };
}

/** The body as shown: positions, world rotations and local rotations by bone. */
function show(body) {
	const sample = body.sample();
	const figure = new Figure(body.skeleton).pose(sample);
	const node = (bone) => body.skeleton.bones[BONES.indexOf(bone)];
	return { at: (bone) => figure.position(node(bone), []),
		local: (bone) => [...sample.rotations.slice(4 * BONES.indexOf(bone), 4 * BONES.indexOf(bone) + 4)],
		/** Where a direction of the T-pose points. */
		points: (bone, [x, y, z]) => [0, 1, 2].map((i) => figure.worlds[16 * node(bone) + i] * x
			+ figure.worlds[16 * node(bone) + 4 + i] * y + figure.worlds[16 * node(bone) + 8 + i] * z) };
}

const canonicalName = (bone) => bone.replace(/^./, (c) => c.toLowerCase());

/** The largest angle of the sent bones to those that are shown. */
const worst = (figure, shown) => Math.max(...[...localRotations(figure)].map(([bone, rotation]) =>
	angle(rotationHere(rotation), shown.local(canonicalName(bone)))));

/** Compares an arm with the triangle of shoulder, elbow and wrist of this file. */
function expectArm(t, figure, shown, side) {
	const place = Object.fromEntries(trackers(figure).map(([, name, position]) => [name, position]));
	const { position, rotation } = figure.controllers[side];
	// SlimeVR holds controllers 3.5 cm along the hand and 13 cm to the thumb.
	const wrist = subtract(position, rotate(rotation, [0, -0.035, -0.13]));
	const [leftLeg, rightLeg] = [shown.at('leftUpperLeg'), shown.at('rightUpperLeg')];
	const hips = leftLeg.map((x, i) => (x + rightLeg[i]) / 2);
	const size = distance(place.HEAD, place.WAIST) / distance(shown.at('neck'), hips);
	const wanted = pointHere(subtract(wrist, place.HEAD)).map((x, i) => x / size + shown.at('neck')[i]);
	const off = distance(shown.at(`${side}Hand`), wanted);
	const [shoulder, elbow, hand] = ['UpperArm', 'LowerArm', 'Hand'].map((bone) => shown.at(side + bone));
	const [upper, lower] = [0.28, 0.25];
	const cosine = (upper ** 2 + lower ** 2 - distance(shoulder, wanted) ** 2) / (2 * upper * lower);
	const [a, b] = [subtract(shoulder, elbow), subtract(hand, elbow)];
	const inside = Math.acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (Math.hypot(...a) * Math.hypot(...b)));
	const bent = Math.abs(inside - Math.acos(cosine)) * DEGREES;
	// Fingers hang along the body in SlimeVR's upright pose, thumbs point to the front.
	const here = rotationHere(rotation);
	const fingers = distance(shown.points(`${side}Hand`, side === 'left' ? X : [-1, 0, 0]), rotate(here, [0, -1, 0]));
	const thumb = distance(shown.points(`${side}Hand`, Z), rotate(here, Z));

	t.diagnostic(`${side} wrist ${(off * 1000).toFixed(2)} mm and elbow ${bent.toFixed(3)} degrees from the triangle, `
		+ `hand ${(Math.max(fingers, thumb) * DEGREES).toFixed(3)} degrees from the controller`);
	assert.ok(off < 0.002, `${side} wrist is ${off} m away`);
	assert.ok(bent < 0.5, `${side} elbow is bent by ${bent} degrees too much`);
	assert.ok(Math.max(fingers, thumb) * DEGREES < 0.2, `${side} hand is turned`);
}

test('arms that SlimeVR leaves out reach its controllers', async (t) => {
	const { detail, send, enters } = await setUp(t);
	const figure = makeFigure(60);
	send(() => packet(figure));
	const body = await enters();
	await until('the arms are there', () => body.state === 'live' && body.timeline.received > 10);
	const shown = show(body);

	assert.match(await detail(), /, arms from the controllers$/);
	const off = worst(figure, shown);
	t.diagnostic(`sent bones are at most ${off.toFixed(4)} degrees off`);
	assert.ok(off < 0.1, `a sent bone is ${off} degrees off`);
	expectArm(t, figure, shown, 'left');
	expectArm(t, figure, shown, 'right');
	// The person looks to the left of the room: here from +Z towards +X.
	const ahead = [Math.sin(40 / DEGREES), 0, Math.cos(40 / DEGREES)];
	const left = [Math.cos(40 / DEGREES), 0, -Math.sin(40 / DEGREES)];
	const along = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
	assert.ok(along(subtract(shown.at('leftEye'), shown.at('head')), ahead) > 0, 'the face looks back');
	assert.ok(shown.at('leftHand')[1] > shown.at('head')[1] + 0.05, 'the left hand is not raised');
	assert.ok(along(subtract(shown.at('leftHand'), shown.at('head')), left) > 0.1, 'the raised hand is not at the left');
	const right = subtract(shown.at('rightHand'), shown.at('neck'));
	assert.ok(along(right, ahead) > 0.1 && along(right, left) < 0, 'the right hand is not in front at the right');
	assert.ok(shown.at('leftLowerLeg')[1] > shown.at('rightLowerLeg')[1] + 0.1, 'the left knee is not raised');
});

test('arms change from the bones of SlimeVR to its controllers and back', async (t) => {
	const { detail, send, enters } = await setUp(t);
	const figure = makeFigure(60);
	const { controllers, ...hung } = figure;
	hung.rotations.leftUpperArm = turn(Z, -30);
	send(() => packet(hung));
	const body = await enters();
	await until('the arms are there', () => body.state === 'live' && body.timeline.received > 10);
	assert.ok(worst(hung, show(body)) < 0.1, 'a sent bone is off');
	assert.doesNotMatch(await detail(), /controllers/);
	send(() => packet(figure));
	await until('the arms reach the controllers', () => distance(show(body).at('leftHand'), show(body).at('head')) < 0.5
		&& show(body).at('leftHand')[1] > show(body).at('head')[1]);
	send(() => packet(hung));
	await until('the arms are those of SlimeVR', () => worst(hung, show(body)) < 0.1);
});

test('the status says that SlimeVR has no avatar loaded', async (t) => {
	const { detail, send, enters } = await setUp(t);
	const stepping = (seconds) => makeFigure(30 + 30 * Math.sin(3 * seconds));
	send((seconds) => packet(stepping(seconds), { seconds }));
	const body = await enters();
	await until('the body is live', () => body.state === 'live');
	await until('the status names the remedy', async () =>
		/^port \d+, the hips do not move: load a VRM avatar in SlimeVR \(VMC settings\)$/.test(await detail()));
	assert.deepEqual([...body.sample().hips], [0, 0, 0]);

	// With an avatar the place of the hips is that under the neck of the person.
	send((seconds) => packet(stepping(seconds), { seconds, avatar: { ...makeAvatar(), hips: [0.6, 0.9, -0.4] } }));
	await until('the hips move', () => Math.hypot(...body.sample().hips) > 0.5);
	await until('nothing is wrong', async () => /^port \d+, arms from the controllers$/.test(await detail()));
});

test('a jump of the space of a VMC program is a cut', async (t) => {
	const { client, send, enters } = await setUp(t, '&smooth');
	const place = (x) => () => packet(makeFigure(60), { avatar: { ...makeAvatar(), hips: [x, 0.9, -0.4] } });
	send(place(0.6));
	const body = await enters();
	await until('the body is there', () => body.state === 'live' && body.timeline.received > 60);
	const seen = [];
	client.on('bundle', (bundle) => seen.push({ cut: bundle.count > 0 && bundle.cut[0] > 0, x: body.timeline.at(body.timeline.newest).hips[0] }));
	send(place(1));
	await until('the motion is cut', () => seen.some(({ cut }) => cut));
	await until('it goes on', () => seen.length > seen.findIndex(({ cut }) => cut) + 30);
	const at = seen.findIndex(({ cut }) => cut);
	assert.equal(seen.filter(({ cut }) => cut).length, 1, 'one cut');
	assert.ok(Math.abs(seen[at].x - seen.at(-1).x) < 1e-3, 'the filter smears the jump');
	assert.ok(at === 0 || Math.abs(seen[at].x - seen[at - 1].x) > 0.3, 'the body stands where it stood');
});

test('the status says which controllers cannot be distinguished', async (t) => {
	const { detail, send, enters } = await setUp(t);
	const figure = makeFigure(60);
	const unnamed = ([kind, name, ...rest], i) => [kind, `LHR-${i}`, ...rest];
	// Both hands are in front of the same shoulder.
	const close = makeFigure(60);
	close.controllers.right.position = close.controllers.left.position;
	send(() => packet(close, { devices: (list) => list.map(unnamed) }));
	const body = await enters();
	await until('the body is live', () => body.state === 'live');
	await until('the status names the remedy', async () =>
		/left and right controller cannot be distinguished; hold one at each side of the body$/.test(await detail()));
	assert.ok(angle(show(body).local('leftUpperArm'), [0, 0, 0, 1]) < 0.1, 'an arm was guessed');
	send(() => packet(figure, { devices: (list) => list.filter(([kind]) => kind !== 'Hmd').map(unnamed) }));
	await until('the status names the headset', async () =>
		/the sender sends controllers without a headset \(\/VMC\/Ext\/Hmd\/Pos\)$/.test(await detail()));
	send(() => packet(figure, { devices: (list) => list.map(unnamed) }));
	await until('the sides of the body decide', async () => /, arms from the controllers$/.test(await detail()));
	await until('the left hand is raised', () => show(body).at('leftHand')[1] > show(body).at('head')[1]);
});
