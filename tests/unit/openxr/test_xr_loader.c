/* Tests calls with optional structures against a runtime that refuses some of them. */
#include "source/openxr/xr_loader.h"
#include "unit_test.h"

static const char *const names[] = { "first", "second", "third" };

#define ALL UINT32_C(7)

/* A runtime, and the calls that it has received. */
struct runtime {
	uint32_t refuses;    /* structures */
	XrResult refusal;    /* its result then */
	unsigned good_calls; /* it fails afterwards */
	unsigned bad_calls;  /* it fails before */
	unsigned calls;
	uint32_t structures; /* of the last call */
};

static XrResult call(void *context, uint32_t structures)
{
	struct runtime *runtime = context;
	unsigned number = runtime->calls++;

	runtime->structures = structures;
	if (number < runtime->bad_calls || number >= runtime->good_calls) {
		return XR_ERROR_RUNTIME_FAILURE;
	}
	return structures & runtime->refuses ? runtime->refusal : XR_SUCCESS;
}

static struct runtime refusing(uint32_t structures)
{
	return (struct runtime){ .refuses = structures,
		.refusal = XR_ERROR_FEATURE_UNSUPPORTED,
		.good_calls = UINT32_MAX };
}

static void leaves_out_exactly_what_is_refused_and_remembers_it(void **)
{
	for (uint32_t wanted = 0; wanted <= ALL; wanted++) {
		for (uint32_t refused = 0; refused <= ALL; refused++) {
			struct jc_xr_chain chain = { .names = names, .count = 3 };
			struct runtime runtime = refusing(refused);

			assert_int_equal(
				jc_xr_chain_call(&chain, wanted, call, &runtime), XR_SUCCESS);
			assert_int_equal(runtime.structures, wanted & ~refused);
			assert_int_equal(chain.refused, wanted & refused);
			assert_int_equal(chain.why,
				wanted & refused ? XR_ERROR_FEATURE_UNSUPPORTED : XR_SUCCESS);
			assert_in_range(runtime.calls, 1, wanted & refused ? 6 : 1);
			runtime.calls = 0;
			assert_int_equal(
				jc_xr_chain_call(&chain, wanted, call, &runtime), XR_SUCCESS);
			assert_int_equal(runtime.structures, wanted & ~refused);
			assert_int_equal(runtime.calls, 1);
		}
	}
}

static void adds_a_later_refusal_to_the_earlier_ones(void **)
{
	struct jc_xr_chain chain = { .names = names, .count = 3 };
	struct runtime first = refusing(1);
	struct runtime second = refusing(4);

	jc_xr_chain_call(&chain, ALL, call, &first);
	second.refusal = XR_ERROR_VALIDATION_FAILURE;
	jc_xr_chain_call(&chain, ALL, call, &second);
	assert_int_equal(chain.refused, 5);
	assert_int_equal(chain.why, XR_ERROR_VALIDATION_FAILURE);
	assert_int_equal(second.structures, 2);
}

static void a_failure_without_structures_is_no_refusal(void **)
{
	struct jc_xr_chain chain = { .names = names, .count = 3 };
	struct runtime dead = { .good_calls = 0 };

	assert_int_equal(jc_xr_chain_call(&chain, ALL, call, &dead), XR_ERROR_RUNTIME_FAILURE);
	assert_int_equal(chain.refused, 0);
	assert_int_equal(dead.calls, 2);
}

static void a_single_failure_is_no_refusal(void **)
{
	struct jc_xr_chain chain = { .names = names, .count = 3 };
	struct runtime runtime = refusing(0);

	runtime.bad_calls = 1;
	assert_int_equal(jc_xr_chain_call(&chain, ALL, call, &runtime), XR_SUCCESS);
	assert_int_equal(chain.refused, 0);
	assert_int_equal(runtime.structures, ALL);
}

/* Whichever call is the last one that succeeds. */
static void a_runtime_that_ends_meanwhile_refuses_nothing(void **)
{
	for (unsigned good = 1; good < 5; good++) {
		struct jc_xr_chain chain = { .names = names, .count = 3 };
		struct runtime runtime = refusing(1);

		runtime.good_calls = good;
		assert_int_equal(
			jc_xr_chain_call(&chain, ALL, call, &runtime), XR_ERROR_RUNTIME_FAILURE);
		assert_int_equal(chain.refused, 0);
	}
}

static void only_lasting_results_are_refusals(void **)
{
	assert_true(jc_xr_result_is_refusal(XR_ERROR_FEATURE_UNSUPPORTED));
	assert_true(jc_xr_result_is_refusal(XR_ERROR_VALIDATION_FAILURE));
	assert_false(jc_xr_result_is_refusal(XR_ERROR_RUNTIME_FAILURE));
	assert_false(jc_xr_result_is_refusal(XR_ERROR_SESSION_LOST));
	assert_false(jc_xr_result_is_refusal(XR_SUCCESS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_out_exactly_what_is_refused_and_remembers_it),
		cmocka_unit_test(adds_a_later_refusal_to_the_earlier_ones),
		cmocka_unit_test(a_failure_without_structures_is_no_refusal),
		cmocka_unit_test(a_single_failure_is_no_refusal),
		cmocka_unit_test(a_runtime_that_ends_meanwhile_refuses_nothing),
		cmocka_unit_test(only_lasting_results_are_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
