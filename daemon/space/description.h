/* Display name and metadata of a body, as in `publish`, `amend` and recordings. */
#ifndef JC_DESCRIPTION_H
#define JC_DESCRIPTION_H

#include <jansson.h>
#include <stdbool.h>

/* NULL: not in the message. Borrowed from the message. */
struct jc_description {
	const char *display;
	const json_t *meta;
};

/* Returns NULL, or the error in the message. */
const char *jc_description_read(const json_t *message, struct jc_description *out_description);

/* The metadata as JSON text, which the caller frees; NULL: none, or no memory. */
char *jc_description_about(const struct jc_description *description);

/* Whether a display name has 1 to 63 bytes and no control characters. */
bool jc_description_is_name(const char *name);

/* Whether metadata is an object within the limits of size. */
bool jc_description_is_meta(const json_t *meta);

#endif
