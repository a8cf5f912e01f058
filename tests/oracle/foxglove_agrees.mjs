// npm @foxglove/schemas and @mcap/core: recordings contain Foxglove's schemas as they are published,
// messages with exactly their fields, and bodies that stand where `jointcast retarget` has them, with
// capsules from bone to bone.
//
// usage: foxglove_agrees.mjs JOINTCAST FOLDER
import { McapIndexedReader } from '@mcap/core';
import zstd from '@foxglove/wasm-zstd';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const published = createRequire(import.meta.url)('@foxglove/schemas/jsonschema');
const [jointcast, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await zstd.isLoaded;

const run = (...parameters) => {
	const { status, stdout, stderr } = spawnSync(jointcast, parameters, { encoding: 'utf8', maxBuffer: 1 << 28 });
	assert.equal(status, 0, stderr);
	return stdout;
};

async function read(path) {
	const bytes = readFileSync(path);
	const reader = await McapIndexedReader.Initialize({
		decompressHandlers: { zstd: (chunk, size) => zstd.decompress(chunk, Number(size)) },
		readable: { size: async () => BigInt(bytes.length),
			read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)) } });
	const messages = { transforms: [], scene: [] };
	for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true })) {
		const topic = reader.channelsById.get(channelId).topic.split('/').at(-1);
		messages[topic]?.push({ seconds: Number(logTime) / 1e9, ...JSON.parse(new TextDecoder().decode(data)) });
	}
	const schemas = Object.fromEntries([...reader.schemasById.values()].map(({ name, encoding, data }) =>
		[name, { encoding, text: new TextDecoder().decode(data) }]));
	return { ...messages, schemas };
}

/** A published schema without the parts that ours leaves out. */
function plain(value, isRoot = true) {
	if (Array.isArray(value)) {
		return value.map((item) => plain(item, false));
	}
	if (typeof value !== 'object') {
		return value;
	}
	const { title, description, $comment, required, ...rest } = value;
	const keep = title !== undefined && (isRoot || typeof title !== 'string' || !title.startsWith('foxglove.'));
	return Object.fromEntries([...keep ? [['title', title]] : [], ...Object.entries(rest)]
		.map(([key, item]) => [key, plain(item, false)]));
}

/** Exactly the fields of the schema, with their types and ranges. */
function check(schema, value, where) {
	if (schema.oneOf) {
		assert.ok(schema.oneOf.some((choice) => choice.const === value), `${where} ${value}`);
	} else if (schema.type === 'object') {
		assert.deepEqual(Object.keys(value).sort(), Object.keys(schema.properties).sort(), where);
		Object.entries(schema.properties).forEach(([key, field]) => check(field, value[key], `${where}.${key}`));
	} else if (schema.type === 'array') {
		assert.ok(Array.isArray(value), where);
		value.forEach((item, i) => check(schema.items, item, `${where}[${i}]`));
	} else if (schema.type === 'integer') {
		assert.ok(Number.isInteger(value) && value >= (schema.minimum ?? -Infinity) &&
			value <= (schema.maximum ?? Infinity), `${where} ${value}`);
	} else {
		assert.equal(typeof value, schema.type, where);
	}
}

const turn = ([x, y, z, w], [a, b, c]) => {
	const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
};
const vector = ({ x, y, z }) => [x, y, z];
const rotation = ({ x, y, z, w }) => [x, y, z, w].map((v, _, all) => v / Math.hypot(...all));
const add = (a, b) => a.map((v, i) => v + b[i]);
const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

/** A point of a frame in the root frame. */
function inRoot(transforms, frame, point) {
	const frames = new Map(transforms.map((transform) => [transform.child_frame_id, transform]));
	let at = frame;
	for (let up; (up = frames.get(at)); at = up.parent_frame_id) {
		point = add(vector(up.translation), turn(rotation(up.rotation), point));
	}
	assert.equal(at, 'Z up');
	return point;
}

async function compare(motion) {
	const file = join(folder, 'foxglove.mcap');
	run('convert', motion, file);
	const { transforms, scene, schemas } = await read(file);
	for (const name of ['FrameTransforms', 'SceneUpdate']) {
		const { encoding, text } = schemas[`foxglove.${name}`];
		assert.equal(encoding, 'jsonschema');
		assert.deepEqual(JSON.parse(text), plain(published[name]), name);
	}
	for (const { seconds, ...message } of transforms) {
		check(published.FrameTransforms, message, 'transforms');
	}
	for (const { seconds, ...message } of scene) {
		check(published.SceneUpdate, message, 'scene');
	}
	assert.equal(scene.length, 1);

	const chosen = transforms.filter((_, i) => i % 8 === 0);
	const { frames } = JSON.parse(run('retarget', file, 'humanoid', '--as-tracked', '--times',
		chosen.map(({ seconds }) => seconds).join(), '--json'));
	const body = scene[0].entities[0].id.split('/').slice(0, 2).join('/');
	let [worst, ends] = [0, 0];
	chosen.forEach(({ transforms: list }, i) => {
		const places = new Map(Object.entries(frames[i].bones)
			.map(([bone, { worldPosition: [x, y, z] }]) => [`${body}/${bone}`, [x, -z, y]]));
		for (const { child_frame_id: frame } of list.slice(2)) {
			worst = Math.max(worst, distance(inRoot(list, frame, [0, 0, 0]), places.get(frame)));
		}
		for (const { frame_id: frame, cylinders } of scene[0].entities) {
			for (const { pose, size } of cylinders) {
				const end = (sign) => inRoot(list, frame, add(vector(pose.position),
					turn(rotation(pose.orientation), [0, 0, (sign * size.z) / 2])));
				worst = Math.max(worst, distance(end(-1), places.get(frame)));
				// To the next joint, or to the tip of a finger or foot.
				const near = Math.min(...[...places.values()].map((place) => distance(end(1), place)));
				ends += near < 0.004;
				assert.ok(near < 0.004 || /Distal|Toes$/.test(frame), `${frame}: ${near} m`);
			}
		}
	});
	assert.ok(worst < 0.004, `${worst} m`);
	assert.ok(ends >= 40 * chosen.length);
	console.log(`${motion}: ${transforms.length} transforms, ${scene[0].entities.length} entities, ` +
		`${(1000 * worst).toFixed(1)} mm`);
}

for (const motion of ['demo:walk', 'demo:wave', 'demo:sit']) {
	await compare(motion);
}
