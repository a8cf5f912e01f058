// Pictures of motions on figures for people to look at, contacts off (above) and on (below) at the same
// instants, seen from the front at an angle and from the side, with lines between the joints, and with
// what `jointcast measure` finds in the whole motion. Draws the file's own meshes with three in headless
// Chromium; nodes get the rotations that `jointcast retarget` prints.
//
// usage: posed_pictures.mjs JOINTCAST OUT MOTION[#N]@T,T… … -- FIGURE… (glTF, GLB or VRM)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';
import { runJson } from '../cli/tool.mjs';

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', 'three');
const cell = { width: 300, height: 340 };

// In the page: window.show(rows, size) gives a data URL: the cells of a row are instants from two sides.
const script = `
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const gltf = await new GLTFLoader().loadAsync('/figure');
const nodes = new Map();
gltf.parser.associations.forEach(({ nodes: index } = {}, object) => {
	if (index !== undefined && object.isObject3D) nodes.set(index, object);
});
gltf.scene.traverse((object) => { object.frustumCulled = false; });
const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true, antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe3e8);
scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x99958c, 2.5));
const sun = new THREE.DirectionalLight(0xffffff, 1.5);
sun.position.set(1, 2, 1);
scene.add(sun);
const floor = new THREE.Mesh(new THREE.PlaneGeometry(200, 200), new THREE.MeshBasicMaterial({ color: 0xb4bcc4 }));
floor.rotation.x = -Math.PI / 2;
const camera = new THREE.PerspectiveCamera(28, ${cell.width / cell.height}, 0.05, 200);
scene.add(floor);
const lines = new THREE.LineSegments(new THREE.BufferGeometry(),
	new THREE.LineBasicMaterial({ color: 0xd02020, depthTest: false, transparent: true }));
lines.frustumCulled = false;
lines.renderOrder = 1;
scene.add(lines);
window.show = (rows, { height, back, ground }, texts) => {
	const views = [25, 90];
	renderer.setSize(${cell.width} * rows[0].length * views.length, ${cell.height} * rows.length);
	renderer.setScissorTest(true);
	floor.position.y = ground - 0.002 * height;
	const grid = new THREE.GridHelper(80 * height, 320, 0x8c96a0, 0x8c96a0);
	grid.position.y = ground;
	scene.add(grid);
	rows.forEach((frames, row) => frames.forEach(({ rotations, hips, translation, at, lines: places }, i) => {
		for (const [node, rotation] of rotations) nodes.get(node)?.quaternion.fromArray(rotation);
		nodes.get(hips)?.position.fromArray(translation);
		gltf.scene.updateMatrixWorld(true);
		lines.geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
		views.forEach((degrees, k) => {
			const turn = (degrees + (back ? 180 : 0)) * Math.PI / 180;
			camera.position.set(at[0] + 2.6 * height * Math.sin(turn), ground + 0.6 * height, at[2] + 2.6 * height * Math.cos(turn));
			camera.lookAt(at[0], ground + 0.5 * height, at[2]);
			const x = ${cell.width} * (i * views.length + k);
			const y = ${cell.height} * (rows.length - 1 - row);
			renderer.setViewport(x, y, ${cell.width}, ${cell.height});
			renderer.setScissor(x, y, ${cell.width}, ${cell.height});
			renderer.render(scene, camera);
		});
	}));
	scene.remove(grid);
	return caption(renderer.domElement, texts).toDataURL('image/png');
};
function caption(picture, texts) {
	const canvas = document.createElement('canvas');
	[canvas.width, canvas.height] = [picture.width, picture.height];
	const pen = canvas.getContext('2d');
	pen.drawImage(picture, 0, 0);
	pen.font = '16px monospace';
	texts.forEach((text, row) => pen.fillText(text, 8, ${cell.height} * row + 20));
	return canvas;
}
window.ready = true;
`;
const html = `<!doctype html><script type="importmap">{"imports":{"three":"/three/build/three.module.js",
	"three/addons/":"/three/examples/jsm/"}}</script><script type="module">${script}</script>`;

