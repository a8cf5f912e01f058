// A VMC sender that writes what SlimeVR Server writes (VMCHandler.kt, UnityArmature.kt and
// HumanSkeleton.kt of August 2026), for a figure in OpenXR's axes: +X right, +Y up, -Z front.
// Rotations are those of bones against the upright pose with hanging arms.
import { bundle, message } from './osc.mjs';

export const multiply = ([a, b, c, d], [x, y, z, w]) => [d * x + w * a + b * z - c * y,
	d * y + w * b + c * x - a * z, d * z + w * c + a * y - b * x,
	d * w - a * x - b * y - c * z];
export const inverse = ([x, y, z, w]) => [-x, -y, -z, w];
export const rotate = (q, [x, y, z]) => multiply(multiply(q, [x, y, z, 0]), inverse(q)).slice(0, 3);
export const add = (a, b) => a.map((x, i) => x + b[i]);
export const subtract = (a, b) => a.map((x, i) => x - b[i]);
/** Rotation about an axis of unit length, degrees. */
export const turn = ([x, y, z], degrees) => {
	const sine = Math.sin(degrees * Math.PI / 360);
	return [x * sine, y * sine, z * sine, Math.cos(degrees * Math.PI / 360)];
};

const STILL = [0, 0, 0, 1];
const ARM = { Left: turn([0, 0, 1], 90), Right: turn([0, 0, 1], -90) };

/* In the order of the messages: the VMC bone, the bone above it, and the rotation of the figure
 * that it shows. */
const BONES = [
	['Hips', null, 'hips'],
	['LeftUpperLeg', 'Hips', 'leftUpperLeg'], ['RightUpperLeg', 'Hips', 'rightUpperLeg'],
	['LeftLowerLeg', 'LeftUpperLeg', 'leftLowerLeg'], ['RightLowerLeg', 'RightUpperLeg', 'rightLowerLeg'],
	['LeftFoot', 'LeftLowerLeg', 'leftFoot'], ['RightFoot', 'RightLowerLeg', 'rightFoot'],
	['Spine', 'Hips', 'waist'], ['Chest', 'Spine', 'chest'], ['UpperChest', 'Chest', 'chest'],
	['Neck', 'UpperChest', 'neck'], ['Head', 'Neck', 'head'],
	['LeftShoulder', 'UpperChest', 'leftShoulder'], ['RightShoulder', 'UpperChest', 'rightShoulder'],
	['LeftUpperArm', 'LeftShoulder', 'leftUpperArm'], ['RightUpperArm', 'RightShoulder', 'rightUpperArm'],
	['LeftLowerArm', 'LeftUpperArm', 'leftLowerArm'], ['RightLowerArm', 'RightUpperArm', 'rightLowerArm'],
	['LeftHand', 'LeftLowerArm', 'leftHand'], ['RightHand', 'RightLowerArm', 'rightHand'],
];

const isArm = (bone) => /Shoulder|Arm|Hand/.test(bone);

/** Rotation of a VMC bone in the room; arms of Unity rest in the T-pose. */
function roomRotation(bone, rotations) {
	const own = rotations[BONES.find(([name]) => name === bone)[2]] ?? STILL;
	const side = /^(Left|Right)(?!Shoulder).*(Arm|Hand)/.exec(bone);
	return side ? multiply(own, ARM[side[1]]) : own;
}

/** Local rotations of the VMC bones that are sent, in OpenXR's axes. */
export function localRotations({ rotations, controllers }) {
	return new Map(BONES.filter(([bone]) => !(controllers && isArm(bone))).map(([bone, above]) => {
		const own = roomRotation(bone, rotations);
		return [bone, above ? multiply(inverse(roomRotation(above, rotations)), own) : own];
	}));
}

