// A VMC program whose body moves all the time.
import { bundle, message } from './osc.mjs';

const bone = (name, y) => message('/VMC/Ext/Bone/Pos', 'sfffffff', name, 0, y, 0, 0, 0, 0, 1);

const leg = [bone('LeftUpperLeg', -0.1), bone('LeftLowerLeg', -0.43), bone('LeftFoot', -0.4)];

/** Sends its motion to the port sixty times a second, until the returned function is called or the test `t` ends. */
export function stream(t, socket, port) {
	let height = 0.9;
	const timer = setInterval(() => {
		height += 0.0001;
		socket.send(bundle(message('/VMC/Ext/OK', 'i', 1), bone('Hips', height), ...leg), port, '127.0.0.1');
	}, 16);
	t.after(() => clearInterval(timer));
	return () => clearInterval(timer);
}
