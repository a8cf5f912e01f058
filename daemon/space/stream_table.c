/* A linear list per body: a body has only as many streams as there are different specs. */
#include "space/stream_table.h"

#include <assert.h>

static void forget(struct jc_stream_table *table, struct jc_body_stream **at)
{
	struct jc_body_stream *body_stream = *at;

	*at = body_stream->next;
	table->count--;
	table->counted -= !body_stream->is_reserved;
	jc_contact_keeper_release(&table->keepers[body_stream->slot], body_stream->keeper);
	jc_body_stream_destroy(body_stream);
}

void jc_stream_table_vacate(struct jc_stream_table *table, size_t slot)
{
	while (table->body_streams[slot]) {
		assert(table->body_streams[slot]->users == 0);
		forget(table, &table->body_streams[slot]);
	}
	jc_contact_keepers_reset(table->keepers[slot]);
}

void jc_stream_table_finish(struct jc_stream_table *table)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_stream_table_vacate(table, slot);
	}
}

static struct jc_body_stream *find(const struct jc_stream_table *table, size_t slot,
	const struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec)
{
	struct jc_body_stream *body_stream = table->body_streams[slot];

	while (body_stream &&
		(body_stream->asset != asset || !jc_stream_spec_equal(&body_stream->spec, spec))) {
		body_stream = body_stream->next;
	}
	return body_stream;
}

/* Puts a stream beside those that share its fit. */
static void insert(struct jc_stream_table *table, struct jc_body_stream *body_stream)
{
	struct jc_body_stream **at = &table->body_streams[body_stream->slot];

	while (*at && !jc_body_stream_shares_fit(*at, body_stream)) {
		at = &(*at)->next;
	}
	body_stream->next = *at;
	*at = body_stream;
	table->count++;
	table->counted += !body_stream->is_reserved;
}

static struct jc_body_stream *add(struct jc_stream_table *table, size_t slot,
	const struct jc_skeleton *source, struct jc_skeleton_asset *asset,
	const struct jc_stream_spec *spec)
{
	struct jc_contact_keeper **keepers = &table->keepers[slot];
	struct jc_body_stream *body_stream = jc_body_stream_create(asset, spec);

	if (body_stream && spec->contacts &&
		jc_contact_keeper_acquire(
			keepers, source, asset, spec->finest, &body_stream->keeper) != JC_OK) {
		jc_body_stream_destroy(body_stream);
		return NULL;
	}
	return body_stream;
}

struct jc_body_stream *jc_stream_table_acquire(struct jc_stream_table *table, size_t slot,
	const struct jc_skeleton *source, struct jc_skeleton_asset *asset,
	const struct jc_stream_spec *spec, bool is_reserved)
{
	struct jc_body_stream *body_stream = find(table, slot, asset, spec);

	if (body_stream) {
		body_stream->users++;
		return body_stream;
	}
	if (!is_reserved && table->counted >= table->cap) {
		return NULL;
	}
	body_stream = add(table, slot, source, asset, spec);
	if (body_stream) {
		body_stream->slot = slot;
		body_stream->users = 1;
		body_stream->is_reserved = is_reserved;
		body_stream->number = ++table->last_number;
		insert(table, body_stream);
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
	jc_contact_keepers_reset(table->keepers[slot]);
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
	const struct jc_body_stream *before = NULL;
	struct jc_fit fit;

	for (struct jc_body_stream *body_stream = table->body_streams[slot]; body_stream;
		body_stream = body_stream->next) {
		if (!body_stream->is_wanted) {
			continue;
		}
		if (!before || !jc_body_stream_shares_fit(body_stream, before)) {
			jc_fit_init(&fit, body_sample, body_stream);
		}
		before = body_stream;
		jc_body_stream_encode(body_stream, &fit, tick, hz);
	}
}
