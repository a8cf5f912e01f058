// Controls X_ITE, an independent X3D browser, in a headless Chromium: loads scenes, rotates
// joints, returns their positions. A local server on a free port delivers scenes and X_ITE; the
// page contacts no other host.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const dist = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/x_ite/dist');
const types = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.css': 'text/css', '.wrl': 'model/vrml',
	'.x3d': 'model/x3d+xml', '.x3dv': 'model/x3d+vrml', '.html': 'text/html' };
const page = `<!DOCTYPE html><meta charset="utf-8"><style>html, body { margin: 0; }
x3d-canvas { width: 500px; height: 500px; }</style>
<script type="module">
import X3D from '/x_ite/x_ite.min.mjs';
window.X3D = X3D;
</script><x3d-canvas splashScreen="false" notifications="false" timings="false" contextMenu="false"></x3d-canvas>`;

// Runs in the page: queries of the tests about a scene.
export function install() {
	const { X3D } = window;
	const canvas = document.querySelector('x3d-canvas');
	canvas.browser.setBrowserOption('PrimitiveQuality', 'LOW');
	const isJoint = (node) => /^(HAnim)?Joint$/.test(node.getNodeTypeName());
	const isSite = (node) => /^(HAnim)?Site$/.test(node.getNodeTypeName());
	const isSegment = (node) => /^(HAnim)?Segment$/.test(node.getNodeTypeName());
	const has = (node, field) => node.getFieldDefinitions().some(({ name }) => name === field);

	// Joints depth first, with the matrices above them applied: in X_ITE's row
	// vectors a product goes from the child to the parent.
	function visit(node, above, joints) {
		let matrix = above;
		if (['rotation', 'translation', 'scale'].every((f) => has(node, f))) {
			const own = new X3D.SFMatrix4f();
			own.setTransform(node.translation, node.rotation, node.scale,
				has(node, 'scaleOrientation') ? node.scaleOrientation : new X3D.SFRotation(),
				has(node, 'center') ? node.center : new X3D.SFVec3f());
			matrix = own.multRight(above);
		}
		if (isJoint(node)) {
			joints.push({ node, matrix });
		} else if (isSite(node) || isSegment(node)) {
			joints.parts.push({ node, matrix });
		}
		for (const field of ['skeleton', 'humanoidBody', 'children']) {
			for (const child of has(node, field) ? node[field] : []) {
				if (child) {
					visit(child, matrix, joints);
				}
			}
		}
	}
	function joints() {
		const found = Object.assign([], { parts: [] }); // parts: sites and segments
		const { rootNodes } = canvas.browser.currentScene;
		for (const node of rootNodes) {
			// A Humanoid of 1.0 only lists nodes of the scene.
			if (!(has(node, 'humanoidBody') && !has(node, 'translation'))) {
				visit(node, new X3D.SFMatrix4f(), found);
			}
		}
		return found;
	}
	const describe = ({ node, matrix }) => ({
		name: node.name,
		rotation: Array.from(node.rotation),
		position: Array.from(matrix.multVecMatrix(node.center)),
		matrix: Array.from(matrix),
	});
	const drawn = () => new Promise((resolve) => {
		requestAnimationFrame(() => requestAnimationFrame(resolve));
	});
	const pause = (milliseconds) => new Promise((resolve) => {
		setTimeout(resolve, milliseconds);
	});
	window.oracle = {
		load: async (url) => {
			await canvas.browser.loadURL(new X3D.MFString(url));
			await drawn();
			return canvas.browser.currentScene.rootNodes.length;
		},
		joints: () => joints().map(describe),
		// Sets rotations (axis, angle) by joint index and where the first
		// joint's center goes, everything else to its default.
		pose: (rotations, root) => {
			joints().forEach(({ node }, i) => {
				const { x, y, z } = node.center;
				node.translation = i === 0
					? new X3D.SFVec3f(root[0] - x, root[1] - y, root[2] - z) : new X3D.SFVec3f();
				node.scale = new X3D.SFVec3f(1, 1, 1);
				node.rotation = new X3D.SFRotation(...(rotations[i] ?? [0, 0, 1, 0]));
			});
			return joints().map(describe);
		},
		// The joints as the running clock moves them.
		sample: async (timer, milliseconds) => {
			await pause(milliseconds);
			await drawn();
			const sensor = canvas.browser.currentScene.getNamedNode(timer);
			return { fraction: sensor.fraction_changed, cycle: sensor.cycleInterval, joints: joints().map(describe) };
		},
		// The interpolated joints at a fraction, with the clock stopped.
		hold: async (timer, fraction) => {
			const { currentScene } = canvas.browser;
			currentScene.getNamedNode(timer).enabled = false;
			await drawn();
			for (const node of currentScene.rootNodes) {
				if (/Interpolator$/.test(node.getNodeTypeName())) {
					node.set_fraction = fraction;
				}
			}
			await drawn();
			return joints().map(describe);
		},
		view: async (name) => {
			canvas.browser.currentScene.getNamedNode(name).set_bind = true;
			await pause(1500); // X_ITE flies there in a second
			await drawn();
		},
		sites: () => joints().parts.filter(({ node }) => isSite(node)).map(({ node, matrix }) => ({
			name: node.name,
			position: Array.from(matrix.multVecMatrix(new X3D.SFVec3f())),
		})),
		// What the file says of the body, by names of joints and segments.
		body: () => {
			const found = joints();
			const humanoid = canvas.browser.currentScene.getNamedNode('Humanoid');
			return {
				info: Array.from(humanoid.info),
				limits: Object.fromEntries(found.map(({ node }) => [node.name, {
					lower: Array.from(node.llimit), upper: Array.from(node.ulimit), stiffness: Array.from(node.stiffness) }])),
				segments: Object.fromEntries(found.parts.filter(({ node }) => isSegment(node)).map(({ node }) => [node.name, {
					mass: node.mass, center: Array.from(node.centerOfMass), inertia: Array.from(node.momentsOfInertia) }])),
			};
		},
		describeViews: (names) => names.map((name) => canvas.browser.currentScene.getNamedNode(name).description),
	};
}

