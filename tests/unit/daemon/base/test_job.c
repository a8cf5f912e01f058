/* Tests jobs on the thread pool: order of work and completion, restart, abandonment. */
#include <stdlib.h>

#include "base/job.h"
#include "unit_test.h"

struct sum {
	struct jc_job job;
	uv_loop_t *loop;
	uv_thread_t thread; /* that did the work */
	int input, output, rounds;
	int *destroyed;
};

static void add(void *data)
{
	struct sum *sum = data;

	sum->thread = uv_thread_self();
	sum->output += sum->input;
}

static void destroy(void *data)
{
	struct sum *sum = data;

	(*sum->destroyed)++;
	free(sum);
}

static void finish(void *data)
{
	struct sum *sum = data;

	sum->rounds--;
}

static const struct jc_job_ops adding = { .work = add, .done = finish, .destroy = destroy };

static void repeat(void *data);

static const struct jc_job_ops repeating = { .work = add, .done = repeat };

static void repeat(void *data)
{
	struct sum *sum = data;

	assert_false(jc_job_is_running(&sum->job));
	if (--sum->rounds > 0) {
		jc_job_start(&sum->job, sum->loop, &repeating, sum);
	}
}

static void works_on_another_thread_and_completes_on_the_loop(void **state)
{
	struct sum sum = { .loop = *state, .input = 3, .rounds = 1 };
	uv_thread_t self = uv_thread_self();

	assert_false(jc_job_is_running(&sum.job));
	jc_job_start(&sum.job, sum.loop, &adding, &sum);
	assert_true(jc_job_is_running(&sum.job));
	uv_run(sum.loop, UV_RUN_DEFAULT);
	assert_false(jc_job_is_running(&sum.job));
	assert_int_equal(sum.output, 3);
	assert_int_equal(sum.rounds, 0);
	assert_false(uv_thread_equal(&self, &sum.thread));
}

static void completion_can_start_the_job_again(void **state)
{
	struct sum sum = { .loop = *state, .input = 2, .rounds = 5 };

	jc_job_start(&sum.job, sum.loop, &repeating, &sum);
	uv_run(sum.loop, UV_RUN_DEFAULT);
	assert_int_equal(sum.output, 10);
}

static void waiting_runs_the_loop_until_the_job_is_idle(void **state)
{
	struct sum sum = { .loop = *state, .input = 7, .rounds = 1 };

	jc_job_wait(&sum.job);
	jc_job_start(&sum.job, sum.loop, &adding, &sum);
	jc_job_wait(&sum.job);
	assert_int_equal(sum.output, 7);
	assert_int_equal(sum.rounds, 0);
}

static void abandoned_data_is_destroyed_after_the_work(void **state)
{
	struct sum *sum = calloc(1, sizeof(*sum));
	int destroyed = 0;

	assert_non_null(sum);
	*sum = (struct sum){ .loop = *state, .rounds = 1, .destroyed = &destroyed };
	jc_job_start(&sum->job, sum->loop, &adding, sum);
	assert_true(jc_job_abandon(&sum->job));
	assert_int_equal(destroyed, 0);
	uv_run(*state, UV_RUN_DEFAULT);
	assert_int_equal(destroyed, 1);
}

static void idle_jobs_are_not_abandoned(void **)
{
	struct jc_job job = { .ops = NULL };

	assert_false(jc_job_abandon(&job));
	assert_false(jc_job_abandon(NULL));
}

static int set_up(void **state)
{
	uv_loop_t *loop = malloc(sizeof(*loop));

	*state = loop;
	return loop ? uv_loop_init(loop) : -1;
}

static int tear_down(void **state)
{
	int status = uv_loop_close(*state);

	free(*state);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(works_on_another_thread_and_completes_on_the_loop),
		cmocka_unit_test(completion_can_start_the_job_again),
		cmocka_unit_test(waiting_runs_the_loop_until_the_job_is_idle),
		cmocka_unit_test(abandoned_data_is_destroyed_after_the_work),
		cmocka_unit_test(idle_jobs_are_not_abandoned),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
