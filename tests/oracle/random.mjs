// Random numbers that are the same on every run, and quaternions from them.

// mulberry32: 32 bits of state, good enough to scatter poses.
export function makeRandom(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

// Uniform over all rotations (Shoemake's subgroup method).
export function randomRotation(random) {
	const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
	const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
	return [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
}
