// Makes the corpus of fuzz_http: requests for every path on every kind of listener, and what is
// wrong in one way each. Usage: node make_http_corpus.mjs
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { guestKey, sign } from '../../e2e/support/token.mjs';

const folder = new URL('../fuzz_http.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

// As in fuzz_http.c.
const [PLAIN, TLS, PROXY, ADMIN, KEYS, FORWARDED, CHOKED, LATE, NO_ROOT] = [0, 1, 2, 3, 4, 8, 16, 32, 64];
const SECRET = '0123456789abcdef0123456789abcdef';

function write(name, text, switches = PLAIN, cut = 255) {
	writeFileSync(new URL(name, folder), Buffer.concat([Buffer.of(switches, cut), Buffer.from(text, 'latin1')]));
}
const request = (target, { method = 'GET', host = 'localhost', headers = [], body = '', version = '1.1' } = {}) =>
	`${[`${method} ${target} HTTP/${version}`, ...(host ? [`Host: ${host}`] : []), ...headers].join('\r\n')}\r\n\r\n${body}`;

const token = (claims) => `Authorization: Bearer ${sign({ alg: 'HS256', kid: 'h' },
	{ sub: 'ada', aud: 'jointcast', exp: 4102444800, ...claims }, SECRET)}`;

// Where targets lead.
const targets = { root: '/', index: '/index.html', query: '/?a=b', fragment: '/#x', space: '/lib/a%20b.js', case: '/lib/empty.GLB', large: '/large',
	folder: '/lib', 'folder-slash': '/lib/', up: '/../outside.txt', 'up-escaped': '/%2e%2E/outside.txt', 'slash-escaped': '/..%2foutside.txt',
	'up-and-down': '/lib/../index.html', 'beside': '/../web-beside/', link: '/link.txt', 'link-up': '/up/outside.txt', hidden: '/.hidden',
	'hidden-folder': '/.git/config', 'hidden-escaped': '/%2egit/config', nul: '/index.html%00.js', 'cut-escape': '/%2', 'no-escape': '/%zz',
	'newline': '/a%0d%0aX:%20y', double: '//', 'double-up': '//..//outside.txt', 'device': '/../../../../dev/null', backslash: '/..\\outside.txt',
	twice: '/%252e%252e/outside.txt', long: `/${'a'.repeat(4200)}`, 'long-escaped': `/${'%61'.repeat(2000)}`, absolute: 'http://localhost/',
	asterisk: '*', nothing: '', relative: 'index.html', status: '/status', metrics: '/metrics', ready: '/readyz', health: '/healthz',
	'health-below': '/healthz/x', 'health-query': '/healthz?x', skeletons: '/skeletons', 'no-skeleton': '/skeletons/x', 'utf8': '/\xc3\xa4' };
for (const [name, target] of Object.entries(targets)) {
	write(`get-${name}`, request(target));
	if (/^\/(\w+z|status|metrics)?$/.test(target)) {
		write(`admin-${name}`, request(target), ADMIN);
		write(`proxy-${name}`, request(target), PROXY);
	}
}
write('head', request('/large', { method: 'HEAD' }));
write('head-none', request('/none', { method: 'HEAD' }));
write('choked', request('/large'), CHOKED);
write('choked-late', request('/large'), CHOKED | LATE);
write('no-root', request('/'), NO_ROOT);
write('in-two', request('/healthz'), PLAIN, 100);
write('late', 'GET / HTTP/1.1\r\n', LATE);
write('late-silent', '', LATE);
write('not-tls', request('/'), TLS);
write('known', request('/', { headers: ['If-None-Match: "x"'] }));
for (const [name, accept] of Object.entries({ gzip: 'br, GZIP', 'no-gzip': 'gzip;q=0' }))
	write(name, request('/lib/empty.GLB', { headers: [`Accept-Encoding: ${accept}`] }));
write('version-1.0', request('/', { version: '1.0', host: '' }));
write('version-2', request('/', { version: '2.0' }));
write('post', request('/', { method: 'POST' }));
write('delete-root', request('/', { method: 'DELETE' }));
write('put-status', request('/status', { method: 'PUT', headers: ['Content-Length: 0'] }));
write('other-host', request('/', { host: 'evil.example' }));
write('our-host', request('/', { host: 'room.example:443' }), PROXY);
write('status-of-host', request('/status', { host: 'room.example' }));
write('no-host', request('/', { host: '' }));
write('many-headers', request('/', { headers: Array.from({ length: 70 }, (_, i) => `X-${i}: y`) }));
write('long-head', request('/', { headers: [`X: ${'y'.repeat(9000)}`] }));
write('folded', request('/', { headers: ['X: a', ' b'] }));
write('no-request', 'hello\r\n\r\n');
write('chunked', request('/skeletons/x', { method: 'PUT', headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' }));
const upgrade = ['Upgrade: websocket', 'Connection: keep-alive, Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
	'Sec-WebSocket-Protocol: other, jointcast.v1'];
write('websocket', request('/', { headers: upgrade }));
write('websocket-late', request('/', { headers: upgrade }), LATE);
write('websocket-origin', request('/', { headers: [...upgrade, 'Origin: https://world.example'] }));
write('websocket-other-origin', request('/', { headers: [...upgrade, 'Origin: https://evil.example'] }));
write('websocket-admin', request('/', { headers: upgrade }), ADMIN);
write('websocket-hasty', request('/', { headers: upgrade, body: 'x' }));
write('websocket-version', request('/', { headers: upgrade.with(2, 'Sec-WebSocket-Version: 12') }));
write('websocket-key', request('/', { headers: upgrade.with(3, 'Sec-WebSocket-Key: x') }));
write('websocket-protocol', request('/', { headers: upgrade.slice(0, 4) }));

// Addresses in X-Forwarded-For.
for (const [i, value] of ['192.0.2.1', '10.0.0.1, 192.0.2.1', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:80', '192.0.2.1:80', '::ffff:192.0.2.1',
	'', 'unknown', '_hidden', '192.0.2.1,', ',', '192.0.2.256', '[', ']', '[]', ':', '::', '1', 'x'.repeat(200), '192.0.2.1 ', '"192.0.2.1"'].entries()) {
	write(`forwarded-${i}`, request('/healthz', { headers: [`X-Forwarded-For: ${value}`] }), PROXY | FORWARDED);
	if (i < 3)
		write(`forwarded-unbelieved-${i}`, request('/healthz', { headers: [`X-Forwarded-For: ${value}`] }), i);
}
write('forwarded-twice', request('/', { headers: ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: 192.0.2.2'] }), PROXY | FORWARDED);
write('forwarded-none', request('/healthz'), PROXY | FORWARDED);
write('forwarded-status', request('/status', { headers: ['X-Forwarded-For: 127.0.0.1'] }), PROXY | FORWARDED);
for (const mark of ['Forwarded: for=192.0.2.1', 'Via: 1.1 x', 'X-Real-IP: 192.0.2.1'])
	write(`mark-${mark.split(':')[0]}`, request('/status', { headers: [mark] }));

// Skeletons.
const limbs = [['hips', -1, 1], ['spine', 0, 0.2], ['head', 1, 0.4], ['leftUpperArm', 1, 0.3], ['leftLowerArm', 3, 0.3], ['leftHand', 4, 0.3],
	['rightUpperArm', 1, 0.3], ['rightLowerArm', 6, 0.3], ['rightHand', 7, 0.3], ['leftUpperLeg', 0, -0.1], ['leftLowerLeg', 9, -0.4],
	['leftFoot', 10, -0.4], ['rightUpperLeg', 0, -0.1], ['rightLowerLeg', 12, -0.4], ['rightFoot', 13, -0.4]];
const side = (name) => (name.startsWith('left') ? 1 : name.startsWith('right') ? -1 : 0);
const figure = JSON.stringify({ nodes: limbs.map(([name, parent, length]) => ({ name, parent,
	translation: name.match(/Arm|Hand/) ? [side(name) * length, 0, 0] : [name.includes('UpperLeg') ? 0.1 * side(name) : 0, length, 0] })),
bones: Object.fromEntries(limbs.map(([name], i) => [name, i])) });
const put = (target, body, headers = []) => request(target, { method: 'PUT', body, headers: [`Content-Length: ${body.length}`, ...headers] });
write('put', put('/skeletons/ada', figure));
write('put-escaped', put('/skeletons/%c3%84%20b', figure));
write('put-index', put('/skeletons/ada?index=1', figure));
write('put-in-two', put('/skeletons/ada', figure), PLAIN, 128);
write('put-late', put('/skeletons/ada', figure).slice(0, -9), LATE);
write('put-expect', put('/skeletons/ada', figure, ['Expect: 100-continue']), PLAIN, 17);
write('put-too-much', `${put('/skeletons/ada', '{}')}{}`);
write('put-nothing', put('/skeletons/ada', ''));
write('put-bad', put('/skeletons/ada', '{"nodes":[]}'));
write('put-no-length', request('/skeletons/ada', { method: 'PUT' }));
write('put-large', request('/skeletons/ada', { method: 'PUT', headers: ['Content-Length: 99999999999'] }));
write('put-wrong-length', request('/skeletons/ada', { method: 'PUT', headers: ['Content-Length: -1'] }));
write('put-list', put('/skeletons', figure));
for (const [i, name] of ['', '%00', 'a/b', 'a%2fb', '%ff', '%0a', '%', '%4', 'x'.repeat(64), 'a?index=', 'a?index=x', 'a?index=12345678', 'a?x=1',
	'%e2%80%ae'].entries())
	write(`put-name-${i}`, put(`/skeletons/${name}`, figure));
write('delete', request('/skeletons/ada', { method: 'DELETE' }));
write('get-list-keys', request('/skeletons', { headers: [token({})] }), KEYS);
write('put-keys', put('/skeletons/ada', figure, [token({ roles: ['publish'] })]), KEYS);
write('delete-keys', request('/skeletons/ada', { method: 'DELETE', headers: [token({ roles: ['publish'] })] }), KEYS);
write('no-token', request('/skeletons'), KEYS);
write('no-bearer', request('/skeletons', { headers: ['Authorization: Basic eDp5'] }), KEYS);
write('short-bearer', request('/skeletons', { headers: ['Authorization: Bearer'] }), KEYS);
write('bad-token', request('/skeletons', { headers: ['Authorization: Bearer a.b.c'] }), KEYS);
write('old-token', request('/skeletons', { headers: [token({ exp: 1 })] }), KEYS);
write('token-without-role', request('/skeletons', { headers: [token({ roles: ['record'] })] }), KEYS);

// Avatars.
const hash = 'f'.repeat(64);
for (const [i, target] of [hash, '', 'x', hash.slice(1), `${hash}f`, hash.toUpperCase(), `${hash}?x`, `${hash}/..`, `..%2f${hash}`, `${hash}%00`].entries())
	write(`avatar-${i}`, request(`/avatars/${target}`));
write('avatar-head', request(`/avatars/${hash}`, { method: 'HEAD' }));
write('avatar-known', request(`/avatars/${hash}`, { headers: [`If-None-Match: "${hash}"`] }));
write('avatar-keys', request(`/avatars/${hash}`), KEYS);
write('avatar-bad-token', request(`/avatars/${hash}`, { headers: ['Authorization: Bearer a.b.c'] }), KEYS);
for (const origin of ['https://world.example', 'http://localhost:5173', 'https://evil.example', 'null']) {
	const name = origin.replace(/\W+/g, '-');
	write(`avatar-page-${name}`, request(`/avatars/${hash}`, { headers: [`Origin: ${origin}`] }));
	write(`avatar-preflight-${name}`, request(`/avatars/${hash}`, { method: 'OPTIONS', headers: [`Origin: ${origin}`, 'Access-Control-Request-Method: GET'] }));
}
write('preflight-elsewhere', request('/skeletons', { method: 'OPTIONS', headers: ['Origin: https://world.example'] }));
for (const [i, options] of ['', '?', '?rights=author&licence=x', '?rights=mine&licence=x', '?licence=%c3%a4+b&rights=public&index=2', '?rights=author&rights=author',
	'?licence=%', '?index=1234567', '?=&&=', `?licence=${'x'.repeat(64)}`].entries())
	write(`avatar-put-${i}`, put(`/avatars${options}`, 'glTF'));
write('avatar-list', request('/avatars'));
write('avatar-list-keys', request('/avatars', { headers: [token({ roles: ['publish'] })] }), KEYS);
write('avatar-delete', request(`/avatars/${hash}`, { method: 'DELETE' }));
write('avatar-delete-keys', request(`/avatars/${hash}`, { method: 'DELETE', headers: [token({ roles: ['administer'], spaces: '*' })] }), KEYS);

// The avatar and the invitation of support/state.c.
const vrm = (name) => JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm'], scene: 0, scenes: [{ nodes: [0] }],
	nodes: [{ name, translation: [0, 1, 0] }], extensions: { VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 } } },
		meta: { avatarPermission: 'everyone', allowRedistribution: true } } } });
const known = createHash('sha256').update(vrm('h')).digest('hex');
const publisher = token({ roles: ['publish'] });
write('own-avatar', request(`/avatars/${known}`));
write('own-avatar-keys', request(`/avatars/${known}`, { headers: [publisher] }), KEYS);
write('own-avatar-head', request(`/avatars/${known}`, { method: 'HEAD' }));
write('own-avatar-known', request(`/avatars/${known}`, { headers: [`If-None-Match: "${known}"`] }));
write('own-avatar-page', request(`/avatars/${known}`, { headers: ['Origin: https://world.example'] }));
write('own-avatar-of-nobody', request(`/avatars/${known}`), KEYS);
write('own-avatar-delete', request(`/avatars/${known}`, { method: 'DELETE' }));
write('own-avatar-delete-keys', request(`/avatars/${known}`, { method: 'DELETE', headers: [publisher] }), KEYS);
write('own-avatar-delete-all', request(`/avatars/${known}`, { method: 'DELETE', headers: [token({ roles: ['administer'], spaces: '*' })] }), KEYS);
write('own-avatar-again', put('/avatars?rights=public&licence=CC0-1.0', vrm('h')));
write('own-avatar-renew', put('/avatars?rights=author&licence=x', vrm('h')));
write('own-avatar-other', put('/avatars?rights=licensed&licence=x', vrm('x')));
write('own-avatar-other-late', put('/avatars?rights=licensed&licence=x', vrm('x')), LATE);
write('own-avatar-other-keys', put('/avatars?rights=public&licence=x', vrm('x'), [publisher]), KEYS);
write('own-avatar-of-eve', put('/avatars?rights=public&licence=x', vrm('h'), [token({ sub: 'eve', roles: ['publish'] })]), KEYS);
write('own-avatar-index', put('/avatars?rights=public&licence=x&index=1', vrm('h')));

const post = (target, body, headers = [], switches = KEYS) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return [request(target, { method: 'POST', body: text, headers: [`Content-Length: ${text.length}`, ...headers] }), switches];
};
const moderator = token({ roles: ['watch', 'publish', 'moderate'], spaces: '*', bodies: '*' });
const [id, secret] = ['5f1c9a7e03b2d846', 'q2oT0v9b1xkZr8mYt4WcUA'];
const wish = { space: 'lobby', role: 'watch', expires: 300 };
// ECDSA is random: this entry differs each time.
const guest = `Authorization: Bearer ${sign({ alg: 'ES256', kid: 'invite' }, { sub: 'guest-x', aud: 'jointcast', exp: 4102444800, spaces: ['lobby'],
	roles: ['watch', 'publish'], bodies: '*', inv: id }, guestKey('fedcba9876543210fedcba9876543210'), 'ES256')}`;
