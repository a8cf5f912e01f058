// Makes recordings as A-Frame's motion-capture components write them: camera and two controllers.

const hands = { left: { side: -1, roll: 90 }, right: { side: 1, roll: -90 } };

// A controller that swings in front of the body; `roll` is that of hand-controls for the left hand.
export function device(hand, { frames, roll = 90, model = () => 'OpenVR Gamepad', start = 1000 }) {
	const { side } = hands[hand];
	return {
		poses: Array.from({ length: frames }, (_, i) => ({
			position: { x: side * (0.25 + 0.1 * Math.sin(i / 9)), y: 1.1 + 0.2 * Math.sin(i / 7), z: -0.35 },
			rotation: { x: 20 * Math.sin(i / 5), y: side * 10, z: -side * roll },
			timestamp: start + 1000 * i / 90,
		})),
		events: [{ name: 'buttonchanged', detail: { id: 1, state: { pressed: true, value: 1 } }, timestamp: start }],
		gamepad: { id: model(hand), hand: '', index: side < 0 ? 0 : 1 },
	};
}

export function recording(options) {
	const { frames, ids = ['left', 'right'], start = 1000 } = options;
	return {
		camera: {
			poses: Array.from({ length: frames }, (_, i) => ({
				position: { x: 0.05 * Math.sin(i / 20), y: 1.62, z: 0.1 },
				rotation: { x: -10, y: 30 * Math.sin(i / 30), z: 0 },
				timestamp: start + 1000 * i / 90,
			})),
			events: [],
		},
		[ids[0]]: device('left', options),
		[ids[1]]: device('right', options),
	};
}
