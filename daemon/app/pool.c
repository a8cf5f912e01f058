/* libuv has no call that starts the pool and reports a failure. Threads of our own, as many
 * and alive at the same time, show first that the system can have them; libuv's then take
 * their place. */
#include "app/pool.h"

#include <stdlib.h>

#include "base/job.h"

#define USUAL_THREADS 4    /* libuv, threadpool.c */
#define MOST_THREADS  1024 /* likewise */

/* As libuv reads it. */
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

/* 0, or the error of the thread that could not be started. */
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

int jc_pool_start(uv_loop_t *loop, struct jc_diagnostic *diagnostic)
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
