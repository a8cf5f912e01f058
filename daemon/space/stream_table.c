/* A linear list per body: a body has only as many streams as there are different specs. */
#include "space/stream_table.h"

#include <assert.h>

static void forget(struct jc_stream_table *table, struct jc_body_stream **at)
{
	struct jc_body_stream *body_stream = *at;

	*at = body_stream->next;
	table->count--;
	table->counted -= !body_stream->is_reserved;
	jc_body_stream_destroy(body_stream);
}

void jc_stream_table_vacate(struct jc_stream_table *table, size_t slot)
{
	while (table->body_streams[slot]) {
		assert(table->body_streams[slot]->users == 0);
		forget(table, &table->body_streams[slot]);
	}
}

void jc_stream_table_finish(struct jc_stream_table *table)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_stream_table_vacate(table, slot);
	}
}

/* Streams that share a fit stand together in the list. */
static bool shares_fit(const struct jc_body_stream *body_stream,
	const struct jc_skeleton_asset *asset, enum jc_precision finest)
{
	return body_stream->asset == asset && body_stream->spec.finest == finest;
}

struct jc_body_stream *jc_stream_table_acquire(struct jc_stream_table *table, size_t slot,
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec, bool is_reserved)
{
	struct jc_body_stream **at = &table->body_streams[slot];
	struct jc_body_stream *body_stream;

	while (*at && !shares_fit(*at, asset, spec->finest)) {
		at = &(*at)->next;
	}
	for (body_stream = *at; body_stream && shares_fit(body_stream, asset, spec->finest);
		body_stream = body_stream->next) {
		if (jc_stream_spec_equal(&body_stream->spec, spec)) {
			body_stream->users++;
			return body_stream;
		}
	}
	if (!is_reserved && table->counted >= table->cap) {
		return NULL;
	}
	body_stream = jc_body_stream_create(asset, spec);
	if (body_stream) {
		body_stream->next = *at;
		body_stream->slot = slot;
		body_stream->users = 1;
		body_stream->is_reserved = is_reserved;
		body_stream->number = ++table->last_number;
		*at = body_stream;
		table->count++;
		table->counted += !is_reserved;
	}
	return body_stream;
}

void jc_stream_table_release(struct jc_body_stream *body_stream)
{
	assert(body_stream->users > 0);
	body_stream->users--;
}

void jc_stream_table_begin(struct jc_stream_table *table)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_body_stream **at = &table->body_streams[slot];

		while (*at) {
			if ((*at)->users == 0) {
				forget(table, at);
				continue;
			}
			(*at)->is_wanted = (*at)->wants_rejoin = (*at)->is_fresh = false;
			at = &(*at)->next;
		}
	}
}

void jc_stream_table_cut(struct jc_stream_table *table, size_t slot)
{
	for (struct jc_body_stream *body_stream = table->body_streams[slot]; body_stream;
		body_stream = body_stream->next) {
		body_stream->cut = true;
	}
}

void jc_stream_table_restart(struct jc_stream_table *table, size_t slot)
{
	for (struct jc_body_stream *body_stream = table->body_streams[slot]; body_stream;
		body_stream = body_stream->next) {
		jc_body_stream_restart(body_stream);
	}
}

void jc_stream_table_encode(struct jc_stream_table *table, size_t slot,
	const struct jc_body_sample *body_sample, uint32_t tick, uint32_t hz)
{
	struct jc_fit fit;

	fit.asset = NULL;
	fit.finest = JC_PRECISION_FINE;
	for (struct jc_body_stream *body_stream = table->body_streams[slot]; body_stream;
		body_stream = body_stream->next) {
		if (!body_stream->is_wanted) {
			continue;
		}
		if (!shares_fit(body_stream, fit.asset, fit.finest)) {
			jc_fit_init(
				&fit, body_sample, body_stream->asset, body_stream->spec.finest);
		}
		jc_body_stream_encode(body_stream, &fit, tick, hz);
	}
}
