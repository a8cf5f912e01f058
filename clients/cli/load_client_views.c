/* What the subscribers of a load clients look at: all the same, a few views among them, or
 * each from a place of its own or on a skeleton of its own. */
#include "load_client_private.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/skeleton.h"

#define VIEWPOINT_TEXT 128         /* bytes of text */
#define FARTHEST       20.0        /* metres */
#define GOLDEN_ANGLE   2.399963230 /* so that no two stand one behind the other */

/* The first is what everybody asks for who asks for nothing. */
static const char *const views[JC_LOAD_CLIENT_VIEWS] = {
	"",
	",\"precision\":\"fine\"",
	",\"precision\":\"coarse\"",
	",\"sections\":[\"body\",\"hips\"]",
};

static size_t number_of(const struct jc_load_client *load_client,
	const struct jc_load_client_subscriber *subscriber)
{
	return (size_t)(subscriber - load_client->subscribers);
}

/* All about the bodies, as dense near as far, with the face to the middle. */
static void put_viewpoint(
	const struct jc_load_client *load_client, size_t number, char out_text[VIEWPOINT_TEXT])
{
	double away = FARTHEST * sqrt((double)(number + 1) / (double)load_client->options.count);
	double angle = GOLDEN_ANGLE * (double)number;

	snprintf(out_text, VIEWPOINT_TEXT,
		",\"viewpoints\":[{\"position\":[%.3f,1.6,%.3f],\"yaw\":%.4f}]", away * sin(angle),
		away * cos(angle), angle + M_PI);
}

void jc_load_client_subscribe(struct jc_load_client *load_client,
	struct jc_load_client_subscriber *subscriber, const char *skeleton)
{
	size_t view = number_of(load_client, subscriber) % load_client->options.views;
	char text[JC_LOAD_CLIENT_TEXT], viewpoint[VIEWPOINT_TEXT] = "";

	if (load_client->options.viewpoints) {
		put_viewpoint(load_client, number_of(load_client, subscriber), viewpoint);
	}
	int length = snprintf(text, sizeof(text),
		"{\"type\":\"subscribe\",\"space\":\"%s\",\"rate\":%u%s%s%s%.64s%s}",
		load_client->options.space, load_client->options.rate, views[view], viewpoint,
		skeleton ? ",\"skeleton\":\"" : "", skeleton ? skeleton : "", skeleton ? "\"" : "");

	if (length >= (int)sizeof(text) || !jc_load_client_say(subscriber, text)) {
		jc_load_client_lose(load_client, subscriber);
	}
}

/* The built-in figure, each time a little larger. NULL without memory. */
static json_t *make_descriptor(size_t number)
{
	double scale = 1.0 + 0.001 * (double)(number + 1);
	struct jc_skeleton *skeleton;
	char *text = NULL;
	json_t *descriptor, *node, *length;
	size_t i, k;

	if (jc_skeleton_create_builtin(&skeleton) != JC_OK) {
		return NULL;
	}
	if (jc_skeleton_write_descriptor(skeleton, &text) != JC_OK) {
		text = NULL;
	}
	jc_skeleton_destroy(skeleton);
	descriptor = text ? json_loads(text, 0, NULL) : NULL;
	free(text);
	json_array_foreach(json_object_get(descriptor, "nodes"), i, node)
	{
		json_t *translation = json_object_get(node, "translation");

		json_array_foreach(translation, k, length)
		{
			double metres = json_number_value(length) * scale;

			json_array_set_new(translation, k, json_real(metres));
		}
	}
	return descriptor;
}

void jc_load_client_look(
	struct jc_load_client *load_client, struct jc_load_client_subscriber *subscriber)
{
	char name[32];
	json_t *message;
	char *text;

	if (!load_client->options.own_skeletons) {
		jc_load_client_subscribe(load_client, subscriber, NULL);
		return;
	}
	snprintf(name, sizeof(name), "crowd %zu", number_of(load_client, subscriber));
	message = json_pack("{ss ss so}", "type", "skeleton", "name", name, "descriptor",
		make_descriptor(number_of(load_client, subscriber)));
	text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	if (!text || !jc_load_client_say(subscriber, text)) {
		jc_load_client_lose(load_client, subscriber);
	}
	free(text);
	json_decref(message);
}