/* Elbow and controller of an arm: found from the controller, or from the rotations of the arm. */
function arm({ rotations, controllers }, side, neck) {
	const of = (bone) => rotations[bone] ?? STILL;
	const below = (place, rotation, offset) => add(place, rotate(rotation, offset));
	if (controllers) {
		const { position, rotation } = controllers[side];
		const wrist = below(position, rotation, [0, 0.035, 0.13]);
		return { elbow: [add(wrist, [0, 0.26, 0]), STILL], hand: [position, rotation] };
	}
	const shoulder = below(neck, of(`${side}Shoulder`), [side === 'left' ? -0.175 : 0.175, -0.08, 0]);
	const elbow = below(shoulder, of(`${side}UpperArm`), [0, -0.26, 0]);
	const wrist = below(elbow, of(`${side}LowerArm`), [0, -0.26, 0]);
	return { elbow: [elbow, of(`${side}UpperArm`)],
		hand: [below(wrist, of(`${side}Hand`), [0, -0.035, -0.13]), of(`${side}Hand`)] };
}

/** Computed trackers: kind, name, place in metres with the default proportions, rotation. */
export function trackers(figure) {
	const { rotations, hmd } = figure;
	const of = (bone) => rotations[bone] ?? STILL;
	const below = (place, bone, offset) => add(place, rotate(of(bone), offset));
	const neck = below(below(hmd, 'head', [0, 0, 0.1]), 'neck', [0, -0.1, 0]);
	const chest = below(neck, 'chest', [0, -0.32, 0]);
	const waist = below(below(chest, 'waist', [0, -0.2, 0]), 'hips', [0, -0.04, 0]);
	const leg = (side) => {
		const hip = below(waist, 'hips', [side === 'left' ? -0.13 : 0.13, 0, 0]);
		const knee = below(hip, `${side}UpperLeg`, [0, -0.42, 0]);
		const ankle = below(knee, `${side}LowerLeg`, [0, -0.5, 0.05]);
		return { knee: [knee, of(`${side}UpperLeg`)],
			foot: [below(ankle, `${side}Foot`, [0, 0, -0.05]), of(`${side}Foot`)] };
	};
	const [left, right] = [leg('left'), leg('right')];
	const [leftArm, rightArm] = [arm(figure, 'left', neck), arm(figure, 'right', neck)];
	return [['Hmd', 'HEAD', neck, of('head')], ['Tra', 'CHEST', chest, of('chest')],
		['Tra', 'WAIST', waist, of('hips')],
		['Tra', 'LEFT_KNEE', ...left.knee], ['Tra', 'RIGHT_KNEE', ...right.knee],
		['Tra', 'LEFT_FOOT', ...left.foot], ['Tra', 'RIGHT_FOOT', ...right.foot],
		['Tra', 'LEFT_ELBOW', ...leftArm.elbow], ['Tra', 'RIGHT_ELBOW', ...rightArm.elbow],
		['Con', 'LEFT_HAND', ...leftArm.hand], ['Con', 'RIGHT_HAND', ...rightArm.hand]];
}

/**
 * The bundle of one instant.
 *
 * @param figure rotations by bone, the place of the headset (`hmd`) and the controllers that
 *   drive the arms (`left` and `right`, each with position and rotation), if there are any
 * @param avatar offsets of the bones of the VRM that is loaded, in OpenXR's axes, and the place of
 *   its hips; without one all positions are 0
 * @param devices changes the list of trackers()
 */
export function packet(figure, { seconds = 1, avatar, devices = (list) => list } = {}) {
	const transform = ([x, y, z], [a, b, c, d]) => [x, y, -z, a, b, -c, -d];
	const place = (bone) => (!avatar ? [0, 0, 0]
		: bone === 'Hips' ? avatar.hips : avatar.offsets[bone]);
	return bundle(message('/VMC/Ext/T', 'f', seconds), message('/VMC/Ext/OK', 'i', 1),
		message('/VMC/Ext/Root/Pos', 'sfffffff', 'root', ...transform([0, 0, 0], STILL)),
		...[...localRotations(figure)].map(([bone, rotation]) =>
			message('/VMC/Ext/Bone/Pos', 'sfffffff', bone, ...transform(place(bone), rotation))),
		...devices(trackers(figure).map(([kind, name, ...rest]) => [kind, `human://${name}`, ...rest]))
			.map(([kind, name, position, rotation]) =>
				message(`/VMC/Ext/${kind}/Pos`, 'sfffffff', name, ...transform(position, rotation))));
}
