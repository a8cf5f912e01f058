// A backup as systemd/BACKUP.md describes it: copied from a running daemon with the command of that
// page, restored elsewhere, with all state, keys and recordings.
//
// usage: backup.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../e2e/support/client.mjs';
import { ROOT, scratch, start, writer } from '../e2e/support/daemon.mjs';
import { secret, token } from '../e2e/support/token.mjs';
import { until } from '../e2e/support/until.mjs';

const [, , , jointcast] = process.argv;
const page = readFileSync(path.join(ROOT, 'systemd/BACKUP.md'), 'utf8');
/** The command of the page that begins with those words, in another root folder. */
function follow(words, root, folder) {
	const line = page.split('\n').find((text) => text.startsWith(words));
	assert.ok(line, `the page has no command '${words}'`);
	const { status, stderr } = spawnSync('sh', ['-c', line.replace('-C /', `-C '${root}'`)], { cwd: folder, encoding: 'utf8' });
	assert.ok(status === 0 || (status === 1 && /changed as we read it/.test(stderr)), stderr);
}

test('a copy of a running daemon has its keys, sanctions, skeletons and recordings', async (t) => {
	const folder = scratch(t);
	const [first, second] = ['first', 'second'].map((name) => path.join(folder, name));
	const [etc, state] = ['etc/jointcast', 'var/lib/private/jointcast'].map((name) => path.join(first, name));
	for (const made of [etc, state, second])
		mkdirSync(made, { recursive: true });
	const write = writer(etc);
	write('key', secret);
	// Relative to the root, as /etc and /var are.
	const settings = (root) => `server { state = "${root}/var/lib/private/jointcast" }
		auth { audience = "world" key "shared" { algorithm = "HS256" file = "${root}/etc/jointcast/key" } }
		recording { folder = "${root}/var/lib/private/jointcast/recordings" spaces = {"lobby"} }
		source "walker" { uri = "demo:walk" }\n`;
	let daemon = await start('--config', write('jointcastd.conf', settings(first)));
	t.after(() => daemon.stop());
	const enter = (claims, ...messages) => Client.greeted(daemon, { token: token(claims) }, ...messages);

	const mia = await enter({ sub: 'mia', roles: ['watch', 'moderate', 'publish', 'record'] });
	mia.send({ type: 'moderate', space: 'lobby', action: 'ban', subject: 'eve' },
		{ type: 'skeleton', name: 'figure', descriptor: { nodes: [{ name: 'h', translation: [0, 1, 0] }], bones: { hips: 0 } } });
	assert.equal((await mia.find('moderated')).stored, true);
	const { hash } = await mia.find('registered');
	const recordings = path.join(state, 'recordings');
	await until('a recording with captures', () => readdirSync(recordings).length > 0 && readFileSync(path.join(recordings, readdirSync(recordings)[0])).length > 1000);
	follow('tar -c', first, folder);
	mia.end();
	assert.equal(await daemon.stop(), 0);

	// Another machine: the old folders are gone.
	renameSync(first, path.join(folder, 'gone'));
	follow('tar -x', second, folder);
	const config = writer(path.join(second, 'etc/jointcast'))('jointcastd.conf', settings(second));
	const [recording] = readdirSync(path.join(second, 'var/lib/private/jointcast/recordings'));
	const completed = path.join(folder, 'completed.mcap');
	execFileSync(jointcast, ['recover', path.join(second, 'var/lib/private/jointcast/recordings', recording), '-o', completed]);
	assert.equal(spawnSync(jointcast, ['inspect', completed]).status, 0);
	assert.equal(spawnSync(process.argv[2], ['--config', config, '--check-config']).status, 0);
	daemon = await start('--config', config);
	const eve = await enter({ sub: 'eve' }, { type: 'join', space: 'lobby' });
	assert.equal((await eve.find('error')).code, 'banned');
	const again = await enter({ sub: 'mia', roles: ['watch', 'publish'] }, { type: 'skeletons' });
	assert.deepEqual((await again.find('wardrobe')).skeletons.map((skeleton) => [skeleton.name, skeleton.hash]), [['figure', hash]]);
	eve.end();
	again.end();
});
