// Judges figures: whether a built-in motion, retargeted onto a figure, puts the joints of the file's own
// hierarchy at the places that `jointcast` prints, and whether its limbs lie as those of the built-in skeleton do.
import { degreesBetween, length, minus, unit } from './affine.mjs';
import { limbs, retargeted, runJson } from './compare.mjs';
import { mean } from './verdicts.mjs';
import { turn } from '../figures/arithmetic.mjs';

const instants = [0, 0.1, 0.25, 0.4, 0.6, 0.85, 1];
const motion = 'demo:walk';

// The direction of a limb at rest where the format defines the rest: VRM and
// EXT_skeleton_humanoid as the T-pose, H-Anim the legs as vertical. Else the direction in the T-pose.
function restDirection(file, limb) {
	const { from, to, axis } = limbs[limb];
	const rest = file.rest();
	if (!/^(VRM|EXT)/.test(file.format) && !(file.format === 'H-Anim' && /Leg/.test(limb))) {
		return axis;
	}
	const [x, y, z] = unit(minus(rest[file.bones[to]], rest[file.bones[from]]));
	return file.format === 'VRM 0.x' ? [-x, y, -z] : [x, y, z];
}

// VRM 0.x faces -Z.
const ahead = (file, [x, y, z]) => (file.format === 'VRM 0.x' ? [-x, y, -z] : [x, y, z]);

function anglesOf(file, frames, plain) {
	return Object.entries(limbs).flatMap(([limb, { from, to }]) => frames.flatMap(({ positions }, i) => {
		const turns = plain.frames[i].turns[from];
		if (!positions[from] || !positions[to] || file.bones[from] === undefined || file.bones[to] === undefined) {
			return [];
		}
		const expected = turn(turns, restDirection(file, limb));
		return [{ limb, angle: degreesBetween(ahead(file, minus(positions[to], positions[from])), expected) }];
	}));
}

// The file's own hierarchy with the rotations of the output, and how far its bones are from where the
// output has them. Only glTF: nodes have the same numbers there.
function distance(file, frames, { bones }) {
	if (!file.posed) {
		return NaN;
	}
	return Math.max(...frames.map(({ nodes, hipsTranslation, bones: placed }) => {
		const changes = new Map(Object.entries(nodes).map(([node, { rotation }]) => [Number(node), { rotation,
			...(Number(node) === bones.hips.node ? { translation: hipsTranslation } : {}) }]));
		const places = file.posed(changes);
		return Math.max(...Object.values(placed).map(({ node, worldPosition }) =>
			length(minus(worldPosition, places[node]))));
	}));
}

export function judgeFigure(jointcast, path, file) {
	const times = instants.map(String);
	const plain = retargeted(jointcast, motion, 'humanoid', instants);
	const worn = retargeted(jointcast, motion, path, instants);
	if (worn.refused) {
		return { refused: worn.refused };
	}
	const { skeleton, frames } = runJson(jointcast, 'retarget', motion, path, '--times', times.join(','));
	const angles = anglesOf(file, worn.frames, plain);
	const worst = angles.reduce((a, b) => (b.angle > a.angle ? b : a), { limb: '', angle: 0 });
	return { mean: mean(angles.map(({ angle }) => angle)), worst, distance: distance(file, frames, skeleton) };
}
