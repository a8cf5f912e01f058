// Writes the corpus of fuzz_session: conversations of an origin (H, with keys K) and of an edge (L).
//
// usage: make_session_corpus.mjs FOLDER

import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
const json = JSON.stringify;
const write = (name, end, ...lines) => writeFileSync(path.join(folder, name), Buffer.concat(
	[Buffer.from(end), ...lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])]));

const base64 = (value) => Buffer.from(value).toString('base64url');
const signed = `${base64(json({ alg: 'HS256', kid: 'k', typ: 'JWT' }))}.${base64(json({ aud: 'jointcast',
	exp: 1900000000, sub: 'mia', roles: ['watch', 'publish', 'record', 'moderate', 'administer'], spaces: '*', bodies: '*' }))}`;
const token = `${signed}.${createHmac('sha256', 'an uninteresting secret of 32 B.').update(signed).digest('base64url')}`;

const arm = Buffer.from('21034100000000000000800000000000000000200020 00e0ffbf'.replaceAll(' ', ''), 'hex');
const open = json({ address: '192.0.2.7', localPage: false });
const publish = { type: 'publish', space: 'lobby', publication: 3, name: 'Ada', kind: 'poses' };
// A message to an origin: kind, space and edge (0: lobby, 1: hall; 2 and 3: of another edge), number, sequence.
const say = (message, session = 0) => `20${session}+${json(message)}`;
const capture = Buffer.concat([Buffer.from('300+'), arm]);
const begin = ['100+' + open, say({ type: 'hello' }), say(publish)];

write('publish', 'H', ...begin, capture, '.1', say({ type: 'consent', publication: 3, mayRecord: true, request: 1 }),
	say({ type: 'amend', publication: 3, display: 'A' }), say({ type: 'place', space: 'lobby', body: 1, position: [1, 0, 1], yaw: 0 }),
	say({ type: 'unpublish', publication: 3 }), '400+\xe9\x03', '.2');
write('counts', 'H', ...begin, 'c00+', '.2', 'c20+', 'c10+', 'c009', '.2', 'c00+', '6000\x01');
write('unknown', 'H', ...begin, '.2', '100+' + open, 'c01+', '.2', '.3', '60000');
write('silent', 'H', ...begin, '60000', '.7', '.7');
write('gap', 'H', ...begin, '2009{}', say({ type: 'ping', t: 1 }), '.2');
write('forged', 'H', ...begin, '4202', '22036', '1200' + open, '4102', '=\x01\x01', '50001', '70001', '.2');
write('invalid', 'H', '1000{', '1011' + open, '1020' + json({ address: 'local', localPage: true }),
	'1230' + json({ address: '2001:db8::1', localPage: true }), '1040' + json({ address: 'x', localPage: 0 }));
write('moderate', 'K', ...begin.slice(0, 1), say({ type: 'hello', token }), say(publish), '60000',
	say({ type: 'moderate', space: 'lobby', action: 'ban', subject: 'ada', reason: 'r' }),
	say({ type: 'moderate', space: 'lobby', action: 'kick', address: '192.0.2.9' }), say({ type: 'record', space: 'lobby', action: 'status' }),
	say({ type: 'join', space: 'lobby' }), say({ type: 'replay', space: 'lobby', action: 'rewind' }), '.3');
write('refused', 'K', ...begin.slice(0, 1), say({ type: 'hello', token: token.slice(1) }), say(publish), capture, '.2');

// At an edge: the client speaks, the origin answers.
const client = (message) => `>${json(message)}`;
const answer = (message, session = 0) => `20${session}+${json(message)}`;
const published = answer({ type: 'published', publication: 3, space: 'lobby', body: 7, name: 'Ada' });
const start = [client({ type: 'hello', codings: [1, 2] }), client(publish), '500+'];
const sent = Buffer.concat([Buffer.from('#'), arm]);
// The field `request` of messages of the edge itself begins with this, with the key of fuzz_session.
const own = 'jc2e2b7b0004348291';

write('edge', 'L', ...start, answer({ type: 'welcome', request: `${own}h0` }), published, sent,
	client({ type: 'amend', publication: 3, display: 'A' }), answer({ type: 'amended', publication: 3, body: 8 }),
	client({ type: 'consent', publication: 3 }), answer({ type: 'consented', publication: 3, mayRecord: false, mayRebroadcast: false }),
	client({ type: 'place', space: 'lobby', body: 8, position: [1, 0, 1], yaw: 0 }), '6000',
	client({ type: 'token', token: 'x' }), client({ type: 'unpublish', publication: 3, request: 5 }),
	answer({ type: 'unpublished', publication: 3, request: 5 }));
write('edge_again', 'L', ...start, published, '.7', '.7', client({ type: 'consent', publication: 3 }),
	client({ type: 'amend', publication: 3, meta: { a: 1 } }), client({ type: 'place', space: 'lobby', body: 7, position: [1, 0, 1], yaw: 0 }),
	'.7', '501+', answer({ type: 'published', publication: 3, space: 'lobby', body: 9, name: 'Ada', request: `${own}p3` }, 1), sent);
write('edge_refused', 'L', ...start, answer({ type: 'error', code: 'banned', message: 'm', ref: 'publish' }),
	client(publish), published, '.7', '.7', '.7', '501+',
	answer({ type: 'error', code: 'banned', message: 'm', ref: 'publish', request: `${own}p3` }, 1));
write('edge_skeleton', 'L', start[0], client({ type: 'skeleton', name: 'm', descriptor: { name: 'f',
	nodes: [{ name: 'h', translation: [0, 2, 0] }], bones: { hips: 0 } } }), '.1', client(publish), '500+',
	answer({ type: 'registered', request: `${own}s0` }));
write('edge_removed', 'L', start[0], client({ type: 'join', space: 'lobby' }), client(publish), '500+', published,
	answer({ type: 'moderated', space: 'lobby', action: 'kick' }));
write('edge_closed', 'L', ...start, published, '4000\xf0\x03no', '.1');
write('edge_refused_amend', 'L', ...start, published, client({ type: 'amend', publication: 3, display: 'A' }),
	client({ type: 'amend', publication: 3, avatar: 'x', request: 1 }), answer({ type: 'error', code: 'unknown-avatar', message: 'm', ref: 'amend', request: 1 }),
	answer({ type: 'error', code: 'bad-field', message: 'm', ref: 'amend' }), answer({ type: 'amended', publication: 3, body: 8 }), '.7', '.7');
write('edge_counts', 'L', ...start, published, 'c00+', '.2', 'c009', '.7', '501+', 'c01+');
write('edge_gap', 'L', ...start, '2009{}', '.7', '=\x02', '2000[', '.2');
