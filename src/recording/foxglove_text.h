/* Writes values of Foxglove's schemas as JSON into a buffer. Numbers have four decimals: a tenth of
 * a millimetre, or 0.01 degrees of a rotation. */
#ifndef JC_RECORDING_FOXGLOVE_TEXT_H
#define JC_RECORDING_FOXGLOVE_TEXT_H

#include "jointcast/types.h"
#include "jointcast_private/mcap_bytes.h"

void jc_foxglove_put(struct jc_mcap_buffer *buffer, const char *text);

/* Numbers have 1 / steps as their unit. Digits cost more than anything else in a message, because
 * text between them compresses. */
#define JC_FOXGLOVE_EXACT  10000 /* what is written rarely or does not change: 0.1 mm */
#define JC_FOXGLOVE_MOVING 1000  /* what changes in each message: 1 mm, or 0.1 degrees */

/* A number that is not finite, or beyond a million, becomes 0. */
void jc_foxglove_put_number(struct jc_mcap_buffer *buffer, float value, long steps);

/* {"sec":…,"nsec":…} */
void jc_foxglove_put_time(struct jc_mcap_buffer *buffer, uint64_t unix_ns);

/* {"x":…,"y":…,"z":…} and the same with "w". */
void jc_foxglove_put_vector(struct jc_mcap_buffer *buffer, struct jc_vec3 v, long steps);
void jc_foxglove_put_rotation(struct jc_mcap_buffer *buffer, struct jc_quat q, long steps);

/* Text between the quotes of a JSON string; the caller frees it. NULL: out of memory, or no
 * UTF-8. */
char *jc_foxglove_escape(const char *text);

#endif
