// Writes FBX files as text, and computes by the formula of FBX where their joints are. The formula is
// that of the FBX SDK ("Computing transformation matrices"): a node stands at
//     T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1
// below its parent; here the scale S is 1. Nothing comes from the code under test.
import { about, add, identity, inverse, minus, product, scaled, times, turn }
	from '../figures/arithmetic.mjs';
import { body } from '../figures/body.mjs';

const SECOND = 46186158000; // ticks

const mixamo = { hips: 'Hips', spine: 'Spine', chest: 'Spine1', upperChest: 'Spine2', neck: 'Neck',
	head: 'Head', Shoulder: 'Shoulder', UpperArm: 'Arm', LowerArm: 'ForeArm', Hand: 'Hand',
	ThumbMetacarpal: 'HandThumb1', ThumbProximal: 'HandThumb2', ThumbDistal: 'HandThumb3',
	MiddleProximal: 'HandMiddle1', MiddleIntermediate: 'HandMiddle2', MiddleDistal: 'HandMiddle3',
	UpperLeg: 'UpLeg', LowerLeg: 'Leg', Foot: 'Foot', Toes: 'ToeBase' };

// The names that Mixamo gives: mixamorig:LeftForeArm.
export function mixamoName(bone) {
	const [, side = '', rest] = /^(left|right)?(.*)$/.exec(bone);
	return `mixamorig:${side.replace(/^./, (letter) => letter.toUpperCase())}${mixamo[rest]}`;
}

const axes = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
export const orders = ['XYZ', 'XZY', 'YZX', 'YXZ', 'ZXY', 'ZYX'];

// Degrees about x, y and z, the first letter of the order being applied first.
export function euler(degrees, order = 'XYZ') {
	return product(...[...order].reverse().map((axis) => about(axes[axis], degrees['XYZ'.indexOf(axis)])));
}

// Degrees of no particular kind, by bone.
export function anyDegrees(bone, salt, size) {
	const seed = [...bone].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, salt);
	return [1, 2, 3].map((i) => size * Math.sin(12.9898 * i + seed));
}

// The angles of a motion: each axis swings at its own pace.
export function swing(bone, seconds) {
	const degrees = anyDegrees(bone, 3, bone === 'hips' ? 8 : 25);
	return degrees.map((d, i) => d * Math.sin((i + 1) * 2 * seconds + d));
}

const plain = {
	name: mixamoName,
	unit: 1, // UnitScaleFactor: centimetres
	up: [1, 1], right: [0, 1], front: [2, 1], // axis and sign
	axes: identity, // from the axes of the file to ours
	pre: () => [0, 0, 0],
	post: () => [0, 0, 0],
	order: () => 'XYZ',
	pivot: () => ({ offset: [0, 0, 0], pivot: [0, 0, 0], scalingOffset: [0, 0, 0] }),
	nodeRotation: () => [0, 0, 0], // of the pose in which the file shows the figure
	skin: false,
	isSparse: false, // angles that a motion leaves as they are in the node have no curves
	takes: [{ name: 'Take 001', start: 0, keys: 11, rate: 30, angles: swing, way: () => [0, 0, 0] }],
};

export const makeFigure = (change) => ({ ...plain, ...change });

const ownRotation = (figure, bone, degrees) => product(euler(figure.pre(bone)),
	euler(degrees, figure.order(bone)), inverse(euler(figure.post(bone))));

// How far pivots and offsets move a node that is rotated by q.
function moved(figure, bone, q) {
	const { offset, pivot, scalingOffset } = figure.pivot(bone);
	return add(add(offset, minus(pivot, turn(q, pivot))), turn(q, scalingOffset));
}

