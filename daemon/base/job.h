/* Jobs on libuv's thread pool: the work runs on a pool thread, its completion on the loop.
 *
 * The data of a job belongs to the pool thread while the work runs: the loop neither reads
 * nor writes the fields that the work uses until `done` is called. A started job always
 * runs to its end; the loop stays alive until then. An owner that does not wait for the
 * result abandons the job. */
#ifndef JC_JOB_H
#define JC_JOB_H

#include <stdbool.h>
#include <uv.h>

#include "jointcast/error.h"

struct jc_job_ops {
	void (*work)(void *data);    /* on a pool thread */
	void (*done)(void *data);    /* on the loop; may start the job again or free it */
	void (*destroy)(void *data); /* frees data that was abandoned; NULL: never abandoned */
};

/* Part of the data that it works on. All zeros: idle. */
struct jc_job {
	uv_work_t request;
	const struct jc_job_ops *ops; /* of the running work; NULL: idle */
	void *data;
	bool is_abandoned;
};

/* Starts the work. The job is idle; ops and loop outlive it. */
void jc_job_start(struct jc_job *job, uv_loop_t *loop, const struct jc_job_ops *ops, void *data);

bool jc_job_is_running(const struct jc_job *job);

/* The data is destroyed as soon as the work has ended, and `done` is not called. Returns
 * false where the job is idle: the caller destroys the data. NULL is idle. */
bool jc_job_abandon(struct jc_job *job);

/* Runs the loop until the job is idle. */
void jc_job_wait(struct jc_job *job);

/* Starts the threads of the pool and waits until they run. Otherwise libuv starts them at the
 * first job, and aborts the process if the system has no memory or no thread left then: a
 * request of a client would end the daemon. The loop must have nothing else to do. Returns
 * JC_ERROR_MEMORY with the diagnostic filled if the threads cannot be started. */
int jc_job_start_pool(uv_loop_t *loop, struct jc_diagnostic *diagnostic);

#endif