function serve(scenes) {
	const server = createServer((request, response) => {
		const name = basename(decodeURIComponent(new URL(request.url, 'http://x').pathname));
		const body = request.url === '/' ? page
			: scenes.has(name) ? scenes.get(name)
				: request.url.startsWith('/x_ite/') ? readFileSync(join(dist, request.url.slice(7))) : null;
		response.writeHead(body === null ? 404 : 200, {
			'Content-Type': types[request.url === '/' ? '.html' : extname(name)] ?? 'application/octet-stream' });
		response.end(body);
	});
	return new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve(server));
	});
}

// `load` resolves to what X_ITE logged as a warning or an error.
export async function openXite(executablePath) {
	const scenes = new Map();
	const server = await serve(scenes);
	const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-quic',
		'--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
		'--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
	const tab = await browser.newPage({ viewport: { width: 500, height: 500 } });
	let complaints = [];
	tab.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') {
			complaints.push(message.text());
		}
	});
	tab.on('pageerror', (error) => complaints.push(error.message));
	await tab.route(({ hostname }) => hostname !== '127.0.0.1', (route) => route.abort());
	await tab.goto(`http://127.0.0.1:${server.address().port}/`);
	await tab.waitForFunction(() => window.X3D && document.querySelector('x3d-canvas').browser);
	await tab.evaluate(install);
	const ask = (name, ...rest) => tab.evaluate(([question, list]) => window.oracle[question](...list), [name, rest]);
	let loads = 0;
	return {
		ask,
		load: async (path) => {
			const name = `${loads++}${extname(path)}`;
			scenes.set(name, readFileSync(path));
			complaints = [];
			await ask('load', `/scenes/${name}`);
			return complaints;
		},
		shoot: (path) => tab.screenshot({ path }),
		// Of a picture, the share that is not background.
		share: async (png) => tab.evaluate(async (data) => {
			const image = new Image();
			image.src = `data:image/png;base64,${data}`;
			await image.decode();
			const context = Object.assign(document.createElement('canvas'),
				{ width: image.width, height: image.height }).getContext('2d');
			context.drawImage(image, 0, 0);
			const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
			let count = 0;
			for (let i = 0; i < pixels.length; i += 4) {
				count += pixels[i] + pixels[i + 1] + pixels[i + 2] > 60;
			}
			return count / (pixels.length / 4);
		}, png.toString('base64')),
		close: async () => {
			await browser.close();
			server.close();
		},
	};
}
