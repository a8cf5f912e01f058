/* Runs jobs on libuv's thread pool. */
#include "base/job.h"

#include <assert.h>
#include <stddef.h>

static void on_work(uv_work_t *request)
{
	const struct jc_job *job = request->data;

	job->ops->work(job->data);
}

static void on_worked(uv_work_t *request, int status)
{
	struct jc_job *job = request->data;
	const struct jc_job_ops *ops = job->ops;

	(void)status; /* no job is cancelled */
	job->ops = NULL;
	if (job->is_abandoned) {
		ops->destroy(job->data);
	} else {
		ops->done(job->data);
	}
}

void jc_job_start(struct jc_job *job, uv_loop_t *loop, const struct jc_job_ops *ops, void *data)
{
	assert(!job->ops && !job->is_abandoned);
	job->request.data = job;
	job->ops = ops;
	job->data = data;
	/* Fails only without a function to run. */
	uv_queue_work(loop, &job->request, on_work, on_worked);
}

bool jc_job_is_running(const struct jc_job *job)
{
	return job->ops != NULL;
}

bool jc_job_abandon(struct jc_job *job)
{
	if (!job || !job->ops) {
		return false;
	}
	assert(job->ops->destroy);
	job->is_abandoned = true;
	return true;
}

void jc_job_wait(struct jc_job *job)
{
	while (job->ops) {
		uv_run(job->request.loop, UV_RUN_ONCE);
	}
}
