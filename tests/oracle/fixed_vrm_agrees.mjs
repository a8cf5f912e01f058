// Does three-vrm read from a VRM that `jointcast lint --fix` wrote what it reads from the original?
// Both files are loaded and get the same poses, expressions and look-at targets: vertices with every
// expression, spring bones at rest and while they swing, colliders, constrained nodes, look-at and
// first person have to agree. What moves with straightened bones is left out, and of a figure that
// was set upright only the lists are compared.
//
// usage: fixed_vrm_agrees.mjs JOINTCAST FOLDER     (files go to FOLDER)
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Object3D, Quaternion, Vector3 } from 'three';
import { degreesBetween } from './compare.mjs';
import { makeRandom, randomRotation } from './random.mjs';
import { makeFigures } from './rested_figures.mjs';
import { loadVrm } from './vrm_oracle.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';

globalThis.ProgressEvent ??= class {}; // three reports with it what it reads from data URIs

const metresAllowed = 2e-5; // of figures up to 2 m in single precision
const swingAllowed = 1e-4; // a collision amplifies rounding
const degreesAllowed = 0.1; // three's slerp of rotations read as floats, by small angles
const framesSwung = 45;
const asleep = /Toes|Jaw|jaw|IndexDistal|Eye/; // turned by constraints or by look-at

// Nodes by their index in the file, and the meshes that they show.
async function load(path) {
	const { vrm, associations } = await loadVrm(path);
	const nodes = [];
	const meshes = [];
	vrm.scene.traverse((object) => {
		const { nodes: node, meshes: mesh, primitives = 0 } = associations.get(object) ?? {};
		if (node !== undefined) {
			nodes[node] ??= object;
		}
		if (object.isMesh) {
			meshes.push({ object, mesh, primitive: primitives });
		}
	});
	return { vrm, nodes, meshes, indexOf: (object) => nodes.indexOf(object) };
}

const placeOf = (object) => object.getWorldPosition(new Vector3());
const rotationOf = (object) => object.getWorldQuaternion(new Quaternion());

// Whether a joint that is left out holds a vertex, or the mesh.
function isHeldOut({ isOut }, object, i) {
	const { skinIndex, skinWeight } = object.geometry.attributes;
	return object.skeleton ? [0, 1, 2, 3].some((k) => skinWeight.getComponent(i, k) > 0
		&& isOut(object.skeleton.bones[skinIndex.getComponent(i, k)])) : isOut(object);
}

// Vertices of a mesh with its morph targets, in the world; null for those left out.
function verticesOf(loaded) {
	loaded.vrm.scene.updateMatrixWorld(true);
	return loaded.meshes.map(({ object }) => {
		object.skeleton?.update();
		return Array.from({ length: object.geometry.attributes.position.count }, (_, i) => (isHeldOut(loaded, object, i)
			? null : object.getVertexPosition(i, new Vector3()).applyMatrix4(object.matrixWorld)));
	});
}

// Pairs the meshes of both files: the copies that a fix adds come after their original.
function pairs(original, fixed, key) {
	const [mine, theirs] = [key(original), key(fixed)];
	if (mine.length !== theirs.length) {
		throw new Error(`${theirs.length} instead of ${mine.length}`);
	}
	return mine.map((value, i) => [value, theirs[i]]);
}

const farthest = (list) => list.reduce((largest, [a, b]) => (a && b ? Math.max(largest, a.distanceTo(b)) : largest), 0);

function compareExpressions(original, fixed) {
	const names = pairs(original, fixed, ({ vrm }) => Object.keys(vrm.expressionManager?.expressionMap ?? {}).sort());
	let largest = 0;
	for (const [name, same] of [[null, null], ...names]) {
		if (name !== same) {
			throw new Error(`expression ${name} became ${same}`);
		}
		for (const { vrm } of [original, fixed]) {
			for (const [other] of names) {
				vrm.expressionManager.setValue(other, other === name ? 1 : 0);
			}
			vrm.expressionManager?.update();
		}
		for (const [before, after] of pairs(original, fixed, verticesOf)) {
			largest = Math.max(largest, farthest(before.map((point, i) => [point, after[i]])));
		}
		const overrides = ({ vrm }) => ['overrideBlink', 'overrideLookAt', 'overrideMouth', 'isBinary']
			.map((field) => vrm.expressionManager.getExpression(name)[field]);
		if (name && String(overrides(original)) !== String(overrides(fixed))) {
			throw new Error(`expression ${name}: ${overrides(fixed)} instead of ${overrides(original)}`);
		}
	}
	original.vrm.expressionManager?.resetValues();
	fixed.vrm.expressionManager?.resetValues();
	return { count: names.length, largest };
}

// Places of a collider's shape in the world, and its sizes.
function shapeOf(collider) {
	const { shape, matrixWorld } = collider;
	const at = (point) => point.clone().applyMatrix4(matrixWorld);
	const points = [at(shape.offset)];
	if (shape.tail) {
		points.push(at(shape.tail));
	}
	if (shape.normal) {
		points.push(points[0].clone().add(shape.normal.clone().transformDirection(matrixWorld)));
	}
	return { points, kind: `${shape.type} ${shape.radius} ${shape.inside}` };
}

