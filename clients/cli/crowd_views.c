/* What the subscribers of a crowd look at: all the same, a few views among them, or
 * each from a place of its own or on a skeleton of its own. */
#include "crowd_private.h"

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
static const char *const views[JC_CROWD_VIEWS] = {
	"",
	",\"precision\":\"fine\"",
	",\"precision\":\"coarse\"",
	",\"sections\":[\"body\",\"hips\"]",
};

static size_t number_of(const struct jc_crowd *crowd, const struct jc_crowd_subscriber *subscriber)
{
	return (size_t)(subscriber - crowd->subscribers);
}

/* All about the bodies, as dense near as far, with the face to the middle. */
static void put_viewpoint(
	const struct jc_crowd *crowd, size_t number, char out_text[VIEWPOINT_TEXT])
{
	double away = FARTHEST * sqrt((double)(number + 1) / (double)crowd->options.count);
	double angle = GOLDEN_ANGLE * (double)number;

	snprintf(out_text, VIEWPOINT_TEXT,
		",\"viewpoints\":[{\"position\":[%.3f,1.6,%.3f],\"yaw\":%.4f}]", away * sin(angle),
		away * cos(angle), angle + M_PI);
}

void jc_crowd_subscribe(
	struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber, const char *skeleton)
{
	size_t view = number_of(crowd, subscriber) % crowd->options.views;
	char text[JC_CROWD_TEXT], viewpoint[VIEWPOINT_TEXT] = "";

	if (crowd->options.viewpoints) {
		put_viewpoint(crowd, number_of(crowd, subscriber), viewpoint);
	}
	int length = snprintf(text, sizeof(text),
		"{\"type\":\"subscribe\",\"space\":\"%s\",\"rate\":%u%s%s%s%.64s%s}",
		crowd->options.space, crowd->options.rate, views[view], viewpoint,
		skeleton ? ",\"skeleton\":\"" : "", skeleton ? skeleton : "", skeleton ? "\"" : "");

	if (length >= (int)sizeof(text) || !jc_crowd_say(subscriber, text)) {
		jc_crowd_lose(crowd, subscriber);
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

void jc_crowd_look(struct jc_crowd *crowd, struct jc_crowd_subscriber *subscriber)
{
	char name[32];
	json_t *message;
	char *text;

	if (!crowd->options.own_skeletons) {
		jc_crowd_subscribe(crowd, subscriber, NULL);
		return;
	}
	snprintf(name, sizeof(name), "crowd %zu", number_of(crowd, subscriber));
	message = json_pack("{ss ss so}", "type", "skeleton", "name", name, "descriptor",
		make_descriptor(number_of(crowd, subscriber)));
	text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	if (!text || !jc_crowd_say(subscriber, text)) {
		jc_crowd_lose(crowd, subscriber);
	}
	free(text);
	json_decref(message);
}
