// Wires the page together: the client's bodies become members of the crowd, the
// panel's wishes become deeds.

import { Raycaster, Vector2, Vector3 } from 'three';
import { connect } from 'jointcast';
import { Avatar, readVrm } from './avatar.js';
import { ContactShadows } from './contact.js';
import { Crowd } from './crowd.js';
import { Labels } from './labels.js';
import { Marker } from './marker.js';
import { Panel } from './panel.js';
import { Readout } from './readout.js';
import { Stage } from './stage.js';
import { View } from './view.js';

/** Where the camera comes from at the start: in front of the bodies, who face +Z. */
const FIRST_LOOK = new Vector3(0.3, 0.2, 1);
/** A click is a press that goes nowhere, in pixels. */
const CLICK_PX = 6;

function address(space) {
	const url = new URL('.', location.href);
	url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
	return { url, space: space || 'lobby' };
}

function start(canvas, stage, query) {
	const view = new View(canvas, FIRST_LOOK);
	const crowd = new Crowd(stage.scene);
	const contact = new ContactShadows(stage.scene);
	const marker = new Marker(stage.scene);
	const labels = new Labels(document.getElementById('labels'));
	const { url, space } = address(query.get('space'));
	const client = connect(url, { space, client: 'viewer' });
	const readout = new Readout(client);
	const raycaster = new Raycaster();
	const middle = new Vector3();
	const low = new Vector3();
	const high = new Vector3();
	let chosen = null;

	const chosenMember = () => crowd.members.get(chosen) ?? null;

	/** Whom a ray through a place on the canvas meets; places from -1 to 1. */
	function memberAt(x, y, reach) {
		raycaster.setFromCamera(new Vector2(x, y), view.camera);
		return crowd.pick(raycaster.ray, reach);
	}

	function choose(id) {
		chosen = crowd.members.has(id) ? id : null;
		panel.mark(chosen, Boolean(chosenMember()?.avatar));
		labels.mark(chosen);
	}

	function focus(id) {
		const member = crowd.members.get(id ?? chosen);
		if (!member?.seen)
			return;
		choose(member.id);
		view.focus(member.figure);
	}

	function frame() {
		view.frame();
	}

	function step(by) {
		const ids = [...crowd.members.keys()];
		if (ids.length === 0)
			return;
		const at = ids.indexOf(chosen);
		choose(ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length]);
	}

	/** Who wears what is dropped: the chosen body, else the one nearest to the middle of the view. */
	function candidate() {
		return chosenMember() ?? memberAt(0, 0, 1e3);
	}

	async function wear(file) {
		const member = candidate();
		if (!member) {
			panel.note('There is no body here to wear it yet.', true);
			return;
		}
		panel.note(`Reading ${file.name}…`);
		try {
			const vrm = await readVrm(file);
			if (crowd.members.get(member.id) !== member)
				throw new Error(`${member.body.name} has left meanwhile`);
			crowd.dress(member, new Avatar(vrm, member.body.skeleton));
			choose(member.id);
			panel.note(`${member.body.name} wears ${file.name}. X takes it off.`);
		} catch (error) {
			panel.note(error.message, true);
		}
	}

	function unwear() {
		const member = chosenMember() ?? [...crowd.members.values()].find(({ avatar }) => avatar);
		if (!member?.avatar)
			return;
		crowd.undress(member);
		choose(member.id);
	}

	const panel = new Panel({ choose, step, focus, frame, wear, unwear,
		turn: (azimuth, polar, zoom) => view.turn(azimuth, polar, zoom),
		labels: () => { labels.visible = !labels.visible; },
		chosenName: () => candidate()?.body.name ?? 'a body' });

	function present(member) {
		const { body, color } = member;
		const name = body.name || `body ${body.id}`;
		panel.setBody(body.id, name, color);
		labels.set(body.id, name, color);
		labels.stale(body.id, body.state === 'stale');
	}

	client.on('enter', (body) => {
		present(crowd.enter(body));
		choose(chosen);
	});
	client.on('leave', (body) => {
		const member = crowd.leave(body);
		if (!member)
			return;
		view.forget(member.figure);
		panel.removeBody(body.id);
		labels.remove(body.id);
		choose(chosen);
	});
	client.on('change', (body) => {
		const member = crowd.members.get(body.id);
		if (!member)
			return;
		member.figure.setSeat(body.seat);
		present(member);
	});
	client.on('state', ({ state }) => panel.setState(space, state));
	// Lost connections are announced by the state; the server's own words are shown.
	client.on('error', (error) => {
		if (error.code)
			panel.note(error.message, true);
	});

	let pressed = null;
	const placeOf = (event) => [(event.offsetX / canvas.clientWidth) * 2 - 1,
		1 - (event.offsetY / canvas.clientHeight) * 2];
	canvas.addEventListener('pointerdown', (event) => { pressed = [event.offsetX, event.offsetY]; });
	canvas.addEventListener('click', (event) => {
		if (pressed && Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) < CLICK_PX)
			choose(memberAt(...placeOf(event))?.id ?? null);
	});
	canvas.addEventListener('dblclick', (event) => {
		const member = memberAt(...placeOf(event));
		if (member)
			focus(member.id);
		else
			frame();
	});

	function light() {
		let count = 0;
		let radius = 0;
		middle.set(0, 0, 0);
		for (const { group } of crowd.figures.values()) {
			middle.add(group.position);
			count++;
		}
		middle.divideScalar(Math.max(count, 1)).setY(0);
		for (const figure of crowd.figures.values()) {
			const hips = figure.points.get('hips') ?? figure.group.position;
			radius = Math.max(radius, Math.hypot(hips.x - middle.x, hips.z - middle.z) + 1.3 * figure.size);
		}
		stage.light(middle, Math.min(radius, 12));
	}

	let before = performance.now();
	stage.renderer.setAnimationLoop(() => {
		const now = performance.now();
		const seconds = Math.min((now - before) / 1000, 0.25);
		stage.pace(now - before);
		before = now;
		crowd.update(now, seconds);
		stage.fit(view.camera);
		if (crowd.bounds(low, high))
			view.watch(low, high, seconds);
		view.update(seconds);
		light();
		marker.update(chosenMember());
		contact.update(crowd.figures.values());
		stage.render(view.camera);
		labels.update(crowd.figures, view.camera, canvas.clientWidth, canvas.clientHeight);
		readout.update(now, [...crowd.members.values()].map(({ body }) => body));
	});

	const plain = (points) => Object.fromEntries(
		[...points].map(([bone, point]) => [bone, point.toArray()]));
	window.jointcast = {
		client,
		stats: readout.stats,
		bodies: () => [...crowd.members.values()].filter(({ seen }) => seen)
			.map(({ id, body, figure, avatar }) => ({ id, name: body.name, yaw: figure.group.rotation.y,
				positions: plain(figure.points), avatar: avatar ? plain(avatar.points) : null })),
		choose, focus, frame,
		/** Shows all bodies as seen from a direction, at once. */
		lookFrom: (x, y, z) => {
			view.frame(new Vector3(x, y, z), false);
		},
	};
}

const canvas = document.getElementById('view');
const query = new URLSearchParams(location.search);
let stage;
try {
	stage = new Stage(canvas, query.has('sharp'));
} catch {
	const p = document.createElement('p');
	p.className = 'fatal';
	p.setAttribute('role', 'alert');
	p.textContent = 'This page needs WebGL 2, which this browser does not offer or has switched off.';
	document.body.append(p);
}
if (stage)
	start(canvas, stage, query);
