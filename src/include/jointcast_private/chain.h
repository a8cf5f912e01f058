/* Chains: one section of a stream of coding 2 (stream.h describes the state). Layout and
 * arithmetic: proto/SMALL-PACKETS.md, "Chains".
 *
 * The lattice is body-centred cubic in modified Rodrigues parameters,
 * tan(angle / 4) * axis (Schaub & Junkins, "Stereographic Orientation
 * Parameters for Attitude Dynamics", 1996), a conformal chart. This lattice covers
 * space with the fewest points of all lattices (Bambah 1954). Every rotation has a lattice point
 * within the bound of the precision; of these points the encoder takes the cheapest. */
#ifndef JC_PRIVATE_CHAIN_H
#define JC_PRIVATE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"
#include "jointcast/stream.h"

/* Version of the prediction and probability tables, equal at both ends; part of every rejoin
 * section. */
#define JC_CHAIN_TABLE       1 /* of coding 2 */
#define JC_MODEL_CHAIN_TABLE 1 /* of coding 3 */

/* Maximum bytes of a section of either kind. */
#define JC_CHAIN_BYTES 600

/* Starts a chain at the given values. bones is a mask of enum jc_bone; bones outside of the section
 * are ignored, and the hips section has none. For channels and virtual transforms it has the lowest
 * bits, one for each triple of values or transform. rotations are N (struct jc_pose), indexed by
 * bone, or those of the virtual transforms; points are the hips translation in metres, those of
 * virtual transforms, or the triples. Unused arrays may be NULL.
 * JC_ERROR_INVALID for a rotation that is not finite or not unit within 1e-3, a
 * translation beyond 4, 8 or 32 km by precision, or a value beyond -1 to 1; the
 * chain is then unchanged. */
int jc_chain_start(struct jc_chain *chain, unsigned coding, enum jc_section section,
	enum jc_precision precision, uint64_t bones, const struct jc_quat *rotations,
	const struct jc_vec3 *points);

/* Encodes the next values. settle: round the remembered prediction errors, so that the following
 * rejoin section is small; decoders do the same. Returns the bytes; 0 if nothing moved beyond the
 * bound (omit the section; decoders call jc_chain_hold); or JC_ERROR_INVALID as above or
 * JC_ERROR_SPACE, the chain is then unchanged. */
int jc_chain_encode(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *points, bool settle, uint8_t *out_bytes, size_t capacity);

/* Writes the complete state, from which a decoder can continue. Any decoder can write it too. */
int jc_chain_write_rejoin(const struct jc_chain *chain, uint8_t *out_bytes, size_t capacity);

/* Reads the complete state. JC_ERROR_UNSUPPORTED for another table,
 * JC_ERROR_INVALID or JC_ERROR_TRUNCATED for damage; the chain is then not
 * started. Returns length. */
int jc_chain_read_rejoin(struct jc_chain *chain, unsigned coding, enum jc_section section,
	const uint8_t *bytes, size_t length);

/* Decodes one section. The chain must be started. Returns length, or JC_ERROR_INVALID or
 * JC_ERROR_LIMIT for damage; the chain is then not started and needs a rejoin section. */
int jc_chain_decode(struct jc_chain *chain, const uint8_t *bytes, size_t length);

/* Advances the chain for a packet without its section. */
void jc_chain_hold(struct jc_chain *chain);

/* Writes the rotations of the state to the entries of its bones or virtual transforms; equal to the
 * bit on all machines with IEEE 754 arithmetic. */
void jc_chain_rotations(const struct jc_chain *chain, struct jc_quat out_rotations[JC_BONE_COUNT]);
/* Writes the points of the state: one for the hips, else one for each triple or transform. */
void jc_chain_points(const struct jc_chain *chain, struct jc_vec3 out_points[JC_CHAIN_ITEMS]);
struct jc_vec3 jc_chain_translation(const struct jc_chain *chain); /* the first of them */

#endif
