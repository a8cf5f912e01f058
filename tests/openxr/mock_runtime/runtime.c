/* Checks common to all calls: one lock, one thread, valid handles, and the script of the
 * function. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mock.h"

struct mock_runtime mock = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.released = PTHREAD_COND_INITIALIZER,
	.held = -1.0,
	.recentred = { .orientation = { .w = 1.0f } },
	.knobs = {
		.active = 1.0,
		.confidence = 1.0,
		.flags = 15.0,
		.calibration = 1.0,
		.fidelity = 1.0,
		.skeleton = 1.0,
		.scale = 1.0,
		.no_parent = -1.0,
		.stage = 1.0,
		.local_height = 1.6,
		.rate = 90.0,
		.bd_arms = 1.0,
		.auto_ready = 1.0,
		.present = 1.0,
		.hand_source = 1.0,
		.bd_status = 1.0,
		.supports_hands = 1.0,
		.supports_fb = 1.0,
		.supports_full = 1.0,
		.supports_bd = 1.0,
		.supports_htc = 1.0,
		.supports_height = 1.0,
		.supports_fidelity = 1.0,
		.supports_xdev = 1.0,
		.face_valid = 1.0,
		.face_eyes = 1.0,
		.face_lower = 1.0,
		.face_upper = 1.0,
		.face_right = 1.0,
		.face_state = 2.0,
		.gaze_active = 1.0,
		.gaze_time = 1.0,
	},
};

/* Clocks of two processes never agree exactly. */
#define ERA_SECONDS   1000
#define SANE_NS       10000000000
#define SECOND_NS     1000000000
#define MAX_CHAIN     16u
#define LOST_INSTANCE XR_ERROR_INSTANCE_LOST
#define LOST_SESSION  XR_ERROR_SESSION_LOST

int64_t mock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * (int64_t)SECOND_NS + now.tv_nsec;
}

int64_t mock_sample(void)
{
	double period = SECOND_NS / mock.knobs.rate;
	int64_t now = mock.call_ns ? mock.call_ns : mock_now();

	if (mock.frozen_ns) {
		return mock.frozen_ns;
	}
	int64_t count = (int64_t)((double)(now - mock.motion_ns) / period);

	return mock.motion_ns + (int64_t)((double)count * period);
}

XrTime mock_to_xr(int64_t monotonic_ns)
{
	return monotonic_ns - mock.era_ns + (mock.era + 1) * (int64_t)ERA_SECONDS * SECOND_NS;
}

int64_t mock_from_xr(XrTime time)
{
	return time + mock.era_ns - (mock.era + 1) * (int64_t)ERA_SECONDS * SECOND_NS;
}

void mock_blame(const char *function, const char *format, ...)
{
	char fault[MOCK_FAULT_TEXT];
	va_list arguments;
	int length = snprintf(fault, sizeof(fault), "%s: ", function);

	va_start(arguments, format);
	vsnprintf(fault + length, sizeof(fault) - (size_t)length, format, arguments);
	va_end(arguments);
	for (size_t i = 0; i < mock.fault_count; i++) {
		if (strcmp(mock.faults[i], fault) == 0) {
			return;
		}
	}
	if (mock.fault_count < MOCK_FAULTS) {
		strcpy(mock.faults[mock.fault_count++], fault);
	}
}

struct mock_calls *mock_calls_of(const char *function)
{
	for (size_t i = 0; i < mock.call_count; i++) {
		if (strcmp(mock.calls[i].name, function) == 0) {
			return &mock.calls[i];
		}
	}
	return NULL;
}

/* Stands still as long as the script wants it, without the lock. */
static void wait_released(const struct mock_calls *calls)
{
	struct timespec until;
	int64_t milliseconds = calls->block_ms;

	clock_gettime(CLOCK_REALTIME, &until);
	if (milliseconds != MOCK_FOREVER) {
		int64_t ns = until.tv_nsec + milliseconds % 1000 * 1000000;

		until.tv_sec += milliseconds / 1000 + ns / SECOND_NS;
		until.tv_nsec = ns % SECOND_NS;
	}
	while (calls->block_ms > 0) {
		if (milliseconds == MOCK_FOREVER) {
			pthread_cond_wait(&mock.released, &mock.lock);
		} else if (pthread_cond_timedwait(&mock.released, &mock.lock, &until) != 0) {
			return;
		}
	}
}

