// Figures of very different proportions, as VRM 1.0 files: the body of tests/figures with other
// lengths of legs, trunk, arms, shoulders and neck. The figure `source` is the one that moves.
import { add, minus, scaled } from '../figures/arithmetic.mjs';
import { body, part } from '../figures/body.mjs';
import { documentOf, toText } from '../figures/documents.mjs';
import { makeNodes, makeRig } from '../figures/rig.mjs';

// Factors of the ways from one joint to the next.
const figures = {
	same: {},
	child: { size: 0.6, thigh: 0.75, shank: 0.85, arm: 0.85, head: 1.4 },
	short_legs: { thigh: 0.4, shank: 0.6, foot: 0.8 },
	long_legs: { thigh: 1.3, shank: 1.5, arm: 1.1 },
	long_arms: { arm: 1.35, size: 1.1 },
	short_arms: { arm: 0.75, shoulders: 0.9 },
	big_head: { size: 0.7, thigh: 0.5, shank: 0.6, foot: 0.7, arm: 0.75, trunk: 0.8, head: 2 },
	broad: { shoulders: 1.6, hips: 1.5, trunk: 1.1, thigh: 1, shank: 0.8, toes: false },
};

const groups = [[/Shoulder|leftUpperArm|rightUpperArm/, 'shoulders'], [/LowerArm|Hand$/, 'arm'],
	[/LowerLeg/, 'thigh'], [/Foot/, 'shank'], [/Toes/, 'foot'], [/UpperLeg/, 'hips'],
	[/spine|chest|upperChest|neck/i, 'trunk'], [/head/, 'head']];

function factorOf(name, factors) {
	const [, group] = groups.find(([pattern]) => pattern.test(name)) ?? [];
	return factors[group] ?? 1;
}

// Positions of the joints in the T-pose; the ankles, and so the toes, stand as high as the feet are
// large.
function places(factors) {
	const at = {};
	for (const { name, parent, at: own } of body) {
		at[name] = parent ? add(at[parent], scaled(minus(own, part[parent].at), factorOf(name, factors)))
			: [0, 0, 0];
	}
	const floor = at.leftToes[1];
	return Object.fromEntries(Object.entries(at).map(([name, [x, y, z]]) => [name, [x, y - floor, z]]));
}

const without = body.map(({ name }) => name).filter((name) => /Thumb|Middle/.test(name));

/** The rig of a figure, its nodes, and its joints in the T-pose, in metres. */
export function makeFigure(factors) {
	const at = places(factors);
	const size = factors.size ?? 1;
	const rig = makeRig({ size, place: ({ name }) => at[name],
		without: factors.toes === false ? [...without, 'leftToes', 'rightToes'] : without });
	return { rig, ...makeNodes(rig), at: Object.fromEntries(Object.entries(at)
		.filter(([name]) => !rig.without.includes(name)).map(([name, p]) => [name, scaled(p, size)])) };
}

export const source = makeFigure({});

export function targets() {
	return Object.entries(figures).map(([name, factors]) => ({ name, ...makeFigure(factors) }));
}

export function writeVrm({ nodes, bones }, name) {
	return toText(documentOf(nodes, { extensionsUsed: ['VRMC_vrm'], extensions: { VRMC_vrm: {
		specVersion: '1.0', meta: { name, licenseUrl: 'https://vrm.dev/licenses/1.0/', authors: ['jointcast'] },
		humanoid: { humanBones: Object.fromEntries(Object.entries(bones).map(([bone, node]) =>
			[bone, { node }])) } } } }));
}
