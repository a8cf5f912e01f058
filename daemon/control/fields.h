/* Reads the fields of control messages strictly: each field has a type and bounds. The
 * first wrong field is reported by its name, with its type and bounds. */
#ifndef JC_FIELDS_H
#define JC_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"

struct jc_client;

struct jc_fields {
	const json_t *object; /* borrowed */
	char wrong[192]; /* "KEY must be …", of the first wrong field; empty: none is wrong */
};

/* The place of a body in `publish` and `place`. */
struct jc_stand {
	struct jc_placement placement;
	float seat_height; /* metres; 0: no seat */
};

struct jc_fields jc_fields_of(const json_t *object);

/* The readers do nothing once a field is wrong. An absent field leaves the output alone, so
 * that defaults are set before. They return whether the field is present and right. Texts and
 * arrays are borrowed. */
bool jc_fields_flag(struct jc_fields *fields, const char *key, bool *value);
bool jc_fields_integer(
	struct jc_fields *fields, const char *key, int64_t least, int64_t most, int64_t *value);
bool jc_fields_number(
	struct jc_fields *fields, const char *key, double least, double most, double *value);

/* Text of `least` to `most` bytes without control characters. */
bool jc_fields_text(
	struct jc_fields *fields, const char *key, size_t least, size_t most, const char **text);

/* The hash of a skeleton. */
bool jc_fields_hash(struct jc_fields *fields, const char *key, const char **hash);

/* The id of a body, and the number of a publication; an absent field is wrong. */
bool jc_fields_body(struct jc_fields *fields, int64_t *id);
bool jc_fields_publication(struct jc_fields *fields, int64_t *number);

/* The index of one of the names. An absent field is wrong where *index is negative. */
bool jc_fields_choice(struct jc_fields *fields, const char *key, const char *const *names,
	size_t count, int *index);

/* Three numbers of magnitude `most` at most. */
bool jc_fields_vector(
	struct jc_fields *fields, const char *key, double most, struct jc_vec3 *value);

/* An array of at most `most` elements; and one of body ids, of at most JC_MAX_NAMED_BODIES. */
bool jc_fields_array(struct jc_fields *fields, const char *key, size_t most, const json_t **array);
bool jc_fields_ids(struct jc_fields *fields, const char *key, uint32_t *ids, size_t *count);

/* "position", "yaw" and "seat". */
void jc_fields_stand(struct jc_fields *fields, struct jc_stand *stand);

/* An absent field is wrong. */
void jc_fields_require(struct jc_fields *fields, const char *key);

/* Reports an error that the caller found, unless a field was wrong before; NULL: no error. */
void jc_fields_fail(struct jc_fields *fields, const char *wrong);

/* Answers bad-field to a message of that type where a field is wrong; else returns false. */
bool jc_fields_refuse(const struct jc_fields *fields, struct jc_client *client, const char *type);

#endif
