// Where the joints of a figure are, from the local rotations that `jointcast retarget` prints: forward
// kinematics of these tests, over the nodes as they were written into the file.
import { add, scaled, times, turn } from '../figures/arithmetic.mjs';

/** Places of the bones, by name, of a figure of makeFigure in one frame of `retarget --json`. */
export function placesOf({ nodes, bones }, frame) {
	const names = new Map(Object.entries(bones).map(([name, node]) => [node, name]));
	const worlds = [];
	const places = {};
	nodes.forEach(({ parent, t, q, s }, index) => {
		const name = names.get(index);
		const above = parent < 0 ? { q: [0, 0, 0, 1], p: [0, 0, 0], s: 1 } : worlds[parent];
		const way = name === 'hips' ? frame.hipsTranslation : t;
		const rotation = frame.bones[name]?.rotation ?? frame.nodes[index]?.rotation ?? q;
		worlds[index] = { q: times(above.q, rotation), p: add(above.p, scaled(turn(above.q, way), above.s)),
			s: above.s * s };
		if (name) {
			places[name] = worlds[index].p;
		}
	});
	return places;
}