static XrResult scripted(struct mock_calls *calls)
{
	if (calls->result == XR_SUCCESS || calls->result_left <= 0) {
		return XR_SUCCESS;
	}
	if (calls->result_left != MOCK_FOREVER) {
		calls->result_left--;
	}
	return calls->result;
}

/* The result of calls on objects of a service that has ended. */
static XrResult loss(const char *function, const struct mock_object *object)
{
	bool destroys = strncmp(function, "xrDestroy", 9) == 0;

	if (!object->is_lost || destroys) {
		return XR_SUCCESS;
	}
	if (mock.fade_left > 0 && strncmp(function, "xrLocate", 8) == 0) {
		bool is_body = strstr(function, "BodyJoints") != NULL;

		mock.fade_left--;
		return is_body ? XR_ERROR_RUNTIME_FAILURE : XR_SUCCESS;
	}
	return object->kind == MOCK_INSTANCE ? LOST_INSTANCE : LOST_SESSION;
}

static XrResult check_handle(const char *function, enum mock_kind kind, uint64_t handle)
{
	const struct mock_object *object = mock_object(handle);

	if (kind == MOCK_KINDS) {
		return XR_SUCCESS;
	}
	if (!pthread_equal(mock.owner, pthread_self())) {
		mock_blame(function, "called from another thread");
	}
	if (!object || object->kind != kind) {
		mock_blame(function, "no such handle");
		return XR_ERROR_HANDLE_INVALID;
	}
	if (!object->is_alive) {
		mock_blame(function, "used after it was destroyed");
		return XR_ERROR_HANDLE_INVALID;
	}
	return loss(function, object);
}

XrResult mock_enter(const char *function, enum mock_kind kind, uint64_t handle)
{
	pthread_mutex_lock(&mock.lock);
	struct mock_calls *calls = mock_calls_of(function);

	calls->count++;
	if (calls->block_ms) {
		wait_released(calls);
	}
	XrResult result = check_handle(function, kind, handle);

	if (result == XR_SUCCESS) {
		result = scripted(calls);
	}
	if (result != XR_SUCCESS) {
		pthread_mutex_unlock(&mock.lock);
	} else {
		mock.call_ns = mock_now();
	}
	return result;
}

XrResult mock_leave(XrResult result)
{
	mock.call_ns = 0;
	pthread_mutex_unlock(&mock.lock);
	return result;
}

bool mock_expect(const char *function, const void *structure, int type, ...)
{
	const XrBaseInStructure *link = structure;

	if (!link) {
		mock_blame(function, "a structure is NULL");
		return false;
	}
	if ((int)link->type != type) {
		mock_blame(function, "type %d where %d is due", (int)link->type, type);
		return false;
	}
	unsigned length = 0;

	for (link = link->next; link; link = link->next) {
		va_list allowed;
		int other;

		va_start(allowed, type);
		do {
			other = va_arg(allowed, int);
		} while (other && other != (int)link->type);
		va_end(allowed);
		if (!other || ++length > MAX_CHAIN) {
			mock_blame(function, "type %d in the chain of %d", (int)link->type, type);
			return false;
		}
		mock_note_link(function, (int)link->type);
	}
	return true;
}

void *mock_chained(const void *structure, int type)
{
	const XrBaseInStructure *link = structure;

	while (link && (int)link->type != type) {
		link = link->next;
	}
	return (void *)(uintptr_t)link;
}

static bool is_listed(char (*list)[XR_MAX_EXTENSION_NAME_SIZE], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i], name) == 0) {
			return true;
		}
	}
	return false;
}

bool mock_is_enabled(const char *extension)
{
	return is_listed(mock.enabled, mock.enabled_count, extension);
}

bool mock_is_offered(const char *extension)
{
	return is_listed(mock.offers, mock.offer_count, extension);
}

bool mock_check_time(const char *function, XrTime time)
{
	int64_t off = time - mock_to_xr(mock_now());

	if (time <= 0) {
		mock_blame(function, "time %lld", (long long)time);
		return false;
	}
	if (off > SANE_NS || off < -SANE_NS) {
		mock_blame(function, "a time of another epoch");
	}
	return true;
}
