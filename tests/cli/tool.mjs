// Runs jointcast and finds test files.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function run(program, ...parameters) {
	const { status, signal, stdout, stderr, error } = spawnSync(program, parameters,
		{ maxBuffer: 1 << 30, encoding: 'utf8' });
	if (error) {
		throw error;
	}
	return { status: status ?? signal, stdout, stderr };
}

export function runJson(program, ...parameters) {
	const { status, stdout, stderr } = run(program, ...parameters, '--json');
	if (status !== 0) {
		throw new Error(`${parameters.join(' ')}: exit ${status}: ${stderr.trim()}`);
	}
	return JSON.parse(stdout);
}

// Files of one kind of the public test data; none if the data is missing.
export function dataFiles(kind, extension) {
	const folder = join(process.env.JOINTCAST_DATA ?? join(root, '..', 'shared', 'data'), kind);
	return existsSync(folder)
		? readdirSync(folder).filter((name) => name.endsWith(extension)).sort()
			.map((name) => join(folder, name))
		: [];
}

// Angle between two rotations, by the chord: it is exact near zero, the arc cosine of a dot product
// is not.
export function degreesBetween(a, b) {
	const chord = (sign) => Math.hypot(...a.map((v, i) => v - sign * b[i]));
	return (4 * Math.asin(Math.min(1, Math.min(chord(1), chord(-1)) / 2)) * 180) / Math.PI;
}

// Asserts the form of an error: this status, nothing on standard output, and one line on standard
// error that names the file.
export function failure({ status, stdout, stderr }, expected, name) {
	const complaints = [];
	if (status !== expected) {
		complaints.push(`exit status ${status}, not ${expected}`);
	}
	if (stdout !== '') {
		complaints.push('something on standard output');
	}
	if (!/^jointcast: [^\n]*\n$/.test(stderr) || !stderr.startsWith(`jointcast: ${name}: `)) {
		complaints.push(`standard error is ${JSON.stringify(stderr.slice(0, 300))}`);
	}
	return complaints.join('; ');
}

// The program under test, from the command line or the environment.
export const jointcast = process.env.JOINTCAST;
