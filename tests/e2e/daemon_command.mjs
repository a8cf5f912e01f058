// Tests the command line: refused options, messages and exit status.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { run, scratch, start } from './support/daemon.mjs';

const oneLine = (text) => assert.match(text, /^jointcastd: [^\n]+\n$/);

for (const [name, options, code, expected] of [
	['an unknown option', ['--nonsense'], 2, /no such option: '--nonsense'/],
	['a configuration file that there is not', ['--config', '/nonexistent.conf'], 1, /cannot be read: No such file or directory, \/nonexistent\.conf/],
	['an option without its value', ['--listen'], 2, /'--listen' needs a value/],
	['an argument', ['file.bvh'], 2, /not an option: 'file.bvh'/],
	['every address', ['--listen', '0.0.0.0:9871'], 2, /'0\.0\.0\.0:9871' is not a loopback address/],
	['an address of the network', ['--listen', '192.0.2.1:9871'], 2, /not a loopback address/],
	['every IPv6 address', ['--listen', '[::]:9871'], 2, /not a loopback address/],
	['no port', ['--listen', '127.0.0.1'], 2, /not an address/],
	['a port that is none', ['--listen', '127.0.0.1:65536'], 2, /not an address/],
	['a source of no kind', ['--source', 'walk'], 1, /source 'walk': neither file:PATH, demo:NAME, replay:PATH, vmc:PORT, osc-trackers:PORT, mocopi:PORT, ifacialmocap:PORT, facemotion3d:PORT nor openxr:/],
	['a demo that there is not', ['--source', 'demo:fly'], 1, /demo:fly/],
	['a file that there is not', ['--source', 'file:/nonexistent.bvh'], 1, /\/nonexistent\.bvh: cannot be opened: No such file/],
	['a folder as a file', ['--source', 'file:/tmp'], 1, /\/tmp: not a regular file/],
	['a skeleton that there is not', ['--skeleton', '/nonexistent.vrm#1'], 1, /\/nonexistent\.vrm: cannot be opened/],
	['an unknown option of a source', ['--source', 'demo:walk?fast'], 1, /no such option: 'fast'/],
]) {
	test(`${name} is refused in one line`, async () => {
		const result = await run(...options);
		assert.equal(result.code, code, result.stderr);
		oneLine(result.stderr);
		assert.match(result.stderr, expected);
		assert.equal(result.stdout, '');
	});
}

test('an empty and a broken file are refused with their name', async (t) => {
	const folder = scratch(t);
	for (const [name, text] of [['empty.bvh', ''], ['broken.bvh', 'HIERARCHY\nROOT'], ['empty.json', '{}']]) {
		const file = path.join(folder, name);
		fs.writeFileSync(file, text);
		const result = name.endsWith('json') ? await run('--skeleton', file) : await run('--source', `file:${file}`);
		assert.equal(result.code, 1, result.stderr);
		oneLine(result.stderr);
		assert.ok(result.stderr.includes(file), result.stderr);
	}
});

test('a port in use is an error of the connection', async () => {
	const server = net.createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.on('listening', resolve));
	const result = await run('--listen', `127.0.0.1:${server.address().port}`);
	server.close();
	assert.equal(result.code, 3);
	oneLine(result.stderr);
	assert.match(result.stderr, /cannot listen on 127\.0\.0\.1:\d+: Address already in use/);
});

test('--version and --help answer on the standard output', async () => {
	assert.match((await run('--version')).stdout, /^jointcastd \d+\.\d+\.\d+\n$/);
	const help = await run('--help');
	assert.equal(help.code, 0);
	for (const option of ['--listen', '--source', '--skeleton', '--web', '--help', '--version'])
		assert.ok(help.stdout.includes(option), option);
	// Every option of file: that jointcastd(8) describes.
	for (const option of ['motion', 'bones', 'loop', 'mirror', 'twist', 'speed', 'space', 'name'])
		assert.match(help.stdout.split('replay:PATH')[0], new RegExp(`[?&\\s]${option}[=&]`));
});

for (const signal of ['SIGTERM', 'SIGINT']) {
	test(`${signal} ends the daemon with status 0`, async () => {
		const daemon = await start();
		assert.match(daemon.log, /no source: space 'lobby' is empty/);
		assert.equal(await daemon.stop(signal), 0);
	});
}
