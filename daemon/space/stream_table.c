/* Lists are short: a body has as many streams as it is seen in ways. */
#include "space/stream_table.h"

#include <assert.h>

static void forget(struct jc_stream_table *table, struct jc_feed **at)
{
	struct jc_feed *feed = *at;

	*at = feed->next;
	table->count--;
	table->counted -= !feed->is_reserved;
	jc_feed_destroy(feed);
}

void jc_stream_table_vacate(struct jc_stream_table *table, size_t slot)
{
	while (table->feeds[slot]) {
		assert(table->feeds[slot]->users == 0);
		forget(table, &table->feeds[slot]);
	}
}

void jc_stream_table_finish(struct jc_stream_table *table)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_stream_table_vacate(table, slot);
	}
}

struct jc_feed *jc_stream_table_acquire(struct jc_stream_table *table, size_t slot,
	struct jc_outfit *outfit, const struct jc_wish *wish, bool is_reserved)
{
	struct jc_feed **at = &table->feeds[slot];
	struct jc_feed *feed;

	while (*at && (*at)->outfit != outfit) {
		at = &(*at)->next;
	}
	for (feed = *at; feed && feed->outfit == outfit; feed = feed->next) {
		if (jc_wish_equal(&feed->wish, wish)) {
			feed->users++;
			return feed;
		}
	}
	if (!is_reserved && table->counted >= table->cap) {
		return NULL;
	}
	feed = jc_feed_create(outfit, wish);
	if (feed) {
		feed->next = *at;
		feed->slot = slot;
		feed->users = 1;
		feed->is_reserved = is_reserved;
		feed->number = ++table->last_number;
		*at = feed;
		table->count++;
		table->counted += !is_reserved;
	}
	return feed;
}

void jc_stream_table_release(struct jc_feed *feed)
{
	assert(feed->users > 0);
	feed->users--;
}

void jc_stream_table_begin(struct jc_stream_table *table)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_feed **at = &table->feeds[slot];

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
	for (struct jc_feed *feed = table->feeds[slot]; feed; feed = feed->next) {
		feed->cut = true;
	}
}

void jc_stream_table_restart(struct jc_stream_table *table, size_t slot)
{
	for (struct jc_feed *feed = table->feeds[slot]; feed; feed = feed->next) {
		jc_feed_restart(feed);
	}
}

void jc_stream_table_encode(struct jc_stream_table *table, size_t slot,
	const struct jc_moment *moment, uint32_t tick, uint32_t hz)
{
	struct jc_fit fit;

	fit.outfit = NULL;
	for (struct jc_feed *feed = table->feeds[slot]; feed; feed = feed->next) {
		if (!feed->is_wanted) {
			continue;
		}
		if (feed->outfit != fit.outfit) {
			jc_fit_init(&fit, moment, feed->outfit);
		}
		jc_feed_encode(feed, &fit, tick, hz);
	}
}
