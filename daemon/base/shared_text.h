/* An immutable text for many clients: made once, freed with its last reference. */
#ifndef JC_SHARED_TEXT_H
#define JC_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes before the text, for the header of a frame. */
#define JC_SHARED_TEXT_HEADROOM 10

struct jc_shared_text {
	size_t users;    /* references; see jc_shared_text_hold */
	size_t length;   /* bytes of the text, without the NUL that follows it */
	uint8_t bytes[]; /* headroom, the text, a NUL */
};

/* Copies `length` bytes. The caller has the first reference. NULL: out of memory. */
struct jc_shared_text *jc_shared_text_create(const char *bytes, size_t length);

/* Adds a reference and returns it. */
struct jc_shared_text *jc_shared_text_hold(struct jc_shared_text *text);

/* Drops a reference; the last one frees the text. NULL is fine. */
void jc_shared_text_drop(struct jc_shared_text *text);

static inline const char *jc_shared_text_chars(const struct jc_shared_text *text)
{
	return (const char *)text->bytes + JC_SHARED_TEXT_HEADROOM;
}

#endif