for (const [i, change] of [{}, { role: 'publish', uses: 1000, note: 'for Ada' }, { pair: true }, { pair: true, uses: 2 }, { space: 'none' }, { role: 'moderate' },
	{ expires: 0 }, { uses: 1001 }, { note: '\n' }, { space: 7 }, { x: [] }].entries())
	write(`invitation-${i}`, ...post('/invitations', { ...wish, ...change }, [moderator]));
write('invitation-no-keys', ...post('/invitations', wish, [], PLAIN));
write('invitation-no-token', ...post('/invitations', wish));
write('invitation-of-guest', ...post('/invitations', wish, [guest]));
write('invitation-no-right', ...post('/invitations', wish, [publisher]));
write('invitation-late', ...post('/invitations', wish, [moderator], KEYS | LATE));
write('invitation-text', ...post('/invitations', '{"space"', [moderator]));
write('invitation-nothing', ...post('/invitations', '', [moderator]));
write('invitation-large', ...post('/invitations', ' '.repeat(4097), [moderator]));
write('invitation-page', ...post('/invitations', wish, [moderator, 'Origin: https://world.example']));
write('invitation-admin', ...post('/invitations', wish, [moderator], KEYS | ADMIN));
write('invitation-proxy', ...post('/invitations', wish, [moderator, 'X-Forwarded-For: 192.0.2.1'], KEYS | PROXY | FORWARDED));
for (const [i, query] of ['', '?space=lobby', '?space=none', '?space=', '?space', '?space=lob%62y', '?x=y', '?space=lobby&x'].entries())
	write(`invitations-${i}`, request(`/invitations${query}`, { headers: [moderator] }), KEYS);
