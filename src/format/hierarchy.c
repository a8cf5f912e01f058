/* Proves that parent links form a forest, for all readers of hierarchies. */
#include "jointcast_private/hierarchy.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/limits.h"

#define UNKNOWN UINT16_MAX

static int fail_at(const char *where, size_t index, int error, const char *what,
	struct jc_diagnostic *diagnostic)
{
	char place[64];

	snprintf(place, sizeof(place), "%s[%zu]", where, index);
	return jc_diagnose(diagnostic, error, place, "%s", what);
}

/* A path to the root that is longer than the number of nodes is a cycle. */
static bool is_cyclic(const int *parents, size_t count, size_t index)
{
	int at = (int)index;

	for (size_t steps = 0; at >= 0; steps++) {
		if (steps > count) {
			return true;
		}
		at = parents[at];
	}
	return false;
}

/* Walks up to the first node of known depth, at most JC_LIMIT_DEPTH steps. */
static int measure_depth(const int *parents, size_t count, size_t index, const char *where,
	uint16_t *depths, struct jc_diagnostic *diagnostic)
{
	unsigned depth = 0;

	for (int at = parents[index]; at >= 0; at = parents[at]) {
		depth++;
		if (depths[at] != UNKNOWN) {
			depth += depths[at];
			break;
		}
		if (depth >= JC_LIMIT_DEPTH) {
			break;
		}
	}
	if (depth >= JC_LIMIT_DEPTH) {
		if (is_cyclic(parents, count, index)) {
			return fail_at(where, index, JC_ERROR_INVALID,
				"a node that is its own ancestor, or hangs below one", diagnostic);
		}
		return fail_at(
			where, index, JC_ERROR_LIMIT, "hierarchy is nested too deeply", diagnostic);
	}
	depths[index] = (uint16_t)depth;
	return JC_OK;
}

int jc_hierarchy_order(const int *parents, size_t count, const char *where, int *out_order,
	struct jc_diagnostic *diagnostic)
{
	size_t starts[JC_LIMIT_DEPTH + 1] = { 0 };
	uint16_t *depths = malloc((count ? count : 1) * sizeof(*depths));
	int error = JC_OK;

	if (!depths) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, where, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		depths[i] = UNKNOWN;
		if (parents[i] < -1 || (parents[i] >= 0 && (size_t)parents[i] >= count)) {
			error = fail_at(
				where, i, JC_ERROR_INVALID, "parent does not exist", diagnostic);
			goto out;
		}
	}
	for (size_t i = 0; i < count; i++) {
		error = measure_depth(parents, count, i, where, depths, diagnostic);
		if (error) {
			goto out;
		}
		starts[depths[i] + 1u]++;
	}
	for (size_t level = 1; level <= JC_LIMIT_DEPTH; level++) {
		starts[level] += starts[level - 1];
	}
	for (size_t i = 0; i < count; i++) {
		out_order[starts[depths[i]]++] = (int)i;
	}
out:
	free(depths);
	return error;
}
