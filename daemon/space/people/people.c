/* Hashes a person when it is asked for: that is rare, and only where somebody ignores somebody. */
#include "space/people/people.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "space/space.h"

/* Keeps persons with and without a token apart. */
#define HAS_TOKEN (UINT64_C(1) << 63)

bool jc_party_has_token(uint64_t party)
{
	return party & HAS_TOKEN;
}

uint64_t jc_party_of_connection(const struct jc_siphash_key *key, uint64_t serial)
{
	return (jc_siphash(key, &serial, sizeof(serial)) & ~HAS_TOKEN) | 2;
}

struct jc_siphash_key jc_people_key(const struct jc_siphash_key *secret, const char *space)
{
	struct jc_siphash_key key;
	char text[JC_MAX_SPACE_NAME + 1];

	for (size_t half = 0; half < 2; half++) {
		size_t length = strlen(space);

		memcpy(text, space, length);
		text[length] = (char)half;
		uint64_t hash = jc_siphash(secret, text, length + 1);

		memcpy(key.bytes + half * sizeof(hash), &hash, sizeof(hash));
	}
	return key;
}

uint64_t jc_people_party(const struct jc_siphash_key *key, const struct jc_subscriber *subscriber)
{
	const char *subject = subscriber->subject;

	return subject ? jc_siphash(key, subject, strlen(subject)) | HAS_TOKEN : subscriber->party;
}

uint64_t jc_fanout_party(const struct jc_fanout *fanout, const struct jc_subscriber *subscriber)
{
	return jc_people_party(&fanout->people_key, subscriber);
}

bool jc_fanout_set_people_key(
	struct jc_fanout *fanout, const struct jc_siphash_key *key, const void *remote)
{
	struct jc_ignores *ignores = &fanout->ignores;
	size_t kept = 0;

	if (memcmp(&fanout->people_key, key, sizeof(*key)) == 0) {
		return false;
	}
	for (size_t i = 0; i < ignores->count; i++) {
		struct jc_ignore *ignore = &ignores->list[i];

		if (!jc_party_has_token(ignore->low) && !jc_party_has_token(ignore->high)) {
			ignores->list[kept++] = *ignore;
		} else if (ignore->by != remote) {
			((struct jc_subscriber *)ignore->by)->ignoring--;
		}
	}
	fanout->people_key = *key;
	if (kept < ignores->count) {
		ignores->count = kept;
		jc_fanout_update_ignores(fanout, 0);
	}
	return true;
}

void jc_fanout_set_publisher(struct jc_fanout *fanout, uint32_t body, uint64_t party)
{
	const struct jc_body *found = jc_space_find(fanout->space, body);

	if (found && found->source->party != party) {
		found->source->party = party;
		if (fanout->ignores.count > 0) {
			jc_fanout_update_ignores(fanout, 0);
		}
	}
}

int jc_fanout_replace_ignores(
	struct jc_fanout *fanout, void *by, const struct jc_party_pair pairs[], size_t count)
{
	int status = jc_ignores_replace(&fanout->ignores, by, pairs, count);

	if (status > 0) {
		jc_fanout_update_ignores(fanout, 0);
	}
	return status < 0 ? status : JC_OK;
}

struct jc_party_pair *jc_fanout_ignored_pairs(
	const struct jc_fanout *fanout, const void *without, size_t *out_count)
{
	const struct jc_ignores *ignores = &fanout->ignores;
	struct jc_party_pair *pairs =
		ignores->count > 0 ? calloc(ignores->count, sizeof(*pairs)) : NULL;
	size_t count = 0;

	for (size_t i = 0; pairs && i < ignores->count; i++) {
		const struct jc_ignore *ignore = &ignores->list[i];

		if (ignore->by == without || (count > 0 && pairs[count - 1].low == ignore->low &&
						     pairs[count - 1].high == ignore->high)) {
			continue;
		}
		pairs[count++] = (struct jc_party_pair){ ignore->low, ignore->high };
	}
	*out_count = count;
	return pairs;
}
