// Requests about invitations, and daemons that take them.
import path from 'node:path';
import { Client } from './client.mjs';
import { scratch, start, writer } from './daemon.mjs';
import { secret, token } from './token.mjs';
import { Raw, answerOf } from './websocket_bytes.mjs';

/** A state directory and a configuration with it, for several runs. */
export function world({ spaces = '', keys = '', server = '' } = {}) {
	const folder = scratch();
	const state = path.join(folder, 'state');
	const write = writer(folder);
	const key = write('key', secret);
	const text = (more = keys) => `
server { state = "${state}" ${server} }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } ${more.replaceAll('KEY', key)} }
spaces { ${spaces} }
space "attic" {}
source "walker" { uri = "demo:walk" }
`;
	const config = write('jointcastd.conf', text());
	return { folder, state, config, configure: (more) => write('jointcastd.conf', text(more)),
		start: (...options) => start('--config', config, ...options) };
}

export const mia = { sub: 'mia', roles: ['watch', 'publish', 'moderate'] };
export const wish = { space: 'lobby', role: 'watch', expires: 300, uses: 1 };

/** A request; `body` is sent as JSON, text unchanged; from another address of this machine, if that is given. */
export async function ask(daemon, method, target, { as, body, headers = {}, port = daemon.port, secure, from } = {}) {
	const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
	const lines = { Host: 'localhost', ...(as && { Authorization: `Bearer ${as}` }),
		...(body !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }), ...headers };
	const head = Object.entries(lines).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
	const raw = new Raw(port, secure, from);
	raw.send(`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${bytes}`);
	const answer = answerOf(await raw.all(30000));
	const isJson = answer.headers.get('content-type') === 'application/json';
	return { ...answer, json: isJson ? JSON.parse(answer.body) : undefined };
}

export const create = (daemon, body = {}, as = token(mia)) => ask(daemon, 'POST', '/invitations', { as, body: { ...wish, ...body } });
export const redeem = (daemon, body, rest) => ask(daemon, 'POST', '/invitations/redeem', { body, ...rest });
export const list = async (daemon, target = '/invitations', as = token(mia)) => (await ask(daemon, 'GET', target, { as })).json.invitations;
export const revoke = (daemon, id, as = token(mia)) => ask(daemon, 'DELETE', `/invitations/${id}`, { as });
export const claims = (text) => JSON.parse(Buffer.from(text.split('.')[1], 'base64url'));
export const enter = (daemon, text, ...messages) => Client.greeted(daemon, { token: text }, ...messages);

