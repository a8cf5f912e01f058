// The runner finds each defect of a client by the check that is for it.
//
// usage: node --test broken_clients.test.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CHECKS, perform, performAll } from './checklist.mjs';

const PYTHON = '/usr/bin/python3';
const BROKEN = fileURLToPath(new URL('python/broken.py', import.meta.url));
const VECTORS = fileURLToPath(new URL('js/vectors.mjs', import.meta.url));
const PATIENCE_MS = 2500; // a defect may show by a message that never comes
const AT_A_TIME = 8; // most of them wait

const ofPython = Object.entries(JSON.parse(execFileSync(PYTHON, ['-B', BROKEN, '--list']))).map(([name, { check, command }]) =>
	({ name, check, command: `${PYTHON} -B ${BROKEN} ${name}${command === 'vectors' ? '' : ' {url}'}` }));
// The client in Python shows no avatars.
const ofScript = ['files', 'hash'].map((part) => ({ name: `no-${part}`, check: `avatar-${part}`,
	command: `${process.execPath} ${VECTORS} --without ${part}` }));
const defects = [...ofPython, ...ofScript];

test('each defect fails the check that is for it', { timeout: 120000 }, async () => {
	const reasons = await performAll(defects.map(({ check, command }) => () =>
		perform(CHECKS.find(({ id }) => id === check), command, PATIENCE_MS)), AT_A_TIME);
	const results = defects.map(({ name, check }, i) => ({ name, check, reason: reasons[i] }));
	// A client that ends would fail any check; only one is about that.
	const isOther = ({ check, reason }) => check !== 'core-hostile' && reason.includes('the client ended');
	assert.deepEqual(results.filter((result) => !result.reason || isOther(result)), []);
});

test('each check that a defect can fail has a defect', () => {
	const WITHOUT = ['core-hello', 'core-join', 'play-clock']; // any client that cannot do these fails all others
	const covered = new Set(defects.map(({ check }) => check));
	assert.deepEqual(CHECKS.map(({ id }) => id).filter((id) => !covered.has(id) && !WITHOUT.includes(id)), []);
});
