/* What a subscriber asks for, out of its message. */
#ifndef JC_VIEW_OPTIONS_H
#define JC_VIEW_OPTIONS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/fanout.h"

struct jc_client;

/* All of `subscribe`; NULL, or what is wrong with it. The skeleton asset is borrowed. */
const char *jc_view_options_read(
	struct jc_client *client, const json_t *message, struct jc_view_options *out_options);

/* "viewpoints" alone, likewise; without any there are none. */
const char *jc_view_options_read_viewpoints(const json_t *message,
	struct jc_viewpoint out_viewpoints[JC_MAX_VIEWPOINTS], size_t *out_count);

/* "priority" alone, likewise. */
const char *jc_view_options_read_priority(
	const json_t *message, uint32_t out_bodies[JC_MAX_NAMED_BODIES], size_t *out_count);

#endif
