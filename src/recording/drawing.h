/* The bodies of a space as other programs draw them: follows rosters and captures and makes
 * messages of the topics `transforms` and `scene` from them. */
#ifndef JC_RECORDING_DRAWING_H
#define JC_RECORDING_DRAWING_H

#include "jointcast/recording_reader.h"
#include "jointcast_private/mcap_bytes.h"

/* Transforms a second. Programs that draw them interpolate; captures have the whole motion. */
#define JC_DRAWING_HZ 10

/* Bodies that are drawn: the first ones of the roster. It limits messages to about 4 MB. */
#define JC_DRAWING_BODIES 64u

struct jc_drawing;

int jc_drawing_create(const char *space, struct jc_drawing **out_drawing);
void jc_drawing_destroy(struct jc_drawing *drawing); /* NULL is fine */

/* Frame of a body: SPACE/NAME, with %25 and %2F for % and / in the name. The caller frees it; NULL:
 * out of memory. */
char *jc_drawing_frame(const char *space, const char *name);

/* Take a message of rosters or captures. Bodies without consent are left out, and damaged messages
 * and captures. JC_OK or JC_ERROR_MEMORY. */
int jc_drawing_take_roster(struct jc_drawing *drawing, const void *json, size_t length);
int jc_drawing_take_captures(struct jc_drawing *drawing, const void *bytes, size_t length);

/* Append a message if one is due, or nothing; call them after each message taken, in this order.
 * Transforms of all bodies are due JC_DRAWING_HZ times a second while captures arrive, a scene when
 * its bodies look different: at most four times a second if one is gone, otherwise once. JC_OK or
 * the buffer's error. */
int jc_drawing_pack_transforms(
	struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer);
int jc_drawing_pack_entities(
	struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer);

#endif