write('invitations-of-guest', request('/invitations', { headers: [guest] }), KEYS);
for (const [i, name] of [id, id.slice(1), `${id}0`, id.toUpperCase(), '', 'x/y', '%35f1c9a7e03b2d846'].entries())
	write(`revoke-${i}`, request(`/invitations/${name}`, { method: 'DELETE', headers: [moderator] }), KEYS);
write('revoke-of-guest', request(`/invitations/${id}`, { method: 'DELETE', headers: [guest] }), KEYS);
write('revoke-late', request(`/invitations/${id}`, { method: 'DELETE', headers: [moderator] }), KEYS | LATE);
for (const [i, body] of [{ invitation: secret }, { invitation: secret.toLowerCase() }, { invitation: '' }, { code: '00-0000-0000' }, { code: 'oO il' },
	{ invitation: secret, code: 'x' }, {}, [], { invitation: 'x'.repeat(200) }, { invitation: 7 }, { code: '\u0000' }].entries())
	write(`redeem-${i}`, ...post('/invitations/redeem', body));
write('redeem-no-keys', ...post('/invitations/redeem', { invitation: secret }, [], PLAIN));
write('redeem-late', ...post('/invitations/redeem', { invitation: secret }, [], KEYS | LATE));
write('redeem-plain', ...post('/invitations/redeem', { invitation: secret }, ['X-Forwarded-Proto: http', 'X-Forwarded-For: 192.0.2.1'], KEYS | PROXY | FORWARDED));
write('redeem-proxy', ...post('/invitations/redeem', { invitation: secret }, ['X-Forwarded-Proto: https', 'X-Forwarded-For: 192.0.2.1'], KEYS | PROXY | FORWARDED));
write('redeem-evil-page', ...post('/invitations/redeem', { invitation: secret }, ['Origin: https://evil.example']));
write('redeem-get', request('/invitations/redeem', { headers: [moderator] }), KEYS);

