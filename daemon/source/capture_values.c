/* A loan ends when it is not repeated: a lender that stops need not return it. */
#include "source/capture_values.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/continuity.h"

void jc_capture_values_finish(struct jc_capture_values *values)
{
	for (size_t i = 0; i < values->channel_count; i++) {
		free(values->names[i]);
	}
}

/* Finds a channel, or adds it; *out_index is its number. */
static int find_channel(struct jc_capture_values *values, struct jc_source *source,
	const char *name, uint16_t *out_index)
{
	size_t index = 0;
	size_t value_count = jc_channel_value_count(name);

	while (index < values->channel_count && strcmp(values->names[index], name) != 0) {
		index++;
	}
	*out_index = (uint16_t)index;
	if (index < values->channel_count) {
		return JC_OK;
	}
	if (index == JC_LIMIT_MOTION_CHANNELS ||
		value_count > JC_LIMIT_CAPTURE_VALUES - values->count) {
		return JC_ERROR_LIMIT;
	}
	values->names[index] = strdup(name);
	if (!values->names[index]) {
		return JC_ERROR_MEMORY;
	}
	if (source->channels.count == index) {
		jc_source_add_channel(source, values->names[index], value_count);
	}
	values->at[index] = values->count;
	values->channel_count++;
	values->count += value_count;
	return JC_OK;
}

int jc_capture_values_add(
	struct jc_capture_values *values, struct jc_source *source, const char *name)
{
	if (values->own_count == JC_LIMIT_MOTION_CHANNELS) {
		return JC_ERROR_LIMIT;
	}
	int status = find_channel(values, source, name, &values->own[values->own_count]);

	values->own_count += status == JC_OK;
	return status;
}

int jc_capture_values_lend(struct jc_capture_values *values, struct jc_source *source,
	const struct jc_capture_loan *loan, int64_t now_ns)
{
	size_t value_count = 0;

	if (values->lender && values->lender != loan->lender &&
		now_ns - values->lent_ns < JC_CONTINUITY_SILENCE_NS) {
		return JC_ERROR_INVALID;
	}
	if (values->lender != loan->lender) {
		values->lent_count = 0;
	}
	for (size_t i = 0; i < loan->count; i++) {
		size_t count = jc_channel_value_count(loan->names[i]);
		int status = JC_OK;

		if (value_count + count > JC_LIMIT_STREAM_VALUES) {
			return JC_ERROR_LIMIT;
		}
		if (i >= values->lent_count) {
			status = find_channel(values, source, loan->names[i], &values->lent[i]);
		}
		if (status != JC_OK) {
			return status;
		}
		value_count += count;
		values->lent_count = i >= values->lent_count ? i + 1 : values->lent_count;
	}
	values->lender = loan->lender;
	values->lent_ns = now_ns;
	memcpy(values->lent_values, loan->values, value_count * sizeof(*loan->values));
	return JC_OK;
}

/* Copies the values of channels, which follow each other in `values`, to their places. */
static void spread(const struct jc_capture_values *all, const uint16_t *channels, size_t count,
	const float *values, float *out_values)
{
	for (size_t i = 0; i < count; i++) {
		size_t value_count = jc_channel_value_count(all->names[channels[i]]);

		memcpy(out_values + all->at[channels[i]], values, value_count * sizeof(*values));
		values += value_count;
	}
}

void jc_capture_values_fill(const struct jc_capture_values *values, const float *own,
	int64_t time_ns, struct jc_capture *capture)
{
	bool is_lent = values->lender && time_ns - values->lent_ns < JC_CONTINUITY_SILENCE_NS;

	if (!own && !values->lender) {
		return;
	}
	capture->value_count = values->count;
	if (own) {
		spread(values, values->own, values->own_count, own, capture->values);
	} else if (is_lent) {
		memcpy(capture->values, values->newest, values->count * sizeof(*values->newest));
	}
	if (is_lent) {
		spread(values, values->lent, values->lent_count, values->lent_values,
			capture->values);
	}
}

void jc_capture_values_take(struct jc_capture_values *values, const struct jc_capture *capture)
{
	memcpy(values->newest, capture->values, capture->value_count * sizeof(capture->values[0]));
}
