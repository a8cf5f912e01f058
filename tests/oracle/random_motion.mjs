// A BVH motion whose poses are known beforehand: a T-pose at rest, every joint
// turned at random in every frame. So N of each bone is the joint's own rotation.
import { writeFileSync } from 'node:fs';
import { Euler, MathUtils, Quaternion } from 'three';
import { makeRandom } from './random.mjs';

// Joint (MotionBuilder's names), bone, parent, offset in centimetres.
const joints = [
	['Hips', 'hips', null, [0, 100, 0]],
	['Spine', 'spine', 'Hips', [0, 10, 0]],
	['Spine1', 'chest', 'Spine', [0, 15, 0]],
	['Neck', 'neck', 'Spine1', [0, 25, 0]],
	['Head', 'head', 'Neck', [0, 10, 0]],
	...['Left', 'Right'].flatMap((side) => {
		const [x, bone] = side === 'Left' ? [1, 'left'] : [-1, 'right'];
		return [
			[`${side}Shoulder`, `${bone}Shoulder`, 'Spine1', [5 * x, 20, 0]],
			[`${side}Arm`, `${bone}UpperArm`, `${side}Shoulder`, [12 * x, 0, 0]],
			[`${side}ForeArm`, `${bone}LowerArm`, `${side}Arm`, [28 * x, 0, 0]],
			[`${side}Hand`, `${bone}Hand`, `${side}ForeArm`, [25 * x, 0, 0]],
			[`${side}UpLeg`, `${bone}UpperLeg`, 'Hips', [9 * x, -5, 0]],
			[`${side}Leg`, `${bone}LowerLeg`, `${side}UpLeg`, [0, -45, 0]],
			[`${side}Foot`, `${bone}Foot`, `${side}Leg`, [0, -42, 0]],
			[`${side}ToeBase`, `${bone}Toes`, `${side}Foot`, [0, -8, 12]],
		];
	}),
];

// The ends give the last bones of arms, legs and head their directions.
function end(name) {
	const x = name.startsWith('Left') ? 1 : -1;
	return name.endsWith('Hand') ? [8 * x, 0, 0] : name === 'Head' ? [0, 15, 0] : [0, 0, 5];
}

function hierarchy(name, order) {
	const [, , parent, offset] = joints.find(([joint]) => joint === name);
	const children = joints.filter(([, , above]) => above === name);
	const channels = parent
		? 'CHANNELS 3 Zrotation Xrotation Yrotation'
		: 'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation';
	order.push(name);
	return [
		`${parent ? 'JOINT' : 'ROOT'} ${name}`,
		'{',
		`OFFSET ${offset.join(' ')}`,
		channels,
		...children.flatMap(([child]) => hierarchy(child, order)),
		...(children.length ? [] : ['End Site', '{', `OFFSET ${end(name).join(' ')}`, '}']),
		'}',
	];
}

// Writes the file; returns, for each frame, N by bone as [x, y, z, w].
export function writeRandomMotion(path, frameCount, seed) {
	const random = makeRandom(seed);
	const angle = () => (random() - 0.5) * 320;
	const order = [];
	const lines = ['HIERARCHY', ...hierarchy('Hips', order), 'MOTION', `Frames: ${frameCount}`,
		'Frame Time: 0.1'];
	const expected = [];
	for (let frame = 0; frame < frameCount; frame++) {
		const values = [0, 1, 2].map((axis) => (axis === 1 ? 100 : 0) + 40 * (random() - 0.5));
		const bones = {};
		for (const name of order) {
			const [z, x, y] = [angle(), angle(), angle()];
			const [, bone] = joints.find(([joint]) => joint === name);
			const euler = new Euler(...[x, y, z].map(MathUtils.degToRad), 'ZXY');
			bones[bone] = new Quaternion().setFromEuler(euler).toArray();
			values.push(z, x, y);
		}
		lines.push(values.map((value) => value.toFixed(6)).join(' '));
		expected.push(bones);
	}
	writeFileSync(path, `${lines.join('\n')}\n`);
	return expected;
}
