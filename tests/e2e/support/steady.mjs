// Tells packets of a motion that arrived in time from those after a pause of a busy machine.

import { BONES } from '../../../clients/js/index.js';

/** src/include/jointcast_private/continuity.h: JC_CONTINUITY_BLEND_NS, and a little; microseconds. */
const EASED = 350000;
const SAME = 500; // sent again, its age rounded another way
const HEAD = BONES.indexOf('head');
const ESTIMATED = 1;

/** Whether the daemon holds the body: its newest pose is old, so that tracked bones are estimated. */
export const isHeld = ({ states }) => states[HEAD] === ESTIMATED;

/**
 * Packets { time, isHeld } without those that were not captured a frame after the one before, and
 * those after a packet that the daemon held: the machine stood still then, and the body is eased in after.
 *
 * @param {number} frame microseconds between two packets
 */
export function steady(packets, frame) {
	let easedUntil = 0;
	return packets.filter(({ time }, i) => {
		const step = i > 0 ? time - packets[i - 1].time : frame;
		if (packets[i - 1]?.isHeld || (step >= SAME && (step < frame / 2 || step > 2.5 * frame)))
			easedUntil = time + EASED;
		return time > easedUntil;
	});
}