// The file and the options of FILE#N.
function motionOf(text) {
	const [, file, index] = /^(.*?)(?:#(\d+))?$/.exec(text);
	return [file, index ?? '0'];
}

function posesOf(jointcast, motion, times, figure, contacts) {
	// The stage needs the time before: every frame up to the last instant, 60 a second.
	const all = Array.from({ length: Math.round(Math.max(...times) * 60) + 1 }, (_, i) => i / 60);
	const [file, index] = motionOf(motion);
	const { skeleton, frames } = runJson(jointcast, 'retarget', file, figure, '--motion-index', index,
		'--times', all.join(), '--contacts', contacts);
	const { head, hips } = skeleton.bones;
	return { size: { height: 1.35 * head.restWorldPosition[1], back: skeleton.format === 'vrm-0.x', ground: 0 },
		frames: times.map((t) => frames[Math.round(t * 60)]).map(({ bones, nodes, hipsTranslation }) => ({
			rotations: [...Object.entries(nodes).map(([node, { rotation }]) => [Number(node), rotation]),
				...Object.values(bones).map(({ node, rotation }) => [node, rotation])],
			lines: BONES.flatMap((bone, i) => (bones[bone] && bones[BONES[BONE_PARENTS[i]]]
				? [bones[bone].worldPosition, bones[BONES[BONE_PARENTS[i]]].worldPosition] : [])).flat(),
			hips: hips.node, translation: hipsTranslation, at: bones.hips.worldPosition })) };
}

function measured(jointcast, motion, figure, contacts) {
	const [file, index] = motionOf(motion);
	const m = runJson(jointcast, 'measure', file, figure, '--motion-index', index, '--fps', '30', '--contacts', contacts);
	const show = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-');
	return `contacts ${contacts.padEnd(3)}  skate ${show(m.footSkateCm.worn, 2)} cm a frame (source ${
		show(m.footSkateCm.source, 2)}), penetration ${show(m.penetrationMostMm.worn, 1)} mm, F1 ${show(m.contacts.f1, 3)}, jerk ${show(m.jerkRatio, 2)}`;
}

const types = { '.js': 'text/javascript', '.html': 'text/html' };

async function openFigure(browser, figure) {
	const page = await browser.newPage();
	page.on('pageerror', (error) => console.error(error.message));
	await page.route('http://figures/**', (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === '/') {
			return route.fulfill({ body: html, contentType: 'text/html' });
		}
		return route.fulfill(pathname === '/figure' ? { body: readFileSync(figure), contentType: 'model/gltf-binary' }
			: { body: readFileSync(join(modules, pathname.replace(/^\/three\//, ''))), contentType: types[extname(pathname)] });
	});
	await page.goto('http://figures/');
	await page.waitForFunction(() => window.ready, undefined, { timeout: 60000 });
	return page;
}

async function main([jointcast, out, ...paths]) {
	const divider = paths.indexOf('--');
	mkdirSync(out, { recursive: true });
	const browser = await chromium.launch({ executablePath: process.env.JC_CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
	for (const figure of paths.slice(divider + 1)) {
		const page = await openFigure(browser, figure);
		for (const one of paths.slice(0, divider)) {
			const [motion, times] = one.split('@');
			const rows = ['off', 'on'].map((contacts) =>
				posesOf(jointcast, motion, times.split(',').map(Number), figure, contacts));
			const texts = ['off', 'on'].map((contacts) => measured(jointcast, motion, figure, contacts));
			texts[0] += `   ${basename(motion)} on ${basename(figure)} at ${times} s`;
			const url = await page.evaluate((all) => window.show(...all), [rows.map(({ frames }) => frames), rows[0].size, texts]);
			const path = join(out, `${basename(motion)}_${basename(figure)}.png`.replace(/[^\w.]/g, '_'));
			writeFileSync(path, Buffer.from(url.split(',')[1], 'base64'));
			console.log(`${path}\n  ${texts.join('\n  ')}`);
		}
	}
	await browser.close();
}

await main(process.argv.slice(2));
