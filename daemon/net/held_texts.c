/* Stores the shared texts of one address in a list, because few different texts wait at a time. */
#include "net/held_texts.h"

#include <assert.h>
#include <stdlib.h>

#include "base/shared_text.h"
#include "jointcast_private/array.h"

struct jc_held_text {
	const struct jc_shared_text *text; /* borrowed: the queues hold it */
	size_t waiting;
};

void jc_held_texts_finish(struct jc_held_texts *texts)
{
	assert(texts->count == 0);
	free(texts->list);
}

static struct jc_held_text *find(
	const struct jc_held_texts *texts, const struct jc_shared_text *text)
{
	/* The newest texts are at the end, and searched most often. */
	for (size_t i = texts->count; i-- > 0;) {
		if (texts->list[i].text == text) {
			return &texts->list[i];
		}
	}
	return NULL;
}

bool jc_held_texts_add(struct jc_held_texts *texts, struct jc_shared_text *text, size_t most)
{
	struct jc_held_text *held = find(texts, text);

	if (held) {
		held->waiting++;
		return true;
	}
	if (text->length > most || texts->bytes > most - text->length ||
		!jc_array_grow(&texts->list, &texts->capacity, texts->count + 1, SIZE_MAX,
			sizeof(texts->list[0]))) {
		return false;
	}
	texts->list[texts->count++] = (struct jc_held_text){ text, 1 };
	texts->bytes += text->length;
	return true;
}

void jc_held_texts_remove(struct jc_held_texts *texts, const struct jc_shared_text *text)
{
	struct jc_held_text *held = find(texts, text);

	assert(held);
	if (--held->waiting > 0) {
		return;
	}
	texts->bytes -= text->length;
	*held = texts->list[--texts->count];
	if (texts->count == 0) {
		free(texts->list);
		*texts = (struct jc_held_texts){ .list = NULL };
	}
}
