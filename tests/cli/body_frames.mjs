// Makes body frames: the T-pose of proto/joints.json, with the head turned ten degrees further to
// the left in every frame. As a program it prints a file with a number of frames at 60 Hz.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { bones, joints } = JSON.parse(
	readFileSync(join(here, '..', '..', 'proto', 'joints.json'), 'utf8'));

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

// The rotation whose -Z lies along `bone` and whose +Y along `up` (Shepperd).
function fromTPose({ bone, up }) {
	const z = bone.map((value) => -value);
	const x = cross(up, z);
	const m = [x, up, z]; // columns
	const four = [1 + x[0] - up[1] - z[2], 1 - x[0] + up[1] - z[2], 1 - x[0] - up[1] + z[2],
		1 + x[0] + up[1] + z[2]];
	const largest = four.indexOf(Math.max(...four));
	const s = 2 * Math.sqrt(four[largest]);
	const sum = (i, j) => (m[i][j] + m[j][i]) / s;
	const [dx, dy, dz] = [(m[1][2] - m[2][1]) / s, (m[2][0] - m[0][2]) / s, (m[0][1] - m[1][0]) / s];
	return [
		[s / 4, sum(0, 1), sum(0, 2), dx],
		[sum(0, 1), s / 4, sum(1, 2), dy],
		[sum(0, 2), sum(1, 2), s / 4, dz],
		[dx, dy, dz, s / 4],
	][largest];
}

const place = ({ name, bone, parent }) => bones.find((one) => one.name === bone)?.rest ??
	place(joints.find((one) => one.name === (parent ?? name)));

// change(name) returns null for an absent joint and 1 for an estimated one.
export function bodyFrames(frameCount, change = () => 2) {
	const lines = [JSON.stringify({ jointcast: 'body-frames', profile: 'webxr-spec',
		joints: joints.map(({ name }) => name) })];
	for (let frame = 0; frame < frameCount; frame++) {
		const half = (frame * 10 * Math.PI) / 360;
		lines.push(JSON.stringify({ t: frame / 60, confidence: 1, joints: joints.map((joint) => {
			const flags = change(joint.name);
			const [x, y, z, w] = fromTPose(joint.tPose);
			const [s, c] = joint.name === 'head' ? [Math.sin(half), Math.cos(half)] : [0, 1];
			return flags === null ? null : [...place(joint),
				c * x + s * z, c * y + s * w, c * z - s * x, c * w - s * y, flags];
		}) }));
	}
	return `${lines.join('\n')}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	process.stdout.write(bodyFrames(Number(process.argv[2] ?? 60)));
}
