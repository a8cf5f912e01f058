// Writes a motion of these tests as a VRM animation.
//
// usage: write_motion.mjs NAME OUT.vrma
import { writeFileSync } from 'node:fs';
import { posesOf, writeVrma } from './source_file.mjs';
import { motions as steps } from './steps.mjs';
import { motions as touches } from './touches.mjs';

const [wanted, out] = process.argv.slice(2);
const motion = [...steps, ...touches].find(({ name }) => name === wanted);
if (!motion || !out) {
	console.error('usage: write_motion.mjs NAME OUT.vrma');
	process.exit(2);
}
writeFileSync(out, writeVrma(posesOf(motion)));
