/* The persons in a space: who they are to each other, and who ignores whom. A person with a token
 * is a hash of its subject with the key of the space, the same on all hosts that serve the space;
 * it reveals nothing to those without the key. A person without a token is a connection. */
#ifndef JC_PEOPLE_H
#define JC_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "space/fanout.h"

#define JC_PARTY_ELSEWHERE 1u /* a source of another host, which cannot be ignored */

/* Whether the party has a token. */
bool jc_party_has_token(uint64_t party);

/* The party of a connection without a token, which nobody else can choose. key: of the process. */
uint64_t jc_party_of_connection(const struct jc_siphash_key *key, uint64_t serial);

/* The key of a space, from the secret of a host. */
struct jc_siphash_key jc_people_key(const struct jc_siphash_key *secret, const char *space);

/* The party of a subscriber in a space with that key. */
uint64_t jc_people_party(const struct jc_siphash_key *key, const struct jc_subscriber *subscriber);

/* The same in this space. */
uint64_t jc_fanout_party(const struct jc_fanout *fanout, const struct jc_subscriber *subscriber);

/* Another key: the owner of the subscribers renames their parties (jc_fanout_rename), and ignores
 * of persons with a token end, because those at other hosts have other parties now. remote: as `by`
 * of jc_fanout_replace_ignores, or NULL. Returns whether the key is another one. */
bool jc_fanout_set_people_key(
	struct jc_fanout *fanout, const struct jc_siphash_key *key, const void *remote);

/* The publisher of a relayed body. Does nothing without such a body. */
void jc_fanout_set_publisher(struct jc_fanout *fanout, uint32_t body, uint64_t party);

/* Replaces all ignores that another host announces. by: identifies that host, no subscriber. Pairs
 * are borrowed. Returns 0 or JC_ERROR_MEMORY, without a change. */
int jc_fanout_replace_ignores(
	struct jc_fanout *fanout, void *by, const struct jc_party_pair pairs[], size_t count);

/* The pairs that ignore each other, each once and sorted; without those of `without`, a host as
 * above (NULL: of all). The caller frees them. NULL: none, or no memory. */
struct jc_party_pair *jc_fanout_ignored_pairs(
	const struct jc_fanout *fanout, const void *without, size_t *out_count);

#endif
