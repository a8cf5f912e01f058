/* One rotation in six bytes: PROTOCOL.md section 4, "Smallest three". */
#ifndef JC_CODEC_ROTATION_H
#define JC_CODEC_ROTATION_H

#include <stdint.h>

#include "jointcast/types.h"

#define JC_ROTATION_BYTES 6

/* How identity packs: three zeros, the largest component being w. */
#define JC_ROTATION_REST (UINT64_C(3) << 45 | UINT64_C(16384) << 30 | 16384u << 15 | 16384u)

/* JC_ERROR_INVALID when rotation is not finite or not unit within 1e-3. */
int jc_rotation_pack(struct jc_quat rotation, uint64_t *out_packed);

/* JC_ERROR_INVALID when packed is no rotation: bit 47 set, or three components
 * that alone are longer than one. */
int jc_rotation_unpack(uint64_t packed, struct jc_quat *out_rotation);

#endif