// Motions that a client sends.
const motion = ['HIERARCHY', 'ROOT Hips', '{', 'OFFSET 0 1 0', 'CHANNELS 3 Zrotation Xrotation Yrotation', 'JOINT Spine', '{',
	'OFFSET 0 0.1 0', 'CHANNELS 3 Zrotation Xrotation Yrotation', 'End Site', '{', 'OFFSET 0 0.5 0', '}', '}', '}', 'MOTION', 'Frames: 2',
	'Frame Time: 0.1', '0 0 0 0 0 0', '0 0 9 0 0 9', ''].join('\n');
write('motion', put('/motions/lobby?name=a%20b.bvh', motion));
write('motion-late', put('/motions/lobby', motion), LATE);
write('motion-keys', put('/motions/lobby', motion, [token({ roles: ['watch', 'record'], spaces: ['lobby'] })]), KEYS);
write('motion-no-token', put('/motions/lobby', motion), KEYS);
write('motion-empty', put('/motions/lobby', ''));
write('motion-text', put('/motions/lobby', 'no motion'));
write('motion-no-space', put('/motions/none', motion));
write('motion-escaped', put('/motions/lob%62y?name=%ff', motion));
write('motion-query', put('/motions/lobby?x=y', motion));
write('avatar-page-no-host', request(`/avatars/${hash}`, { host: '', headers: ['Origin: http://localhost:5173'] }));
