/* Words of a source's condition. */
#include "source/source.h"

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
