/* Display name and metadata of a body, as in `publish`, `amend` and recordings. */
#ifndef JC_DESCRIPTION_H
#define JC_DESCRIPTION_H

#include <jansson.h>
#include <stdbool.h>

/* What was not said is NULL. Borrowed from the message. */
struct jc_description {
	const char *display;
	const json_t *meta;
};

/* NULL, or what is wrong with the message. */
const char *jc_description_read(const json_t *message, struct jc_description *out_description);

/* The metadata as a text, the caller's to free; NULL where none was said, or without
 * memory. */
char *jc_description_about(const struct jc_description *description);

/* A text of people: 1 to 63 bytes without control characters. */
bool jc_description_is_name(const char *name);

/* An object of so little that everybody can be told it. */
bool jc_description_is_meta(const json_t *meta);

#endif
