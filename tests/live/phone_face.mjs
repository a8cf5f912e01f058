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

/** The dark pixels of a part of a picture: how many, and the mean place from 0 (left) to 1. */
const findDark = (viewer, picture, [left, top, right, bottom]) => viewer.evaluate(async ([bytes, box]) => {
	const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
	const { width, height } = bitmap;
	const context = new OffscreenCanvas(width, height).getContext('2d');
	context.drawImage(bitmap, 0, 0);
	const { data } = context.getImageData(0, 0, width, height);
	let count = 0, sum = 0;
	for (let y = Math.floor(box[1] * height); y < box[3] * height; y++)
		for (let x = Math.floor(box[0] * width); x < box[2] * width; x++) {
			const at = 4 * (y * width + x);
			if (data[at] + data[at + 1] + data[at + 2] < 150) {
				count++;
				sum += x;
			}
		}
	return { count, x: sum / count / width };
}, [picture.toString('base64'), [left, top, right, bottom]]);

/** Parts of a picture of the face: the eyes as the camera sees them, and the mouth. */
const LEFT = [0, 0, 0.5, 0.45], RIGHT = [0.5, 0, 1, 0.45], EYES = [0, 0, 1, 0.45], MOUTH = [0.3, 0.5, 0.7, 0.75];

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
		let size = 0;
		await until('the camera is there', async () => {
			const { head, hips } = (await viewer.evaluate(() => window.jointcast.bodies()[0].picture));
			const before = size;
			size = hips[1] - head[1];
			await page.draw(4);
			await viewer.waitForTimeout(1000);
			return Math.abs(size - before) < 0.2;
		}, SLOW_MS);
		await viewer.addStyleTag({ content: '.label, svg { visibility: hidden }' });
		// The body sways, and the camera arrives: the head is looked for again for each picture.
		const shoot = async (file) => {
			const { head, hips } = await viewer.evaluate(() => window.jointcast.bodies()[0].picture);
			const side = 0.8 * (hips[1] - head[1]);
			return viewer.screenshot({ path: file,
				clip: { x: head[0] - side / 2, y: head[1] - 0.7 * side, width: side, height: side } });
		};
		const pictures = {};
		for (const [name, next] of Object.entries(FACES)) {
			face = next;
			await viewer.waitForTimeout(1500);
			await page.draw(6);
			pictures[name] = await shoot(path.join(folder, `${app}_${name}.png`));
		}
		const count = async (name, part) => (await findDark(viewer, pictures[name], part)).count;
		for (const name of Object.keys(FACES))
			console.log(app, name, ...await Promise.all([LEFT, RIGHT, MOUTH].map((part) => count(name, part))));
		// The figure faces the camera: its right is at the left of the picture.
		assert.ok(await count('right-eye', LEFT) < 0.7 * await count('right-eye', RIGHT), 'the right eye closes');
		assert.ok(await count('left-eye', RIGHT) < 0.7 * await count('left-eye', LEFT), 'the left eye closes');
		assert.ok(await count('mouth', MOUTH) > await count('right-eye', MOUTH) + 20, 'the mouth opens');
		const [toRight, toLeft] = await Promise.all(['gaze-right', 'gaze-left']
			.map(async (name) => (await findDark(viewer, pictures[name], EYES)).x));
		console.log(app, { toRight, toLeft });
		assert.ok(toRight < toLeft - 0.01, 'the gaze goes to the side');
		page.done();
	});
