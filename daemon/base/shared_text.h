/* A text that many clients are sent: made once, freed when nothing refers to it any
 * more. It never changes. */
#ifndef JC_SHARED_TEXT_H
#define JC_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes before the text, where a sender writes the head of a frame. */
#define JC_SHARED_TEXT_HEADROOM 10

struct jc_shared_text {
	size_t users;    /* references; see jc_shared_text_hold */
	size_t length;   /* bytes of the text, without the NUL that follows it */
	uint8_t bytes[]; /* headroom, the text, a NUL */
};

/* Copies `length` bytes. The caller holds the text. NULL without memory. */
struct jc_shared_text *jc_shared_text_create(const char *bytes, size_t length);

/* One more reference, which it returns. */
struct jc_shared_text *jc_shared_text_hold(struct jc_shared_text *text);

/* One reference less; the last one frees the text. NULL is fine. */
void jc_shared_text_drop(struct jc_shared_text *text);

static inline const char *jc_shared_text_chars(const struct jc_shared_text *text)
{
	return (const char *)text->bytes + JC_SHARED_TEXT_HEADROOM;
}

#endif
