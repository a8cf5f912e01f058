/* Coding 2 of the protocol: chains, the small packets. A chain is one section
 * (body, hands, face, hips, channels or virtual transforms) of one stream in one precision. Encoder
 * and decoder hold the same state, all of it whole numbers: for each bone its last place on a
 * lattice in the space of rotations, its last step there, and how far prediction has been off of
 * late. A frame says how far each bone lies from where the state expects it. Layout and arithmetic,
 * number by number: proto/PROTOCOL.md, "Chains".
 *
 * The lattice is body-centred cubic in modified Rodrigues parameters,
 * tan(angle / 4) * axis (Schaub & Junkins, "Stereographic Orientation
 * Parameters for Attitude Dynamics", 1996), a conformal chart. Of all lattices
 * this one covers space with the fewest points (Bambah 1954); every rotation
 * has one within the precision's bound, and of those within it the encoder
 * takes the one that costs least. */
#ifndef JC_PRIVATE_CHAIN_H
#define JC_PRIVATE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "jointcast/packet.h"
#include "jointcast/stream.h"

/* Names the numbers that prediction and entropy coding work with; both ends
 * must have the same. Stands in every rejoin section. */
#define JC_CHAIN_TABLE 1

/* The most bytes of a section of either kind. */
#define JC_CHAIN_BYTES 600

/* Starts a chain at these values. bones is a mask of enum jc_bone; those outside
 * the section do not count, and the hips section has none. Of channels and virtual
 * transforms it has the lowest bits, one for each triple of values or transform.
 * rotations are normalised ones (N; struct jc_pose), indexed by bone, or those of
 * the virtual transforms; points are the translation of the hips in metres, those of
 * virtual transforms, or the triples. What the section does not need may be NULL.
 * JC_ERROR_INVALID for a rotation that is not finite or not unit within 1e-3, a
 * translation beyond 4, 8 or 32 km by precision, or a value beyond -1 to 1; the
 * chain is then as it was. */
int jc_chain_start(struct jc_chain *chain, enum jc_section section, enum jc_precision precision,
	uint64_t bones, const struct jc_quat *rotations, const struct jc_vec3 *points);

/* Moves the chain on to these values and writes the section that makes a decoder
 * follow. settle: round what the state remembers of the past, so that the rejoin
 * section after it is small; decoders do the same. Returns the bytes, 0 when
 * nothing has moved beyond the bound (leave the section out; decoders call
 * jc_chain_hold), or JC_ERROR_INVALID as above and JC_ERROR_SPACE, both of which
 * leave the chain as it was. */
int jc_chain_encode(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *points, bool settle, uint8_t *out_bytes, size_t capacity);

/* Writes the whole state, so that whoever reads it goes on with the chain as
 * everybody does. Needs nothing but the state, so any decoder can. */
int jc_chain_write_rejoin(const struct jc_chain *chain, uint8_t *out_bytes, size_t capacity);

/* Reads the whole state. JC_ERROR_UNSUPPORTED for another table,
 * JC_ERROR_INVALID or JC_ERROR_TRUNCATED for damage; the chain is then not
 * started. Returns length. */
int jc_chain_read_rejoin(
	struct jc_chain *chain, enum jc_section section, const uint8_t *bytes, size_t length);

/* Follows one section. The chain must be started. Returns length, or
 * JC_ERROR_INVALID or JC_ERROR_LIMIT for damage, after which the chain is no
 * longer started and waits for a rejoin. */
int jc_chain_decode(struct jc_chain *chain, const uint8_t *bytes, size_t length);

/* Follows a packet that left the section out. */
void jc_chain_hold(struct jc_chain *chain);

/* The state's rotations into the entries of its bones or virtual transforms, exact
 * to the bit on any machine with IEEE 754 arithmetic. */
void jc_chain_rotations(const struct jc_chain *chain, struct jc_quat out_rotations[JC_BONE_COUNT]);
/* Likewise its points: one of the hips, else one for each triple or transform. */
void jc_chain_points(const struct jc_chain *chain, struct jc_vec3 out_points[JC_CHAIN_ITEMS]);
struct jc_vec3 jc_chain_translation(const struct jc_chain *chain); /* the first of them */

#endif
