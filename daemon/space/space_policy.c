/* The defaults of a space. */
#include "space/space_policy.h"

#include <assert.h>

#include "space/space.h"

#define HZ          60
#define STREAMS     1024
#define MOST        64
#define MOST_OF_ONE 8
#define LINGER_S    60

_Static_assert(JC_ROLE_ALL == (1 << JC_PERMITS) - 1, "a permit for each role");

void jc_spaces_policy_init(struct jc_spaces_policy *policy)
{
	*policy = (struct jc_spaces_policy){
		.most = MOST,
		.most_of_one = MOST_OF_ONE,
		.linger_s = LINGER_S,
		.space = { .hz = HZ,
			.bodies = JC_MAX_BODIES,
			.subscribers = JC_MAX_CONNECTIONS,
			.streams = STREAMS,
			.leave_after_s = JC_LEAVE_AFTER_S,
			.contacts = true,
			.fine = { .anyone = true },
			.standard = { .anyone = true },
			.motions = { .roles = JC_ROLE_RECORD } },
	};
	for (unsigned i = 0; i < JC_PERMITS; i++) {
		policy->space.permits[i].roles = 1u << i;
	}
}

struct jc_permit *jc_space_policy_permit(struct jc_space_policy *policy, enum jc_role role)
{
	unsigned i = 0;

	while (i < JC_PERMITS && (unsigned)role != 1u << i) {
		i++;
	}
	assert(i < JC_PERMITS);
	return &policy->permits[i];
}
