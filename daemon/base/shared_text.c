/* Texts with a reference count: one allocation holds the count, the headroom and the text. */
#include "base/shared_text.h"

#include <stdlib.h>
#include <string.h>

struct jc_shared_text *jc_shared_text_create(const char *bytes, size_t length)
{
	struct jc_shared_text *text = malloc(sizeof(*text) + JC_SHARED_TEXT_HEADROOM + length + 1);

	if (text) {
		text->users = 1;
		text->length = length;
		memcpy(text->bytes + JC_SHARED_TEXT_HEADROOM, bytes, length);
		text->bytes[JC_SHARED_TEXT_HEADROOM + length] = '\0';
	}
	return text;
}

struct jc_shared_text *jc_shared_text_hold(struct jc_shared_text *text)
{
	text->users++;
	return text;
}

void jc_shared_text_drop(struct jc_shared_text *text)
{
	if (text && --text->users == 0) {
		free(text);
	}
}
