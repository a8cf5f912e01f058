/* Runs jobs on libuv's thread pool. */
#include "base/job.h"

#include <assert.h>
#include <stdlib.h>

#define USUAL_THREADS 4    /* libuv, threadpool.c */
#define MOST_THREADS  1024 /* libuv, threadpool.c */

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

/* The value that libuv computes. */
static unsigned thread_count(void)
{
	const char *text = getenv("UV_THREADPOOL_SIZE");
	int count = text ? atoi(text) : USUAL_THREADS;

	return count < 0 || count > MOST_THREADS ? MOST_THREADS : count == 0 ? 1 : (unsigned)count;
}

static void wait_for_end(void *end)
{
	uv_sem_wait(end);
}

/* Shows that the system can start this many threads at the same time; libuv's threads then
 * take their place. libuv has no call that starts the pool and reports an error. Returns 0 or
 * a libuv error. */
static int try_threads(unsigned count)
{
	uv_thread_t *threads = calloc(count, sizeof(*threads));
	unsigned started = 0;
	uv_sem_t end;
	int status = threads ? uv_sem_init(&end, 0) : UV_ENOMEM;

	if (status != 0) {
		free(threads);
		return status;
	}
	while (status == 0 && started < count) {
		status = uv_thread_create(&threads[started], wait_for_end, &end);
		started += status == 0;
	}
	for (unsigned i = 0; i < started; i++) {
		uv_sem_post(&end);
	}
	for (unsigned i = 0; i < started; i++) {
		uv_thread_join(&threads[i]);
	}
	uv_sem_destroy(&end);
	free(threads);
	return status;
}

static void do_nothing(void *data)
{
	(void)data;
}

static const struct jc_job_ops idle = { .work = do_nothing, .done = do_nothing };

int jc_job_start_pool(uv_loop_t *loop, struct jc_diagnostic *diagnostic)
{
	unsigned count = thread_count();
	int status = try_threads(count);
	struct jc_job job = { .ops = NULL };

	if (status != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL,
			"cannot start %u threads for files: %s", count, uv_strerror(status));
	}
	jc_job_start(&job, loop, &idle, NULL);
	jc_job_wait(&job);
	return JC_OK;
}
