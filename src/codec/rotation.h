/* One rotation as three components and an index: proto/BUNDLES.md, "Smallest three". `bits` is
 * the width of a component: 15 in packets, where a rotation takes six bytes, 16 in captures. */
#ifndef JC_CODEC_ROTATION_H
#define JC_CODEC_ROTATION_H

#include <stdint.h>

#include "jointcast/types.h"

#define JC_ROTATION_BITS  15
#define JC_ROTATION_BYTES 6

/* How identity packs: three zeros, the largest component being w. */
#define JC_ROTATION_REST(bits)                                                                     \
	(UINT64_C(3) << 3 * (bits) | UINT64_C(1) << (3 * (bits)-1) |                               \
		UINT64_C(1) << (2 * (bits)-1) | UINT64_C(1) << ((bits)-1))

/* JC_ERROR_INVALID when rotation is not finite or not unit within 1e-3. */
int jc_rotation_pack(struct jc_quat rotation, unsigned bits, uint64_t *out_packed);

/* JC_ERROR_INVALID when packed is no rotation: a bit set above the index, or three
 * components that alone are longer than one. */
int jc_rotation_unpack(uint64_t packed, unsigned bits, struct jc_quat *out_rotation);

#endif
