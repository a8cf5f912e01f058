/* A short list: processes are dozens, and searched a few times a second. */
#include "cluster/report/peers.h"

#include <string.h>

static struct jc_cluster_peer *find(struct jc_peers *peers, const char *name)
{
	for (size_t i = 0; i < peers->count; i++) {
		if (strcmp(peers->list[i].name, name) == 0) {
			return &peers->list[i];
		}
	}
	return NULL;
}

/* A new entry, or the place of the one that was silent for the longest time. */
static struct jc_cluster_peer *add(struct jc_peers *peers)
{
	struct jc_cluster_peer *oldest = &peers->list[0];

	if (peers->count < JC_MAX_PROCESSES) {
		return &peers->list[peers->count++];
	}
	for (size_t i = 1; i < peers->count; i++) {
		oldest = peers->list[i].heard_ns < oldest->heard_ns ? &peers->list[i] : oldest;
	}
	return oldest;
}

void jc_peers_hear(
	struct jc_peers *peers, const char *name, enum jc_process_role role, int64_t heard_ns)
{
	struct jc_cluster_peer *peer = find(peers, name);

	if (!peer) {
		peer = add(peers);
		*peer = (struct jc_cluster_peer){ .heard_ns = heard_ns };
		strcpy(peer->name, name);
	}
	peer->role = role;
	if (heard_ns > peer->heard_ns) {
		peer->heard_ns = heard_ns;
		peer->has_left = false;
	}
}

void jc_peers_hear_announcement(
	struct jc_peers *peers, const struct jc_origin_message *message, int64_t heard_ns)
{
	const struct jc_cluster_peer *peer = find(peers, message->origin);

	if (message->is_leaving) {
		jc_peers_leave(peers, message->origin, heard_ns);
	} else {
		jc_peers_hear(peers, message->origin,
			peer && peer->role == JC_ROLE_STANDBY ? JC_ROLE_STANDBY : JC_ROLE_ORIGIN,
			heard_ns);
	}
}

void jc_peers_leave(struct jc_peers *peers, const char *name, int64_t now_ns)
{
	struct jc_cluster_peer *peer = find(peers, name);

	if (peer) {
		peer->heard_ns = now_ns;
		peer->has_left = true;
	}
}

void jc_peers_expire(struct jc_peers *peers, int64_t now_ns)
{
	for (size_t i = peers->count; i-- > 0;) {
		if (now_ns - peers->list[i].heard_ns >= JC_PEER_LASTS_NS) {
			peers->list[i] = peers->list[--peers->count];
		}
	}
}
