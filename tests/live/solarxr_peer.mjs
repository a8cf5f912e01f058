// A server of the SolarXR protocol that sends bones, as SlimeVR does: flatbuffers behind their
// length on a Unix socket. Tables and fields: schema/all.fbs, data_feed/data_feed.fbs and
// data_feed/bone.fbs of github.com/SlimeVR/SolarXR-Protocol; layout: flatbuffers.dev/internals.
import net from 'node:net';

const UPDATE_HZ = 90;
/** Member of the union DataFeedMessage. */
const DATA_FEED_UPDATE = 3;
/** enum BodyPart, up to the fingers; the middle two are not used any more. */
const PARTS = ['NONE', 'HEAD', 'NECK', 'CHEST', 'WAIST', 'HIP', 'LEFT_UPPER_LEG', 'RIGHT_UPPER_LEG',
	'LEFT_LOWER_LEG', 'RIGHT_LOWER_LEG', 'LEFT_FOOT', 'RIGHT_FOOT', null, null, 'LEFT_LOWER_ARM',
	'RIGHT_LOWER_ARM', 'LEFT_UPPER_ARM', 'RIGHT_UPPER_ARM', 'LEFT_HAND', 'RIGHT_HAND',
	'LEFT_SHOULDER', 'RIGHT_SHOULDER', 'UPPER_CHEST', 'LEFT_HIP', 'RIGHT_HIP'];

/** Writes a flatbuffer from its start, so that references lead forward. */
class Flatbuffer {
	bytes = Buffer.alloc(8192);
	size = 0;

	take(count) {
		const at = this.size;
		this.size += Math.ceil(count / 4) * 4;
		return at;
	}

	/** Lets the reference at a place lead to another. */
	point(from, to) {
		this.bytes.writeUInt32LE(to - from, from);
	}

	floats(at, ...values) {
		values.forEach((value, i) => this.bytes.writeFloatLE(value, at + 4 * i));
	}

	/** Begins a table of fields with these sizes, 0 for an absent one. */
	table(...sizes) {
		const vtable = this.take(4 + 2 * sizes.length);
		const at = this.take(4 + sizes.reduce((sum, size) => sum + Math.ceil(size / 4) * 4, 0));
		let next = at + 4;
		const fields = sizes.map((size, i) => {
			const field = next;
			next += Math.ceil(size / 4) * 4;
			this.bytes.writeUInt16LE(size ? field - at : 0, vtable + 4 + 2 * i);
			return field;
		});
		this.bytes.writeUInt16LE(4 + 2 * sizes.length, vtable);
		this.bytes.writeUInt16LE(next - at, vtable + 2);
		this.bytes.writeInt32LE(at - vtable, at);
		return { at, fields };
	}

	/** Begins a vector of references. */
	vector(count) {
		const at = this.take(4 + 4 * count);
		this.bytes.writeUInt32LE(count, at);
		return { at, items: Array.from({ length: count }, (_, i) => at + 4 + 4 * i) };
	}
}

function writeBone(buffer, [name, { rotation, length, place }]) {
	const { at, fields } = buffer.table(1, 16, 4, 12);
	buffer.bytes[fields[0]] = PARTS.indexOf(name);
	buffer.floats(fields[1], ...rotation);
	buffer.floats(fields[2], length);
	buffer.floats(fields[3], ...place);
	return at;
}

/** A MessageBundle with one DataFeedUpdate of bones, behind its length. */
function bundle(bones) {
	const buffer = new Flatbuffer();
	const root = buffer.take(4);
	const whole = buffer.table(4);
	const messages = buffer.vector(1);
	const header = buffer.table(1, 4);
	const update = buffer.table(0, 0, 4);
	const entries = Object.entries(bones);
	const vector = buffer.vector(entries.length);
	buffer.point(root, whole.at);
	buffer.point(whole.fields[0], messages.at);
	buffer.point(messages.items[0], header.at);
	buffer.bytes[header.fields[0]] = DATA_FEED_UPDATE;
	buffer.point(header.fields[1], update.at);
	buffer.point(update.fields[2], vector.at);
	entries.forEach((bone, i) => buffer.point(vector.items[i], writeBone(buffer, bone)));
	const length = Buffer.alloc(4);
	length.writeUInt32LE(4 + buffer.size);
	return Buffer.concat([length, buffer.bytes.subarray(0, buffer.size)]);
}

/**
 * Listens at a path and sends bones to each client from its first message on: a runtime asks for
 * bones as soon as it is connected.
 *
 * @param {string} path
 * @param {() => object} bones by name, as bonesOf in tests/openxr/slimevr.mjs returns them
 * @returns {Promise<{clients: () => number, stop: () => void}>} the number of clients so far
 */
export async function serveBones(path, bones) {
	let clients = 0;
	const sockets = new Set();
	const server = net.createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {}).once('data', () => {
			clients++;
			const timer = setInterval(() => socket.write(bundle(bones())), 1000 / UPDATE_HZ);
			socket.on('close', () => clearInterval(timer));
		}).resume();
	});
	await new Promise((resolve, reject) => server.on('error', reject).listen(path, resolve));
	return { clients: () => clients,
		stop: () => {
			server.close();
			sockets.forEach((socket) => socket.destroy());
		} };
}