// Rotation and place of each bone below its parent, in the T-pose, in the file's own axes and unit.
function standing(figure) {
	const world = {};
	const rest = {};
	const metres = figure.unit / 100;
	for (const { name: bone, parent, at } of body) {
		const p = scaled(turn(inverse(figure.axes), at), 1 / metres);
		const above = parent ? world[parent] : { q: identity, p: [0, 0, 0] };
		const q = ownRotation(figure, bone, [0, 0, 0]);
		const t = minus(turn(inverse(above.q), minus(p, above.p)), moved(figure, bone, q));
		rest[bone] = { t, q };
		world[bone] = { q: times(above.q, q), p };
	}
	return { rest, world };
}

// By bone: local rotation, and where it stands in metres with our axes, in a take at a time.
export function poseAt(figure, take, seconds) {
	const { rest } = standing(figure);
	const world = {};
	const pose = {};
	for (const { name: bone, parent } of body) {
		const above = parent ? world[parent] : { q: identity, p: [0, 0, 0] };
		const q = ownRotation(figure, bone, take.angles(bone, seconds));
		const way = bone === 'hips' ? take.way(seconds) : [0, 0, 0];
		const t = add(add(rest[bone].t, way), moved(figure, bone, q));
		world[bone] = { q: times(above.q, q), p: add(above.p, turn(above.q, t)) };
		pose[bone] = { rotation: q, worldRotation: times(figure.axes, world[bone].q),
			worldPosition: scaled(turn(figure.axes, world[bone].p), figure.unit / 100) };
	}
	return pose;
}

const list = (values) => values.map((value) => +value.toPrecision(15)).join(',');
const vector = (name, values) => `P: "${name}", "Vector3D", "Vector", "",${list(values)}`;
const animated = (name, values) => `P: "${name}", "${name}", "", "A",${list(values)}`;
const array = (name, values) => `${name}: *${values.length} {\na: ${list(values)}\n}`;
const properties = (lines) => `Properties70: {\n${lines.join('\n')}\n}`;

function settings({ up, right, front, unit }) {
	const axis = (name, [index, sign]) => [`P: "${name}", "int", "Integer", "",${index}`,
		`P: "${name}Sign", "int", "Integer", "",${sign}`];
	return `GlobalSettings: {\nVersion: 1000\n${properties([...axis('UpAxis', up),
		...axis('FrontAxis', front), ...axis('CoordAxis', right),
		`P: "UnitScaleFactor", "double", "Number", "",${unit}`,
		'P: "TimeMode", "enum", "", "",6'])}\n}`;
}

function model(figure, bone, id, t) {
	const { offset, pivot, scalingOffset } = figure.pivot(bone);
	return `Model: ${id}, "Model::${figure.name(bone)}", "LimbNode" {\nVersion: 232\n${properties([
		'P: "RotationActive", "bool", "", "",1',
		`P: "RotationOrder", "enum", "", "",${orders.indexOf(figure.order(bone))}`,
		vector('RotationOffset', offset), vector('RotationPivot', pivot),
		vector('ScalingOffset', scalingOffset),
		vector('PreRotation', figure.pre(bone)), vector('PostRotation', figure.post(bone)),
		animated('Lcl Translation', t), animated('Lcl Rotation', figure.nodeRotation(bone)),
		animated('Lcl Scaling', [1, 1, 1])])}\n}`;
}

// Objects and connections, with ids in the order of their making.
class Scene {
	objects = [];
	connections = [];
	next = 1000;

	add(write) {
		this.objects.push(write(++this.next));
		return this.next;
	}

	join(child, parent, property) {
		this.connections.push(property ? `C: "OP",${child},${parent}, "${property}"`
			: `C: "OO",${child},${parent}`);
	}

	curves(layer, target, property, letter, times, values, isSparse) {
		const node = this.add((id) => `AnimationCurveNode: ${id}, "AnimCurveNode::${letter}", "" {\n${
			properties(['X', 'Y', 'Z'].map((axis, i) =>
				`P: "d|${axis}", "Number", "", "A",${values[0][i]}`))}\n}`);
		this.join(node, layer);
		this.join(node, target, property);
		['X', 'Y', 'Z'].forEach((axis, i) => {
			if (isSparse && values.every((v) => v[i] === values[0][i])) {
				return;
			}
			const curve = this.add((id) => `AnimationCurve: ${id}, "AnimCurve::", "" {\nDefault: 0\n${
				array('KeyTime', times)}\n${array('KeyValueFloat', values.map((v) => v[i]))}\n}`);
			this.join(curve, node, `d|${axis}`);
		});
	}
}

