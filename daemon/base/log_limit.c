/* Each line takes its share of the time in which a burst comes back. */
#include "base/log_limit.h"

#define SHARE_NS (INT64_C(1000000000) / JC_LOG_PER_SECOND)

int jc_log_limit_init(struct jc_log_limit *limit)
{
	limit->count = 0;
	return uv_mutex_init(&limit->mutex);
}

void jc_log_limit_finish(struct jc_log_limit *limit)
{
	uv_mutex_destroy(&limit->mutex);
}

static struct jc_log_kind *find(struct jc_log_limit *limit, const char *format)
{
	for (unsigned i = 0; i < limit->count; i++) {
		if (limit->kinds[i].format == format) {
			return &limit->kinds[i];
		}
	}
	if (limit->count == JC_LOG_KINDS) {
		return NULL;
	}
	limit->kinds[limit->count] = (struct jc_log_kind){ .format = format };
	return &limit->kinds[limit->count++];
}

static bool spend(struct jc_log_kind *kind, int64_t now_ns, unsigned *out_left_out)
{
	int64_t from_ns = kind->full_ns > now_ns ? kind->full_ns : now_ns;

	if (from_ns + SHARE_NS - now_ns > SHARE_NS * JC_LOG_BURST) {
		kind->left_out++;
		return false;
	}
	kind->full_ns = from_ns + SHARE_NS;
	*out_left_out = kind->left_out;
	kind->left_out = 0;
	return true;
}

bool jc_log_limit_allows(
	struct jc_log_limit *limit, const char *format, int64_t now_ns, unsigned *out_left_out)
{
	uv_mutex_lock(&limit->mutex);
	struct jc_log_kind *kind = find(limit, format);
	bool allows = true;

	*out_left_out = 0;
	if (kind) {
		allows = spend(kind, now_ns, out_left_out);
	}
	uv_mutex_unlock(&limit->mutex);
	return allows;
}
