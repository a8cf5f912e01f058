// Pictures of how far skin trembles on a figure: each vertex is coloured by the root of the mean square of the
// second differences of its place, black for none, red for MM and more. Motions are those that
// tests/bench/coded/quality.mjs writes with --motions, one a column in the order given; the body above, a
// hand and head and shoulders below. Prints the same in mm by the bone that moves a vertex most.
//
// usage: trembling_pictures.mjs JOINTCAST OUT.png MM FIGURE MOTION…
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { runJson } from '../cli/tool.mjs';

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', 'three');
const seconds = 4;
const hz = 30;
const shown = ['neck', 'head', 'leftShoulder', 'leftUpperArm', 'leftLowerArm', 'leftHand', 'leftMiddleDistal', 'leftFoot', 'leftToes'];

const script = `
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const gltf = await new GLTFLoader().loadAsync('/figure');
const nodes = new Map();
const meshes = [];
gltf.parser.associations.forEach(({ nodes: index } = {}, object) => {
	if (index !== undefined && object.isObject3D) nodes.set(index, object);
});
gltf.scene.traverse((object) => {
	object.frustumCulled = false;
	if (object.isSkinnedMesh) meshes.push(object);
});
const cell = { width: 280, height: 360 };
const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true, antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe3e8);
scene.add(gltf.scene);
const camera = new THREE.PerspectiveCamera(28, cell.width / cell.height, 0.02, 200);
for (const mesh of meshes) {
	mesh.material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide });
	// Figures with one buffer for several primitives: colours of its own each.
	mesh.geometry = mesh.geometry.clone();
}
function set({ rotations, hips, translation }) {
	for (const [node, rotation] of rotations) nodes.get(node)?.quaternion.fromArray(rotation);
	nodes.get(hips)?.position.fromArray(translation);
	gltf.scene.updateMatrixWorld(true);
	for (const { skeleton } of meshes) skeleton.update();
}
function places(mesh) {
	const count = mesh.geometry.attributes.position.count, out = new Float64Array(3 * count), v = new THREE.Vector3();
	for (let i = 0; i < count; i++) {
		mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld).toArray(out, 3 * i);
	}
	return out;
}
// Colours vertices; the mean of the squares by node, in mm.
function measure(frames, most) {
	const sums = meshes.map((mesh) => new Float64Array(mesh.geometry.attributes.position.count));
	const last = meshes.map(() => []);
	for (const frame of frames) {
		set(frame);
		meshes.forEach((mesh, k) => {
			last[k].push(places(mesh));
			if (last[k].length > 3) last[k].shift();
			if (last[k].length < 3) return;
			const [a, b, c] = last[k];
			for (let i = 0; i < a.length; i++) sums[k][Math.floor(i / 3)] += (1000 * (a[i] - 2 * b[i] + c[i])) ** 2;
		});
	}
	const byNode = {};
	meshes.forEach((mesh, k) => {
		const colours = new Float32Array(3 * sums[k].length);
		const { skinIndex, skinWeight } = mesh.geometry.attributes;
		sums[k].forEach((sum, i) => {
			const square = sum / (frames.length - 2);
			const heat = Math.min(1, Math.sqrt(square) / most);
			colours.set([heat ** 0.7, 0.25 * heat * heat, 0.12 * (1 - heat)], 3 * i);
			let best = 0;
			for (let w = 1; w < 4; w++) if (skinWeight.getComponent(i, w) > skinWeight.getComponent(i, best)) best = w;
			const bone = mesh.skeleton.bones[skinIndex.getComponent(i, best)];
			const node = [...nodes].find(([, object]) => object === bone)?.[0];
			const one = byNode[node] ??= [0, 0];
			one[0] += square;
			one[1]++;
		});
		mesh.geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
	});
	return Object.fromEntries(Object.entries(byNode).map(([node, [sum, count]]) => [node, Math.sqrt(sum / count)]));
}
window.begin = (columns) => {
	renderer.setSize(cell.width * columns, cell.height * 3);
	renderer.setScissorTest(true);
};
window.show = (frames, column, most, { height, back, hand, neck }) => {
	const result = measure(frames, most);
	const views = [{ at: [0, 0.5 * height, 0], far: 2.4 * height }, { at: neck, far: 0.9 * height }, { at: hand, far: 0.55 * height }];
	views.forEach(({ at, far }, row) => {
		const turn = (15 + (back ? 180 : 0)) * Math.PI / 180;
		camera.position.set(at[0] + far * Math.sin(turn), at[1], at[2] + far * Math.cos(turn));
		camera.lookAt(...at);
		renderer.setViewport(cell.width * column, cell.height * (2 - row), cell.width, cell.height);
		renderer.setScissor(cell.width * column, cell.height * (2 - row), cell.width, cell.height);
		renderer.render(scene, camera);
	});
	return result;
};
window.picture = () => renderer.domElement.toDataURL('image/png');
window.ready = true;
`;
const html = `<!doctype html><script type="importmap">{"imports":{"three":"/three/build/three.module.js",
	"three/addons/":"/three/examples/jsm/"}}</script><script type="module">${script}</script>`;
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

async function main([jointcast, out, most, figure, ...motions]) {
	if (motions.length === 0) {
		console.error('usage: trembling_pictures.mjs JOINTCAST OUT.png MM FIGURE MOTION…');
		return 2;
	}
	const browser = await chromium.launch({ executablePath: process.env.JC_CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
	const page = await openFigure(browser, figure);
	await page.evaluate((columns) => window.begin(columns), motions.length);
	console.log('mm'.padEnd(48), shown.map((bone) => bone.padStart(16)).join(''));
	const times = Array.from({ length: seconds * hz + 1 }, (_, i) => i / hz).join();
	for (const [column, motion] of motions.entries()) {
		const { skeleton, frames } = runJson(jointcast, 'retarget', motion, figure, '--times', times);
		const { hips } = skeleton.bones;
		const poses = frames.map(({ bones, nodes, hipsTranslation }) => ({
			rotations: [...Object.entries(nodes).map(([node, { rotation }]) => [Number(node), rotation]),
				...Object.values(bones).map(({ node, rotation }) => [node, rotation])],
			hips: hips.node, translation: hipsTranslation }));
		const end = frames.at(-1).bones;
		const byNode = await page.evaluate((parameters) => window.show(...parameters), [poses, column, Number(most), {
			height: 1.35 * skeleton.bones.head.restWorldPosition[1], back: skeleton.format === 'vrm-0.x',
			hand: end.leftHand.worldPosition, neck: end.neck?.worldPosition ?? end.head.worldPosition }]);
		console.log(basename(motion).padEnd(48), shown.map((bone) =>
			(byNode[skeleton.bones[bone]?.node]?.toFixed(3) ?? '-').padStart(16)).join(''));
	}
	const url = await page.evaluate(() => window.picture());
	writeFileSync(out, Buffer.from(url.split(',')[1], 'base64'));
	await browser.close();
	return 0;
}

process.exitCode = await main(process.argv.slice(2));
