/* The shared texts that wait in the send queues of one address. Each text counts once,
 * because it is in memory once. */
#ifndef JC_HELD_TEXTS_H
#define JC_HELD_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct jc_shared_text;
struct jc_held_text; /* a text and how often it waits */

/* All zeros: none. */
struct jc_held_texts {
	size_t count, capacity;
	struct jc_held_text *list; /* owned */
	size_t bytes;              /* of all texts, each once */
};

void jc_held_texts_finish(struct jc_held_texts *texts);

/* One more session waits with the text. False where that takes more than `most` bytes,
 * or without memory; nothing changes then. */
bool jc_held_texts_add(struct jc_held_texts *texts, struct jc_shared_text *text, size_t most);

/* One session less. */
void jc_held_texts_remove(struct jc_held_texts *texts, const struct jc_shared_text *text);

#endif
