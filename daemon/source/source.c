/* The common parts of all sources: channels and the names of conditions. */
#include "source/source.h"

#include <string.h>

size_t jc_channel_value_count(const char *name)
{
	return strcmp(name, "lookAt") == 0 ? 4 : 1;
}

bool jc_source_add_channel(struct jc_source *source, const char *name, size_t value_count)
{
	struct jc_source_channels *channels = &source->channels;

	if (value_count > JC_LIMIT_STREAM_VALUES - channels->value_count) {
		return false;
	}
	channels->names[channels->count] = name;
	channels->value_counts[channels->count++] = (uint8_t)value_count;
	channels->value_count += value_count;
	channels->revision++;
	return true;
}

const char *jc_source_condition_name(enum jc_source_condition condition)
{
	static const char *const names[] = {
		[JC_SOURCE_WAITING] = "waiting",
		[JC_SOURCE_LIVE] = "live",
		[JC_SOURCE_STALE] = "stale",
		[JC_SOURCE_LOST] = "lost",
	};

	return names[condition];
}
