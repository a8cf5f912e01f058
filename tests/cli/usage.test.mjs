// Tests the command line: help, version and wrong use.
import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, jointcast, run } from './tool.mjs';

const commands = ['inspect', 'retarget', 'convert', 'lint', 'measure', 'recover', 'bench', 'status', 'calibrate', 'token'];

test('help and version go to standard output with status 0', () => {
	for (const parameters of [['--help'], ['-h'], ['--version'], ...commands.map((c) => [c, '--help'])]) {
		const { status, stdout, stderr } = run(jointcast, ...parameters);
		assert.equal(status, 0);
		assert.equal(stderr, '');
		assert.match(stdout, /jointcast/);
	}
	assert.match(run(jointcast, '--version').stdout, /^jointcast \d+\.\d+\.\d+\n$/);
});

test('the help of the tool names every command', () => {
	const { stdout } = run(jointcast, '--help');
	for (const command of commands) {
		assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
	}
});

test('the help of each command that reads skeletons lists their formats', () => {
	for (const command of ['inspect', 'retarget', 'lint']) {
		const { stdout } = run(jointcast, command, '--help');
		for (const format of ['VRM', 'glTF', 'FBX', 'H-Anim', 'descriptor']) {
			assert.ok(stdout.includes(format), `${command}: ${format}`);
		}
	}
	assert.match(run(jointcast, 'record', '--help').stdout, /scene for\s+Foxglove/);
});

test('wrong use is one line with a hint and status 2', () => {
	const misuses = [
		['command line', []],
		['command line', ['fly']],
		['command line', ['--fly']],
		['inspect', ['inspect']],
		['inspect', ['inspect', 'a', 'b']],
		['inspect', ['inspect', '--xml', 'a']],
		['inspect', ['inspect', '--json=yes', 'a']],
		['inspect', ['inspect', '-x', 'a']],
		['inspect', ['inspect', 'humanoid', '--json', '--descriptor']],
		['retarget', ['retarget', 'demo:walk']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--mirror=1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--limits', 'on']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--hips-scale', '']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--hips-scale', '1,-1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--hips-scale', '1,1,1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--hips-scale', '101']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--twist', '1.5']],
		['convert', ['convert', 'demo:walk', 'x.bvh', '--twist', 'half']],
		['convert', ['convert', 'demo:walk', 'x.bvh', '--limits', 'clamp']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times', '']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times', '0,,1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times', '0,nan']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times', '1 2']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--times', '1e999']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', '0']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', '-1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', 'inf']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', '0x10']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', '1e9']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--fps', '9', '--times', '1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--motion-index', '-1']],
		['retarget', ['retarget', 'demo:walk', 'humanoid', '--skeleton-index', '1x']],
		['lint', ['lint']],
		['lint', ['lint', 'humanoid', '--fix']],
		['lint', ['lint', 'humanoid', '--fix', 'figure.bvh']],
		['measure', ['measure', 'demo:walk']],
		['measure', ['measure', 'demo:walk', 'humanoid', '--times', '1']],
		['measure', ['measure', 'demo:walk', 'humanoid', '--fps', '-1']],
		['calibrate', ['calibrate']],
		['calibrate', ['calibrate', '--body', 'Ada']],
		['calibrate', ['calibrate', '--body', 'Ada', '--height', '4']],
		['calibrate', ['calibrate', '--body', 'Ada', '--height', '1.7', '--pose', 'a']],
		['calibrate', ['calibrate', '--body', 'Ada', '--height', '1.7', '--countdown', '61']],
		['play', ['play']],
		['play', ['play', 'demo:walk', 'demo:wave']],
		['play', ['play', 'demo:walk', '--speed', '0']],
		['play', ['play', 'demo:walk', '--from', '-1']],
		['watch', ['watch', 'a', 'b']],
		['status', ['status', 'a', 'b']],
		['status', ['status', 'ftp://localhost']],
		['bench', ['bench']],
		['bench', ['bench', 'weather']],
		['bench', ['bench', 'retarget', '--iterations', '0']],
	];
	for (const [name, parameters] of misuses) {
		const result = run(jointcast, ...parameters);
		assert.equal(failure(result, 2, name), '', parameters.join(' '));
		assert.match(result.stderr, /--help'\n$/, parameters.join(' '));
	}
});
