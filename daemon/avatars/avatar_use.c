/* The time of a record is that of the last use, so that the next run knows it, too. */
#include "avatars/avatar_use.h"

#define SECOND_NS   INT64_C(1000000000)
#define DAY_SECONDS INT64_C(86400)

void jc_avatar_use_note(struct jc_avatar_claim *claim, int64_t wall_ns)
{
	if (claim->used_ns < wall_ns) {
		claim->used_ns = wall_ns;
	}
}

int64_t jc_avatar_use_end(const struct jc_avatar_claim *claim, unsigned keep_days)
{
	return claim->used_ns / SECOND_NS + keep_days * DAY_SECONDS;
}

bool jc_avatar_use_has_ended(
	const struct jc_avatar_claim *claim, unsigned keep_days, int64_t wall_ns)
{
	return jc_avatar_use_end(claim, keep_days) < wall_ns / SECOND_NS;
}

void jc_avatar_use_save(const char *state, struct jc_avatar *avatar, int64_t behind_ns)
{
	if (avatar->claim.used_ns - avatar->touched_ns > behind_ns) {
		avatar->touched_ns = avatar->claim.used_ns;
		jc_avatar_record_touch(state, avatar->claim.subject, avatar->file.worn.hash,
			avatar->claim.used_ns);
	}
}
