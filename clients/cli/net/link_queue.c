/* Control messages in their order, and the newest binary message of each publication. */
#include "net/link_queue.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

#define CONTROLS_MAX 64u /* messages */

_Static_assert(JC_LINK_HEADROOM >= LWS_PRE, "libwebsockets writes its head before the message");

bool jc_link_queue_init(struct jc_link_queue *queue)
{
	queue->controls = json_array();
	return queue->controls != NULL;
}

void jc_link_queue_finish(struct jc_link_queue *queue)
{
	json_decref(queue->controls);
}

void jc_link_queue_clear(struct jc_link_queue *queue)
{
	json_array_clear(queue->controls);
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		queue->captures[i].length = 0;
	}
}

bool jc_link_queue_add(struct jc_link_queue *queue, json_t *message)
{
	if (json_array_size(queue->controls) >= CONTROLS_MAX) {
		json_decref(message);
		return false;
	}
	return json_array_append_new(queue->controls, message) == 0;
}

bool jc_link_queue_put(
	struct jc_link_queue *queue, unsigned number, const uint8_t *bytes, size_t length)
{
	bool was_busy = queue->captures[number].length > 0;

	if (length > JC_LINK_CAPTURE_BYTES) {
		return false;
	}
	memcpy(queue->captures[number].bytes + JC_LINK_HEADROOM, bytes, length);
	queue->captures[number].length = length;
	return !was_busy;
}

/* The first publication with a message; JC_LINK_PUBLICATIONS: none. */
static size_t first_capture(const struct jc_link_queue *queue)
{
	size_t i = 0;

	while (i < JC_LINK_PUBLICATIONS && queue->captures[i].length == 0) {
		i++;
	}
	return i;
}

bool jc_link_queue_is_empty(const struct jc_link_queue *queue)
{
	return json_array_size(queue->controls) == 0 &&
	       first_capture(queue) == JC_LINK_PUBLICATIONS;
}

static bool write_text(struct jc_link_queue *queue, struct lws *wsi)
{
	char *text = json_dumps(json_array_get(queue->controls, 0), JSON_COMPACT);
	size_t length = text ? strlen(text) : 0;
	uint8_t *frame = malloc(LWS_PRE + length);
	bool done = false;

	if (text && frame) {
		memcpy(frame + LWS_PRE, text, length);
		done = lws_write(wsi, frame + LWS_PRE, length, LWS_WRITE_TEXT) >= 0;
	}
	free(frame);
	free(text);
	json_array_remove(queue->controls, 0);
	return done;
}

/* Captures are sent first, because a control message may end their publication. */
bool jc_link_queue_write(struct jc_link_queue *queue, struct lws *wsi)
{
	size_t i = first_capture(queue);
	int sent;

	if (i == JC_LINK_PUBLICATIONS) {
		return write_text(queue, wsi);
	}
	sent = lws_write(wsi, queue->captures[i].bytes + JC_LINK_HEADROOM,
		queue->captures[i].length, LWS_WRITE_BINARY);
	queue->captures[i].length = 0;
	return sent >= 0;
}
