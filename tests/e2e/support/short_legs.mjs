// A figure of the built-in proportions but for its legs, as a skeleton descriptor whose rest has no
// rotations: R of each bone is N.

import { TABLE } from './fixtures.mjs';

const SHORTENED = new Set(['leftLowerLeg', 'leftFoot', 'rightLowerLeg', 'rightFoot']);

/** `share`: of the length of the legs. The ankles stay where they are. */
export function makeShortLegs(share = 0.6) {
	const restOf = (name) => TABLE.find((bone) => bone.name === name)?.rest ?? [0, 0, 0];
	const lost = (restOf('leftUpperLeg')[1] - restOf('leftFoot')[1]) * (1 - share);
	return { name: `legs ${share}`, nodes: TABLE.map(({ name, parent, rest }) => ({ name,
		...(parent && { parent: TABLE.findIndex((bone) => bone.name === parent) }),
		translation: rest.map((x, k) => (SHORTENED.has(name) ? share : 1) * (x - restOf(parent)[k])
			- (!parent && k === 1 ? lost : 0)) })),
	bones: Object.fromEntries(TABLE.map(({ name }, i) => [name, i])) };
}