function addTake(scene, figure, take, ids, rest) {
	const seconds = Array.from({ length: take.keys }, (_, i) => i / take.rate);
	const times = seconds.map((s) => Math.round((take.start + s) * SECOND));
	const stack = scene.add((id) => `AnimationStack: ${id}, "AnimStack::${take.name}", "" {\n${properties([
		`P: "LocalStart", "KTime", "Time", "",${times[0]}`,
		`P: "LocalStop", "KTime", "Time", "",${times.at(-1)}`])}\n}`);
	const layer = scene.add((id) => `AnimationLayer: ${id}, "AnimLayer::Base", "" {\n}`);
	scene.join(layer, stack);
	for (const { name: bone } of body) {
		scene.curves(layer, ids[bone], 'Lcl Rotation', 'R', times,
			seconds.map((s) => take.angles(bone, s)), figure.isSparse);
	}
	scene.curves(layer, ids.hips, 'Lcl Translation', 'T', times,
		seconds.map((s) => add(rest.hips.t, take.way(s))));
}

// Rows of the matrix for row vectors, as FBX stores it: the columns of ours.
function matrixOf({ q, p }) {
	return [...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap((axis) => [...turn(q, axis), 0]), ...p, 1];
}

// A triangle whose bind pose is the T-pose; every bone holds one vertex.
function addSkin(scene, ids, world) {
	const mesh = scene.add((id) => `Model: ${id}, "Model::Body", "Mesh" {\nVersion: 232\n}`);
	const geometry = scene.add((id) => `Geometry: ${id}, "Geometry::Body", "Mesh" {\n${
		array('Vertices', [0, 0, 0, 1, 0, 0, 0, 1, 0])}\n${array('PolygonVertexIndex', [0, 1, -3])}\n}`);
	const skin = scene.add((id) => `Deformer: ${id}, "Deformer::", "Skin" {\nVersion: 101\n}`);
	scene.join(mesh, 0);
	scene.join(geometry, mesh);
	scene.join(skin, geometry);
	for (const { name: bone } of body) {
		const { q, p } = world[bone];
		const inverted = { q: inverse(q), p: scaled(turn(inverse(q), p), -1) };
		const cluster = scene.add((id) => `Deformer: ${id}, "SubDeformer::", "Cluster" {\nVersion: 100\n${
			array('Indexes', [0])}\n${array('Weights', [1])}\n${array('Transform', matrixOf(inverted))}\n${
			array('TransformLink', matrixOf(world[bone]))}\n}`);
		scene.join(cluster, skin);
		scene.join(ids[bone], cluster);
	}
}

// Other readers tell levels by the number of tabs.
function indent(text) {
	let depth = 0;
	return text.split('\n').map((line) => {
		depth -= line.startsWith('}') ? 1 : 0;
		const indented = `${'\t'.repeat(depth)}${line}`;
		depth += line.endsWith('{') ? 1 : 0;
		return indented;
	}).join('\n');
}

export function fbxText(figure) {
	const { rest, world } = standing(figure);
	const scene = new Scene();
	const ids = {};
	for (const { name: bone, parent } of body) {
		ids[bone] = scene.add((id) => model(figure, bone, id, rest[bone].t));
		scene.join(ids[bone], parent ? ids[parent] : 0);
	}
	if (figure.skin) {
		addSkin(scene, ids, world);
	}
	figure.takes.forEach((take) => addTake(scene, figure, take, ids, rest));
	return indent(['; FBX 7.4.0 project file', 'FBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}',
		settings(figure), `Objects: {\n${scene.objects.join('\n')}\n}`,
		`Connections: {\n${scene.connections.join('\n')}\n}`, ''].join('\n'));
}

export { body };
