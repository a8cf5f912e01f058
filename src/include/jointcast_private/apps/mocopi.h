/* The UDP packets of Sony's mocopi app ("sony motion format"). The format has no official document.
 * Sources: seagetch/mcp-receiver, doc/Protocol.md (fields), t-34400/mocopi_protocol_supplement
 * (`uttm`, axes, two real packets), Sony's technical page of mocopi (names and order of the 27
 * joints).
 *
 * A packet is a list of fields: uint32 length of the value, four letters, the value; all numbers
 * are little-endian. A value is a number or again a list: head  ftyp "sony motion format", vrsn
 * uint8 1 sndf  ipad uint64, rcvp uint16                        of the sender; not read skdf  bons:
 * bndt { bnid uint16, pbid uint16 (0xffff: none), tran }       the figure at rest fram  fnum
 * uint32, time float32, uttm float64 (since 2023-12), btrs: btdt { bnid, tran } tran: rotation x,
 * y, z, w, then position x, y, z in metres, both relative to the parent joint. */
#ifndef JC_PRIVATE_MOCOPI_H
#define JC_PRIVATE_MOCOPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "jointcast/types.h"

#define JC_MOCOPI_JOINTS       27
#define JC_MOCOPI_PACKET_BYTES 4096u /* maximum; the app sends 1821 */

enum jc_mocopi_kind {
	JC_MOCOPI_SKELETON, /* skdf */
	JC_MOCOPI_FRAME,    /* fram */
};

struct jc_mocopi_joint {
	int parent; /* smaller index, or -1; of a skeleton only */
	struct jc_quat rotation;
	struct jc_vec3 position; /* metres */
};

struct jc_mocopi_packet {
	enum jc_mocopi_kind kind;
	uint32_t number; /* of a frame */
	int64_t sent_ns; /* of a frame, since any time; INT64_MIN: unknown */
	struct jc_mocopi_joint joints[JC_MOCOPI_JOINTS];
};

/* Reads one packet. Fields of unknown names are skipped. Everything that is read is finite, has
 * rotations of length 1, positions within JC_LIMIT_JOINT_DISTANCE, and all joints once. Returns
 * JC_OK, JC_ERROR_TRUNCATED, JC_ERROR_SYNTAX, JC_ERROR_LIMIT, JC_ERROR_INVALID, or
 * JC_ERROR_UNSUPPORTED for another format or version. */
int jc_mocopi_read(const void *bytes, size_t length, struct jc_mocopi_packet *out_packet,
	struct jc_diagnostic *diagnostic);

#endif
