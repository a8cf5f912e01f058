/* Uploads and removals of avatars, which are processed one at a time in the order of their arrival.
 */
#ifndef JC_AVATAR_REQUESTS_H
#define JC_AVATAR_REQUESTS_H

#include <stdint.h>

#include "avatars/avatar_store.h"
#include "base/request_queue.h"

struct jc_avatar_requests {
	const struct jc_avatar_store_options *options; /* borrowed */
	struct jc_request_queue queue;
	uint64_t refused; /* uploads */
};

void jc_avatar_requests_init(
	struct jc_avatar_requests *requests, const struct jc_avatar_store_options *options);

/* These do the work of the functions of avatar_store.h with the same names. */
int jc_avatar_requests_put(struct jc_avatar_requests *requests,
	const struct jc_avatar_upload *upload, jc_avatar_reported *on_result, void *context);
int jc_avatar_requests_remove(struct jc_avatar_requests *requests, struct jc_avatar *avatar,
	jc_avatar_reported *on_result, void *context);
void jc_avatar_requests_stop(struct jc_avatar_requests *requests);

#endif
