/* A list with a sum of costs. */
#include "base/request_queue.h"

#include "maxima.h"

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

void jc_request_queue_add(struct jc_request_queue *queue, struct jc_queued *request)
{
	*queue->end = request;
	queue->end = &request->next;
	queue->cost += request->cost;
}

struct jc_queued *jc_request_queue_shift(struct jc_request_queue *queue)
{
	struct jc_queued *request = queue->first;

	queue->first = request->next;
	if (!queue->first) {
		queue->end = &queue->first;
	}
	queue->cost -= request->cost;
	return request;
}

struct jc_queued *jc_request_queue_take(struct jc_request_queue *queue, uint64_t connection)
{
	struct jc_queued *taken = NULL;
	struct jc_queued **taken_end = &taken;
	struct jc_queued *before = queue->first;

	while (before && before->next) {
		struct jc_queued *request = before->next;

		if (connection != 0 && request->connection != connection) {
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
