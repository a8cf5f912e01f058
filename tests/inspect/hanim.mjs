// Reads H-Anim figures: their joints, and their positions at rest and in each animation, made by
// interpolators or by an HAnimMotion node, by forward kinematics (ISO/IEC 19774-1, Joint).
import { about, slerp } from '../figures/arithmetic.mjs';
import { aboutAxis, add, by, identity, moved, place, product, scaled, times, turned } from './affine.mjs';
import { allNodes, readScene } from './scene.mjs';

const isJoint = ({ type, use }) => /^(HAnim)?Joint$/.test(type) && !use;
const isHumanoid = ({ type, use }) => /^(HAnim)?Humanoid$/.test(type) && !use;
const numbers = ({ fields }, name, fallback) =>
	(fields[name]?.length ? fields[name].map(Number) : fallback);
const turnOf = ([x, y, z, angle]) =>
	(Math.hypot(x, y, z) > 0 ? about([x, y, z], (angle * 180) / Math.PI) : [0, 0, 0, 1]);

// The joints below a node, in the order of the hierarchy.
function collect(node, parent, joints) {
	for (const child of node.children) {
		if (isJoint(child)) {
			joints.push({ node: child, parent, def: child.def,
				name: String(child.fields.name?.[0] || child.def || '').replace(/^hanim_/, '') });
			collect(child, joints.length - 1, joints);
		} else {
			collect(child, parent, joints);
		}
	}
	return joints;
}

// T C R SR S -SR -C of a Transform, a Humanoid or a Joint.
function mapOf(node, change = {}) {
	const center = numbers(node, 'center', [0, 0, 0]);
	const axes = turnOf(numbers(node, 'scaleOrientation', [0, 0, 1, 0]));
	return product(moved(add(change.translation ?? numbers(node, 'translation', [0, 0, 0]), center)),
		change.map ?? turned(change.rotation ?? turnOf(numbers(node, 'rotation', [0, 0, 1, 0]))),
		turned(axes), scaled(change.scale ?? numbers(node, 'scale', [1, 1, 1])),
		turned([-axes[0], -axes[1], -axes[2], axes[3]]), moved(by(center, -1)));
}

// The nodes between the scene and the humanoid.
function ancestorsOf(root, humanoid) {
	const path = (node) => (node === humanoid ? [node]
		: node.children.map(path).filter(Boolean).map((rest) => [node, ...rest])[0]);
	return path(root).slice(1).filter(({ type }) => type === 'Transform' || isHumanoid({ type }));
}

function valueAt(interpolator, fraction) {
	const width = interpolator.type === 'OrientationInterpolator' ? 4 : 3;
	const keys = numbers(interpolator, 'key', []);
	const all = numbers(interpolator, 'keyValue', []);
	const valueOf = (i) => {
		const value = all.slice(i * width, (i + 1) * width);
		return width === 4 ? turnOf(value) : value;
	};
	const next = keys.findIndex((key) => key > fraction);
	if (next <= 0) {
		return valueOf(next === 0 ? 0 : keys.length - 1);
	}
	const share = (fraction - keys[next - 1]) / (keys[next] - keys[next - 1]);
	const [a, b] = [valueOf(next - 1), valueOf(next)];
	return width === 4 ? slerp(a, b, share) : a.map((v, k) => v + share * (b[k] - v));
}

// The clips that timers drive over routes: timer, interpolators, joints.
function timedClips(root, routes, joints) {
	const byName = new Map([...allNodes(root)].filter(({ def }) => def).map((node) => [node.def, node]));
	const jointAt = new Map(joints.map(({ def }, i) => [def, i]));
	const clips = [];
	for (const [name, timer] of byName) {
		const tracks = timer.type !== 'TimeSensor' ? [] : routes.filter(([from, field]) =>
			from === name && /^fraction/.test(field)).flatMap(([, , track]) =>
			routes.filter(([from, , to]) => from === track && jointAt.has(to)).map(([, , to, field]) => (
				{ interpolator: byName.get(track), joint: jointAt.get(to), field: field.replace(/^set_/, '') })));
		if (tracks.length) {
			const length = numbers(timer, 'cycleInterval', [1])[0];
			const count = Math.max(2, Math.round(length * 30) + 1);
			const instants = Array.from({ length: count }, (_, i) => (length * i) / (count - 1));
			clips.push({ name, index: clips.length, times: instants, changes: (k) => {
				const changes = new Map();
				for (const { interpolator, joint, field } of tracks) {
					changes.set(joint, { ...changes.get(joint), [field]: valueAt(interpolator, instants[k] / length) });
				}
				return changes;
			} });
		}
	}
	return clips;
}

// The names by which an HAnimMotion calls joints: those of either version.
const sameName = (a, b) => a.toLowerCase().replace(/_/g, '') === b.toLowerCase().replace(/_/g, '');

function storedClip(node, joints, index) {
	const words = node.fields.channels.flatMap((word) => String(word).split(/[\s,]+/));
	const names = node.fields.joints.flatMap((word) => String(word).split(/[\s,]+/));
	const values = numbers(node, 'values', []);
	const columns = [];
	for (let at = 0, k = 0; at < words.length; k++) {
		const count = Number(words[at]);
		columns.push(...words.slice(at + 1, at + 1 + count).map((channel) => ({
			joint: joints.findIndex(({ name }) => sameName(name, names[k])),
			axis: 'XYZ'.indexOf(channel[0].toUpperCase()), moves: /position/i.test(channel) })));
		at += 1 + count;
	}
	const step = numbers(node, 'frameDuration', [0.1])[0];
	const frames = Math.floor(values.length / columns.length);
	return { name: node.def ?? '', index, times: Array.from({ length: frames }, (_, i) => i * step),
		changes: (k) => {
			const changes = new Map();
			columns.forEach(({ joint, axis, moves }, column) => {
				const value = values[k * columns.length + column];
				const change = changes.get(joint) ?? { map: identity };
				if (moves) {
					change.translation ??= [0, 0, 0];
					change.translation[axis] = value;
				} else {
					change.map = times(change.map, aboutAxis(axis, value));
				}
				changes.set(joint, change);
			});
			return changes;
		} };
}

export function readHanim(path) {
	const { root, routes } = readScene(path);
	const humanoid = [...allNodes(root)].find(isHumanoid);
	if (!humanoid) {
		throw new Error('the scene has no humanoid');
	}
	const joints = collect(humanoid, -1, []);
	const above = ancestorsOf(root, humanoid).map((node) => mapOf(node)).reduce(times, identity);
	const mapsAt = (changes) => {
		const worlds = [];
		joints.forEach(({ node, parent }, i) =>
			worlds.push(times(parent < 0 ? above : worlds[parent], mapOf(node, changes?.get(i)))));
		return worlds.map((map, i) => times(map, moved(numbers(joints[i].node, 'center', [0, 0, 0]))));
	};
	const clips = timedClips(root, routes, joints);
	for (const node of allNodes(root)) {
		if (node.type === 'HAnimMotion' && !node.use && node.fields.values?.length) {
			clips.push(storedClip(node, joints, clips.length));
		}
	}
	return { format: 'H-Anim', isUpKnown: true, joints, rest: () => mapsAt().map(place),
		restMaps: () => mapsAt(), clips: clips.map(({ changes, ...clip }) => ({ ...clip,
			pose: (i) => mapsAt(changes(i)).map(place), maps: (i) => mapsAt(changes(i)) })) };
}

