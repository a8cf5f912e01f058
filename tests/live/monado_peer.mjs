// The other end of Monado's remote driver (its r_interface.h, struct r_remote_data):
// a headset and two controllers whose hands are tracked, little-endian over TCP.
import net from 'node:net';

const PORT = 4242;
/** Header, two views, the head, two controllers. */
const BYTES = 8 + 2 * 48 + 32 + 2 * 120;
/** Fields of a view or controller before its pose, and where its booleans begin. */
const VIEW_BYTES = 48;
const CONTROLLER_BYTES = 120;
const CONTROLLER_FLAGS = 104;

const put = (bytes, at, values) => values.forEach((value, i) => bytes.writeFloatLE(value, at + 4 * i));

/** @param device {{position: number[], orientation: number[], curl?: number}} absent: switched off */
function writeController(bytes, at, device) {
	if (!device)
		return;
	const { position, orientation, curl = 0 } = device;
	put(bytes, at, orientation);
	put(bytes, at + 16, position);
	// Velocities stay 0; then the five fingers.
	put(bytes, at + 52, Array(5).fill(curl));
	bytes[at + CONTROLLER_FLAGS] = 1; // its hand is tracked
	bytes[at + CONTROLLER_FLAGS + 1] = 1; // it is there
}

function packet({ head, left, right }) {
	const bytes = Buffer.alloc(BYTES);
	bytes.write('mndrmt3\0', 0, 'latin1');
	for (let view = 0; view < 2; view++) {
		put(bytes, 8 + view * VIEW_BYTES, [-0.8, 0.8, 0.8, -0.8]);
		put(bytes, 8 + view * VIEW_BYTES + 16, [0, 0, 0, 1]);
	}
	put(bytes, 104, head.orientation);
	put(bytes, 120, head.position);
	writeController(bytes, 136, left);
	writeController(bytes, 136 + CONTROLLER_BYTES, right);
	return bytes;
}

/** Sends the result of pose(seconds) at a rate, until it is stopped. */
export async function feed(pose, hz = 90) {
	const socket = await new Promise((resolve, reject) => {
		const attempt = net.connect(PORT, '127.0.0.1', () => resolve(attempt));
		attempt.on('error', reject);
	});
	socket.setNoDelay(true);
	socket.on('error', () => {});
	socket.resume();
	const timer = setInterval(() => socket.write(packet(pose(performance.now() / 1000))), 1000 / hz);
	return () => {
		clearInterval(timer);
		socket.destroy();
	};
}
