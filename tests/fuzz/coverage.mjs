// Prints the share of lines that the corpora of the fuzz targets reach, by group of files,
// and fails where a group is below its goal. coverage.sh calls it.
//
// usage: node tests/fuzz/coverage.mjs [--files] LINES.lcov
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Every source file of a folder but those whose names fit a pattern. */
function folder(name, except = /^$/) {
	return readdirSync(join(root, name))
		.filter((file) => file.endsWith('.c') && !except.test(file))
		.map((file) => `${name}/${file}`);
}
const among = (name, files) => files.map((file) => `${name}/${file}.c`);

// Parsers read bytes of another program or an earlier run. Writers, and code that only computes
// with values already read, are not parsers.
const parsers = {
	'file syntax': folder('src/format'),
	'avatars': folder('src/avatar'),
	'packets and captures': among('src/codec', ['body_frame', 'bundle', 'capture', 'chain', 'chain_frame',
		'chain_model', 'chain_rejoin', 'payload', 'pose', 'range_coder', 'section', 'stream', 'wire']),
	'MCAP': among('src/mcap', ['bytes', 'chunk', 'chunk_search', 'file_index', 'file_scanner', 'file_summary',
		'framing', 'message_cursor', 'record_fields', 'recovery']),
	'recordings': among('src/recording', ['body_motion', 'capture_pages', 'forget_filter', 'index', 'reader',
		'roster_parser', 'stored_packets']),
	'motions': among('src/motion', ['pose_table', 'body_frames/body_frames', 'body_frames/body_frames_parser',
		'bvh/bvh_frame', 'bvh/bvh_motion', 'bvh/bvh_tree', 'bvh/bvh_world', 'gltf/gltf_clip', 'gltf/gltf_motion',
		'gltf/gltf_track', 'gltf/vrma', 'hanim/hanim_figure', 'hanim/hanim_frames', 'hanim/hanim_joints',
		'hanim/hanim_keys', 'hanim/hanim_motion', 'hanim/hanim_motion_reader', 'hanim/hanim_routes',
		'hanim/hanim_segments', 'hanim/hanim_sites', 'hanim/hanim_track', 'hanim/hanim_viewpoints',
		'mocopi/mocopi_receiver', 'vmc/vmc_messages', 'vmc/vmc_receiver']),
	'skeletons': among('src/skeleton', ['descriptor_reader', 'skeleton_reader', 'virtual_transform_list',
		'gltf/constraint_list', 'gltf/ext_humanoid', 'gltf/gltf_groups', 'gltf/recognised_gltf', 'gltf/vrm_skeleton',
		'hanim/hanim_collect', 'hanim/hanim_names', 'hanim/hanim_rest', 'hanim/hanim_scene', 'hanim/hanim_skeleton',
		'recognition/joint_name', 'recognition/naming']),
	'requests and frames': among('daemon/http', ['forwarded', 'handshake', 'page_policy', 'request', 'response', 'routes'])
		.concat(among('daemon/net', ['frame']), among('daemon/base', ['address'])),
	'tokens': among('daemon/auth', ['permit', 'token']),
	'configuration': folder('daemon/config', /^(config|environment)\.c$/).concat(
		among('daemon/source', ['source_uri']), among('daemon/sink', ['osc_target']),
		among('daemon/record', ['record_target'])),
	'state': ['daemon/moderation/sanction_file.c', 'daemon/source/calibration_record.c',
		'daemon/registry/skeleton_file.c', 'src/retarget/calibration_json.c'],
	'replay': among('daemon/replay', ['replay', 'replay_body', 'replay_cursor', 'replay_file', 'replay_roster',
		'replay_skeletons']),
};
const groups = Object.entries(parsers).map(([name, files]) => ({ name, files, goal: 90 }));
groups.push({ name: 'connections', files: ['net', 'http', 'control'].flatMap((part) => folder(`daemon/${part}`)), goal: 70 });

/** path → [lines that were reached, lines]. */
function readLines(file) {
	const lines = new Map();
	let path;
	let found = 0;
	for (const line of readFileSync(file, 'utf8').split('\n')) {
		const [key, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)];
		if (key === 'SF')
			path = relative(root, resolve(root, value));
		else if (key === 'LF')
			found = Number(value);
		else if (key === 'LH')
			lines.set(path, [Number(value), found]);
	}
	return lines;
}

/** A file that no target links has no line that was reached, and all that have code. */
function countUnlinked(path) {
	return readFileSync(join(root, path), 'utf8').split('\n').filter((line) => /^\s+[^\s/*]/.test(line)).length;
}

const row = (name, reached, all, note) => console.log(
	`${name.padEnd(38)} ${String(reached).padStart(6)} of ${String(all).padStart(6)}  ${
		(100 * reached / all).toFixed(1).padStart(5)} %${note}`);

const withFiles = process.argv[2] === '--files';
const lines = readLines(process.argv.at(-1));
let status = 0;
for (const { name, files, goal } of groups) {
	const counts = files.map((path) => lines.get(path) ?? [0, countUnlinked(path)]);
	const reached = counts.reduce((sum, [some]) => sum + some, 0);
	const all = counts.reduce((sum, [, some]) => sum + some, 0);
	const isLow = 100 * reached < goal * all;
	row(name, reached, all, isLow ? `  below ${goal} %` : '');
	if (withFiles)
		files.forEach((path, i) => row(`  ${path}`, ...counts[i], lines.has(path) ? '' : '  in no target'));
	if (isLow)
		status = 1;
}
process.exitCode = status;
