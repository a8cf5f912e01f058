#!/usr/bin/env node
// Photographs the face of an avatar in the viewer while a sender plays a phone with iFacialMocap and
// then one with Facemotion3d, and checks on which side of the picture an eye closes and where the eyes
// go. The avatar needs expressions for both eyes, such as vrm0_godette.vrm of the public figures.
//
// usage: node tests/live/phone_face.mjs DAEMON AVATAR FOLDER
//
// The pictures in FOLDER are for people to look at.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { launch, openViewer } from '../e2e/support/browser.mjs';
import { startDaemon } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';

const [avatar, folder] = process.argv.slice(3);
if (!folder) {
	console.error('usage: node tests/live/phone_face.mjs DAEMON AVATAR FOLDER');
	process.exit(2);
}
mkdirSync(folder, { recursive: true });
/** Without a graphics processor, a picture takes seconds. */
const SLOW_MS = 240000;
const browser = await launch();
after(() => browser.close());

/** Degrees of the eyes; a positive Y is to the left of the person (ifacialmocap.com/for-developer). */
const text = ({ eyes: [down, left] = [0, 0], ...shapes }, mark) =>
	Object.entries({ eyeBlinkLeft: 0, eyeBlinkRight: 0, jawOpen: 0, mouthSmileLeft: 0, mouthSmileRight: 0,
		eyeLookOutLeft: 0, eyeLookInRight: 0, eyeLookInLeft: 0, eyeLookOutRight: 0, ...shapes })
		.map(([name, value]) => `${name}${mark}${value}`).join('|')
	+ `|=head#0,0,0,0,0,0|rightEye#${down},${left},0|leftEye#${down},${left},0|`;

/** Both apps send the same text; iFacialMocap's first version has shorter names and another mark. */
const APPS = {
	ifacialmocap: (face) => text(face, '-').replace(/(Left|Right)-/g, (_, side) => `_${side[0]}-`),
	facemotion3d: (face) => text(face, '&'),
};
const FACES = {
	neutral: {},
	'right-eye': { eyeBlinkRight: 100 },
	'left-eye': { eyeBlinkLeft: 100 },
	mouth: { jawOpen: 100 },
	smile: { mouthSmileLeft: 100, mouthSmileRight: 100 },
	'gaze-left': { eyes: [0, 30], eyeLookOutLeft: 90, eyeLookInRight: 90 },
	'gaze-right': { eyes: [0, -30], eyeLookInLeft: 90, eyeLookOutRight: 90 },
};

/** Where two pictures differ: the mean place, shares of width and height, and the sum. */
const compare = (viewer, a, b) => viewer.evaluate(async (pictures) => {
	const [first, second] = await Promise.all(pictures.map(async (picture) => {
		const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
		const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
		context.drawImage(bitmap, 0, 0);
		return context.getImageData(0, 0, bitmap.width, bitmap.height);
	}));
	let sum = 0, x = 0, y = 0;
	for (let i = 0; i < first.data.length; i += 4) {
		const change = [0, 1, 2].reduce((all, k) => all + Math.abs(first.data[i + k] - second.data[i + k]), 0);
		if (change > 60) {
			sum += change;
			x += change * ((i / 4) % first.width);
			y += change * Math.floor(i / 4 / first.width);
		}
	}
	return { sum, x: x / sum / first.width, y: y / sum / first.height };
}, [a, b].map((picture) => picture.toString('base64')));

for (const [app, write] of Object.entries(APPS))
	test(`the face of ${app}`, { timeout: 3 * SLOW_MS }, async (t) => {
		const daemon = await startDaemon(t, '--source', `${app}:0?name=face`, '--skeleton', avatar);
		const socket = createSocket('udp4');
		t.after(() => socket.close());
		const { spaces: [{ waiting: [{ source }] }] } = await (await fetch(`${daemon.admin}status`)).json();
		const port = Number(/port (\d+)/.exec(source.detail)[1]);
		let face = FACES.neutral;
		const timer = setInterval(() => socket.send(write(face), port, '127.0.0.1'), 33);
		t.after(() => clearInterval(timer));
		const page = await openViewer(t, daemon.page, { browser, width: 600, height: 800, seen: true,
			context: { deviceScaleFactor: 2 },
			prepare: async (viewer) => viewer.setDefaultTimeout(SLOW_MS) });
		const { viewer } = page;
				await until('the avatar is worn', () => viewer.evaluate(() => window.jointcast?.bodies()[0]?.avatar), SLOW_MS);
		await viewer.evaluate(() => window.jointcast.lookFrom(0, 0, 1));
		await viewer.waitForTimeout(8000);
		await viewer.addStyleTag({ content: '.label, svg { visibility: hidden }' });
		// The body sways, and the camera arrives: the head is looked for again for each picture.
		const shoot = async (file) => {
			const { head, hips } = await viewer.evaluate(() => window.jointcast.bodies()[0].picture);
			const size = 0.8 * (hips[1] - head[1]);
			return viewer.screenshot({ path: file,
				clip: { x: head[0] - size / 2, y: head[1] - 0.7 * size, width: size, height: size } });
		};
		const pictures = {};
		for (const [name, next] of Object.entries(FACES)) {
			face = next;
			await viewer.waitForTimeout(2500);
			pictures[name] = await shoot(path.join(folder, `${app}_${name}.png`));
		}
		console.log(app, Object.fromEntries(await Promise.all(Object.keys(FACES).slice(1).map(async (name) =>
			[name, await compare(viewer, pictures.neutral, pictures[name])]))));
		// The figure faces the camera: its right is at the left of the picture.
		const right = await compare(viewer, pictures.neutral, pictures['right-eye']);
		const left = await compare(viewer, pictures.neutral, pictures['left-eye']);
		const mouth = await compare(viewer, pictures.neutral, pictures.mouth);
		assert.ok(right.x < left.x - 0.02, `the right eye closes at ${right.x}, the left one at ${left.x}`);
		assert.ok(mouth.y > right.y + 0.02, `the mouth opens at ${mouth.y}, an eye is at ${right.y}`);
		page.done();
	});