const jointsOf = ({ vrm }) => [...vrm.springBoneManager?.joints ?? []];
const settingsOf = ({ vrm, indexOf }) => (joint) => JSON.stringify([indexOf(joint.bone), indexOf(joint.child),
	joint.center ? indexOf(joint.center) : null, { ...joint.settings, gravityDir: undefined },
	joint.colliderGroups.map(({ colliders }) => colliders.map((c) => shapeOf(c).kind))]);

function compareSprings(original, fixed) {
	let largest = 0;
	for (const [before, after] of pairs(original, fixed, jointsOf)) {
		if (settingsOf(original)(before) !== settingsOf(fixed)(after)) {
			throw new Error(`joint ${settingsOf(fixed)(after)} instead of ${settingsOf(original)(before)}`);
		}
		if (original.isOut(before.bone)) {
			continue;
		}
		const tail = (joint) => joint.bone.localToWorld(joint.initialLocalChildPosition.clone());
		largest = Math.max(largest, placeOf(before.bone).distanceTo(placeOf(after.bone)),
			before.settings.gravityDir.distanceTo(after.settings.gravityDir), tail(before).distanceTo(tail(after)));
	}
	const colliders = pairs(original, fixed, ({ vrm }) => vrm.springBoneManager?.colliders ?? []);
	for (const [before, after] of colliders) {
		const [a, b] = [shapeOf(before), shapeOf(after)];
		if (a.kind !== b.kind) {
			throw new Error(`collider ${b.kind} instead of ${a.kind}`);
		}
		largest = original.isOut(before) ? largest : Math.max(largest, farthest(a.points.map((point, i) => [point, b.points[i]])));
	}
	return { joints: jointsOf(original).length, colliders: colliders.length, largest };
}

// Puts a figure into a pose that its rest does not enter, and lets everything follow.
function move({ vrm }, rotations, target, delta) {
	const mirrored = vrm.meta.metaVersion === '0';
	for (const [name, [x, y, z, w]] of Object.entries(rotations)) {
		vrm.humanoid.getNormalizedBoneNode(name)?.quaternion.set(mirrored ? -x : x, y, mirrored ? -z : z, w);
	}
	if (vrm.lookAt) {
		vrm.lookAt.target = target;
	}
	vrm.update(delta);
	vrm.scene.updateMatrixWorld(true);
}

const namesOf = ({ vrm }) => Object.keys(vrm.humanoid.humanBones).filter((name) => vrm.humanoid.getRawBoneNode(name));

// Turns of the bones that swing from one side to the other.
function turnsOf(names, seed) {
	const random = makeRandom(seed);
	return names.filter((name) => !asleep.test(name)).map((name) =>
		[name, new Quaternion().slerp(new Quaternion(...randomRotation(random)), 0.3)]);
}

function compareMotion(original, fixed, hasBones) {
	const names = namesOf(original);
	const turns = turnsOf(names, 7);
	const bones = new Set(names.map((name) => original.indexOf(original.vrm.humanoid.getRawBoneNode(name))));
	const target = new Object3D();
	const rests = [original, fixed].map(({ nodes }) => nodes.map((node) => rotationOf(node).invert()));
	const sinceRest = (loaded, i, index) => rotationOf(loaded.nodes[index]).multiply(rests[i][index]).toArray();
	let places = 0;
	let turned = 0;
	let looks = 0;
	for (let i = 0; i < framesSwung; i++) {
		const share = Math.sin(i / 8);
		const rotations = Object.fromEntries(turns.map(([name, turn]) =>
			[name, new Quaternion().slerp(turn, Math.abs(share)).toArray().map((v, k) => (k < 3 ? Math.sign(share) * v : v))]));
		target.position.set(Math.sin(i / 5), 1.4 + 0.3 * Math.cos(i / 3), original.vrm.meta.metaVersion === '0' ? -2 : 2);
		target.updateMatrixWorld(true);
		move(original, rotations, target, 1 / 60);
		move(fixed, rotations, target, 1 / 60);
		original.nodes.forEach((node, index) => {
			if (!fixed.nodes[index]) {
				throw new Error(`node ${index} is missing`);
			}
			if (node.isMesh || original.isOut(node)) {
				return;
			}
			places = Math.max(places, placeOf(node).distanceTo(placeOf(fixed.nodes[index])));
			if (bones.has(index)) {
				turned = Math.max(turned, degreesBetween(...[original, fixed].map((loaded, i) => sinceRest(loaded, i, index))));
			} else if (hasBones(index)) {
				turned = Math.max(turned, degreesBetween(...[node, fixed.nodes[index]].map((one) => rotationOf(one).toArray())));
			}
		});
		if (original.vrm.lookAt) {
			const eyes = ({ vrm }) => vrm.lookAt.getLookAtWorldPosition(new Vector3());
			const where = ({ vrm }) => new Vector3(vrm.lookAt.yaw, vrm.lookAt.pitch, 0).multiplyScalar(1e-3);
			looks = Math.max(looks, eyes(original).distanceTo(eyes(fixed)), where(original).distanceTo(where(fixed)));
		}
	}
	return { places, turned, looks };
}

