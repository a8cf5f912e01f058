/* Queues requests of clients, bounded by what they cost to process. */
#include "registry/request_queue.h"

#include <stdlib.h>

void jc_request_queue_init(struct jc_request_queue *queue)
{
	*queue = (struct jc_request_queue){ .end = &queue->first };
}

bool jc_request_queue_has_room(const struct jc_request_queue *queue, size_t cost)
{
	/* Large uploads leave room for small ones. */
	size_t most = cost > JC_MAX_UPLOAD_SMALL ? JC_MAX_UPLOADS_LARGE : JC_MAX_UPLOADS_BYTES;

	return queue->cost < most && cost <= most - queue->cost;
}

void jc_request_queue_add(struct jc_request_queue *queue, struct jc_queued_request *request)
{
	*queue->end = request;
	queue->end = &request->next;
	queue->cost += request->cost;
}

void jc_request_queue_shift(struct jc_request_queue *queue)
{
	struct jc_queued_request *request = queue->first;

	queue->first = request->next;
	if (!queue->first) {
		queue->end = &queue->first;
	}
	queue->cost -= request->cost;
	jc_queued_request_destroy(request);
}

struct jc_queued_request *jc_request_queue_take(struct jc_request_queue *queue, uint64_t connection)
{
	struct jc_queued_request *taken = NULL;
	struct jc_queued_request **taken_end = &taken;
	struct jc_queued_request *before = queue->first;

	while (before && before->next) {
		struct jc_queued_request *request = before->next;

		if (connection != 0 && request->owner.connection != connection) {
			before = request;
			continue;
		}
		before->next = request->next;
		queue->cost -= request->cost;
		request->next = NULL;
		*taken_end = request;
		taken_end = &request->next;
	}
	queue->end = before ? &before->next : &queue->first;
	return taken;
}

void jc_queued_request_destroy(struct jc_queued_request *request)
{
	if (!request->is_in_table) {
		jc_skeleton_asset_destroy(request->asset);
	}
	free(request->bytes);
	free(request->lint);
	free(request->removed);
	free(request);
}