const constraintsOf = ({ vrm }) => [...vrm.nodeConstraintManager?.constraints ?? []];

function comparePersons(original, fixed) {
	const list = ({ vrm }) => (vrm.firstPerson?.meshAnnotations ?? []).flatMap(({ meshes, type }) =>
		meshes.map(({ geometry }) => `${type} ${geometry.attributes.position.count}`)).sort();
	if (String(list(original)) !== String(list(fixed))) {
		throw new Error(`first person: ${list(fixed)} instead of ${list(original)}`);
	}
	const materials = ({ vrm }) => JSON.stringify((vrm.materials ?? []).map(({ type, name, uniforms }) =>
		[type, name, uniforms?.shadeColorFactor?.value, uniforms?.shadingToonyFactor?.value]));
	if (materials(original) !== materials(fixed)) {
		throw new Error(`materials: ${materials(fixed)} instead of ${materials(original)}`);
	}
	if (JSON.stringify(original.vrm.meta) !== JSON.stringify(fixed.vrm.meta)) {
		throw new Error('another meta');
	}
}

// Meshes in the same order: by the node that shows them or, moved to a child, the one above.
function sortMeshes(loaded, count) {
	const order = ({ object, primitive }) => {
		for (let at = object; at; at = at.parent) {
			const index = loaded.indexOf(at);
			if (index >= 0 && index < count) {
				return 1000 * index + primitive;
			}
		}
		return -1;
	};
	loaded.meshes.sort((a, b) => order(a) - order(b));
}

async function compare(jointcast, path, out) {
	const complaints = [];
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out);
	if (status !== 0) {
		throw new Error(stderr);
	}
	if (/left out/.test(stderr)) {
		complaints.push(stderr);
	}
	const bent = Object.values(runJson(jointcast, 'lint', path).bones)
		.filter(({ tPoseDegrees, toleranceDegrees }) => tPoseDegrees > toleranceDegrees).map(({ node }) => node);
	const turned = /was turned/.test(stderr);
	const [original, fixed] = [await load(path), await load(out)];
	for (const loaded of [original, fixed]) {
		sortMeshes(loaded, original.nodes.length);
		const out = new Set(bent.map((node) => loaded.nodes[node]));
		loaded.isOut = (object) => object !== null && (out.has(object) || loaded.isOut(object.parent));
		for (const { source, destination } of [...constraintsOf(loaded), ...constraintsOf(loaded)]) {
			if (loaded.isOut(source)) {
				out.add(destination);
			}
		}
	}
	if (original.vrm.meta.metaVersion !== fixed.vrm.meta.metaVersion) {
		complaints.push(`version ${fixed.vrm.meta.metaVersion}`);
	}
	comparePersons(original, fixed);
	const found = { expressions: { largest: 0 }, springs: { largest: 0 }, moved: { places: 0, turned: 0, looks: 0 } };
	if (!turned) {
		found.expressions = compareExpressions(original, fixed);
		found.springs = compareSprings(original, fixed);
		const isNoBetween = (index) => !/^between|^Armature/.test(original.nodes[index].userData.name ?? original.nodes[index].name);
		found.moved = compareMotion(original, fixed, isNoBetween);
	} else {
		pairs(original, fixed, jointsOf);
		pairs(original, fixed, ({ vrm }) => Object.keys(vrm.expressionManager?.expressionMap ?? {}));
	}
	const constraints = pairs(original, fixed, constraintsOf).length;
	const { expressions, springs, moved } = found;
	if (!(expressions.largest <= metresAllowed && springs.largest <= metresAllowed && moved.places <= swingAllowed
		&& moved.turned <= degreesAllowed && moved.looks <= metresAllowed)) {
		complaints.push('too far apart');
	}
	const say = (value) => value.toExponential(1);
	console.log(`${complaints.length ? 'FAILED' : 'ok    '} ${expressions.count ?? '-'} expressions ${say(expressions.largest)} m, `
		+ `${springs.joints ?? '-'} joints and ${springs.colliders ?? '-'} colliders ${say(springs.largest)} m, `
		+ `${constraints} constraints, moved ${say(moved.places)} m ${say(moved.turned)} degrees, look-at ${say(moved.looks)} m`
		+ `${bent.length ? `, ${bent.length} bones straightened` : ''}${turned ? ', turned' : ''}  ${basename(path)}`
		+ `${complaints.length ? `: ${complaints.join('; ')}` : ''}`);
	return complaints.length === 0;
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const files = [...makeFigures(folder).filter((path) => !/_ext/.test(path)), ...dataFiles('vrm', '.vrm')]
		.filter((path) => run(jointcast, 'lint', path).status === 0);
	let good = true;
	for (const path of files) {
		good = await compare(jointcast, path, join(folder, basename(path).replace('.vrm', '.fixed.vrm'))) && good;
	}
	return good ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
