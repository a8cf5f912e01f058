/* An OpenXR runtime that follows a script and records errors of its client. One state for the
 * process, under one lock; it survives unloading by the loader (-z nodelete). Tests change it
 * through a socket or, in the same process, through mock_runtime_command. */
#ifndef MOCK_H
#define MOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "extensions.h"

#define MOCK_OFFERS     32u
#define MOCK_LINKS      32u
#define MOCK_OBJECTS    16384u
#define MOCK_EVENTS     64u
#define MOCK_FAULTS     64u
#define MOCK_BINDINGS   128u
#define MOCK_PATHS      256u
#define MOCK_FUNCTIONS  96u
#define MOCK_FAULT_TEXT 160u
#define MOCK_XDEVS      48u
#define MOCK_XDEV_LISTS 4u
#define MOCK_MAX_JOINTS 96u
#define MOCK_WEIGHTS    70u
#define MOCK_FOREVER    INT64_MAX

/* Objects */

enum mock_kind {
	MOCK_INSTANCE = 1,
	MOCK_SESSION,
	MOCK_SPACE,
	MOCK_ACTION_SET,
	MOCK_ACTION,
	MOCK_HAND_TRACKER,
	MOCK_TRACKER_FB,
	MOCK_TRACKER_BD,
	MOCK_TRACKER_HTC,
	MOCK_XDEV_LIST,
	MOCK_FACE_FB,
	MOCK_FACE_HTC,
	MOCK_FACE_ANDROID,
	MOCK_KINDS
};

/* The number in a handle of OpenXR, a pointer for the client. */
#define ID(handle) ((uint64_t)(uintptr_t)(handle))

/* A handle is the index of its object, plus one; none is used twice. */
struct mock_object {
	enum mock_kind kind;
	uint32_t parent; /* handle */
	bool is_alive;
	bool is_lost;
	bool is_xdev;     /* of a space: that of the device at `path` */
	int32_t value;    /* reference space type, hand, joint set or snapshot; type of an action */
	bool has_sources; /* a hand tracker whose client accepts sources of its data */
	uint32_t action;  /* handle, of an action space */
	XrPath path;      /* of an action space: whose hand or role */
	XrPosef pose;     /* in its reference space or action */
};

/* Motion */

struct mock_joint {
	XrPosef pose;
	uint8_t state; /* 0 absent, 1 estimated, 2 tracked */
};

/* Named joints over time, from a body-frame file (.jsonl). */
struct mock_motion {
	char (*names)[XR_MAX_PATH_LENGTH];
	size_t joint_count;
	struct mock_joint *rest; /* joint_count, or NULL */
	double *times;
	struct mock_joint *joints; /* frame by frame */
	size_t frame_count;
};

/* NULL and one line in out_error when the file cannot be used. */
struct mock_motion *mock_motion_read(const char *path, char out_error[MOCK_FAULT_TEXT]);
void mock_motion_destroy(struct mock_motion *motion);
/* The frame nearest to t, which wraps round. */
size_t mock_motion_frame(const struct mock_motion *motion, double t);

enum mock_stream_name {
	MOCK_STREAM_FB,
	MOCK_STREAM_BD,
	MOCK_STREAM_HTC,
	MOCK_STREAM_HANDS,
	MOCK_STREAM_DEVICES,
	MOCK_STREAMS
};

struct mock_stream {
	struct mock_motion *motion;
	int columns[MOCK_MAX_JOINTS]; /* of the joints of the API in the motion, or -1 */
};

/* Names by index in the API; hands: left, then right. NULL past the last. */
const char *mock_joint_name(enum mock_stream_name stream, size_t joint);
size_t mock_joint_count(enum mock_stream_name stream);

/* The script */

struct mock_knobs {
	double active;       /* whether bodies and hands are there */
	double confidence;   /* FB: 0..1; HTC: 0, 1 or 2 */
	double flags;        /* of XrSpaceLocationFlags, those that are ever set */
	double root_valid;   /* joint 0 of FB */
	double calibration;  /* META: 1 valid, 2 calibrating, 3 invalid */
	double fidelity;     /* META: 1 low, 2 high; the requested value applies */
	double skeleton;     /* how often the skeleton changed */
	double scale;        /* of the body: its positions and its skeleton's */
	double scramble;     /* the skeleton's joints come in another order */
	double no_parent;    /* parent of the root: -1 or 85 */
	double partial;      /* the skeleton has the joints of the motion alone */
	double no_skeleton;  /* the skeleton cannot be had */
	double stage;        /* whether a stage is there */
	double local_height; /* of LOCAL over the floor */
	double rate;         /* samples a second */
	double local_floor;  /* whether LOCAL_FLOOR is there */
	double bd_arms;      /* whether BD has its set with arms */
	double auto_ready;   /* a session becomes ready by itself */
	double fade;         /* calls that succeed with flags 0 once a runtime is down */
	double present;      /* whether a person wears the headset, when a session begins */
	double hand_source;  /* 1 unobstructed, 2 controller; 0: none that was requested */
	double bd_status;    /* 0 invalid, 1 valid, 2 limited, */
	double bd_message;   /* and the reason */
	double supports_hands, supports_fb, supports_full, supports_bd, supports_htc;
	double supports_height, supports_fidelity, supports_xdev;
	double face_valid;             /* whether a face is tracked */
	double face_eyes;              /* whether the eyes are, too */
	double face_lower, face_upper; /* confidence; Android's upper left */
	double face_right;             /* Android's upper right */
	double face_state;             /* Android: 0 paused, 1 stopped, 2 tracking */
	double face_age;               /* seconds by which its samples are older */
	double supports_fb_face;       /* 1 cameras, 2 microphone, 3 both */
	double supports_htc_face;      /* 1 eyes, 2 lips, 3 both */
	double supports_android_face;
	double supports_gaze;
	double gaze_active; /* false: the person permits no eye tracking */
	double gaze_time;   /* whether samples of the gaze have a time */
	double xdev_live;   /* lists of devices report the current generation, not their own */
	double xdev_fixed;  /* all lists of devices have the generation 1, as stock Monado's */
	double xdev_result; /* of locating a device without a pose */
};

/* A device of XR_MNDX_xdev_space. */
struct mock_xdev {
	char name[MOCK_XDEV_TEXT], serial[MOCK_XDEV_TEXT]; /* may lack a NUL */
	char path[XR_MAX_PATH_LENGTH]; /* in the motion of devices; empty: no pose */
};

struct mock_xdevs {
	uint64_t generation;
	size_t count;
	struct mock_xdev list[MOCK_XDEVS];
};

struct mock_function {
	const char *name;
	const char *extension; /* that it belongs to, or NULL */
	PFN_xrVoidFunction function;
};

/* The script of one function, and its number of calls. */
struct mock_calls {
	const char *name;
	uint64_t count;
	XrResult result;
	int64_t result_left;
	int64_t block_ms; /* of every call; MOCK_FOREVER until released */
};

struct mock_binding {
	uint32_t action;
	XrPath path;
};

struct mock_runtime {
	pthread_mutex_t lock;
	pthread_cond_t released;
	bool is_set_up;

	/* The script's */
	char offers[MOCK_OFFERS][XR_MAX_EXTENSION_NAME_SIZE];
	size_t offer_count;
	char denied[XR_MAX_EXTENSION_NAME_SIZE]; /* an extension that is listed, but not enabled */
	struct mock_knobs knobs;
	struct mock_calls calls[MOCK_FUNCTIONS];
	size_t call_count;
	struct mock_stream streams[MOCK_STREAMS];
	struct mock_xdevs xdevs;
	bool is_down;
	XrResult down_result;
	int64_t fade_left;
	XrPosef recentred;             /* of every reference space, in the stage of the beginning */
	float weights[MOCK_WEIGHTS];   /* blend shapes of the face */
	XrResult refusals[MOCK_LINKS]; /* of calls with that structure in a chain (chain.c) */

	/* Time: of CLOCK_MONOTONIC, nanoseconds */
	uint32_t era; /* runs of the service; XrTime restarts with each */
	int64_t era_ns;
	int64_t motion_ns; /* when motions began */
	int64_t frozen_ns; /* the sample that stays, or 0 */
	int64_t call_ns; /* when the call in progress began, or 0: one sample for all its joints */
	double held;     /* second of the motion that stays while time goes on, or < 0 */

	/* The client's */
	struct mock_object objects[MOCK_OBJECTS];
	uint32_t object_count;
	struct mock_xdevs snapshots[MOCK_XDEV_LISTS]; /* of lists of devices */
	pthread_t owner;                              /* the thread that made the instance */
	char enabled[MOCK_OFFERS][XR_MAX_EXTENSION_NAME_SIZE];
	size_t enabled_count;
	XrEventDataBuffer events[MOCK_EVENTS];
	size_t event_count;
	XrSessionState session_state;
	bool is_running, is_leaving, is_attached, is_synced;
	char paths[MOCK_PATHS][XR_MAX_PATH_LENGTH];
	size_t path_count;
	struct mock_binding bindings[MOCK_BINDINGS];
	size_t binding_count;
	char faults[MOCK_FAULTS][MOCK_FAULT_TEXT];
	size_t fault_count; /* of different ones that are kept */

	/* Times of the client's calls */
	int64_t up_ns;        /* the service was back */
	int64_t created_ns;   /* the first instance since then */
	int64_t located_ns;   /* the first joints or devices located since then */
	int64_t attempt_ns;   /* the last attempt at an instance */
	int64_t longest_wait; /* between two of them that failed, since it went down */
	float height_override;

	uint32_t chained;       /* structures that the client has chained, by bit */
	uint64_t refused_calls; /* that failed because of a structure in their chain */
};

extern struct mock_runtime mock;

/* NULL: no function of this runtime. */
struct mock_calls *mock_calls_of(const char *function);

/* Time */
int64_t mock_now(void);    /* CLOCK_MONOTONIC */
int64_t mock_sample(void); /* of the newest sample */
XrTime mock_to_xr(int64_t monotonic_ns);
int64_t mock_from_xr(XrTime time);

/* Rules that a client must not break. Called with the lock held. */
void mock_blame(const char *function, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Begins a call on an object of that kind (MOCK_KINDS: without an object): counts it, checks
 * thread and handle and follows the script. On any result but XR_SUCCESS the function returns
 * it at once; else the lock is held until mock_leave, which returns its argument. */
XrResult mock_enter(const char *function, enum mock_kind kind, uint64_t handle);
XrResult mock_leave(XrResult result);
/* A complete call that destroys the object, with its children. */
XrResult mock_end(const char *function, enum mock_kind kind, uint64_t handle);

/* Whether a structure has its type and all in its chain is of those that are
 * listed, 0 at the end; blames otherwise. */
bool mock_expect(const char *function, const void *structure, int type, ...);
void *mock_chained(const void *structure, int type); /* NULL where it is not */
/* The result with which the script refuses this chain, or XR_SUCCESS. */
XrResult mock_check_chain(const void *structure);
bool mock_refuse(const char *name, XrResult result);       /* false: no such structure */
void mock_note_link(const char *function, int type);       /* the client has chained it */
const char *mock_link_name(size_t link);                   /* NULL past the last */
const char *mock_change_xdevs(size_t count, char **words); /* an error, or NULL */
bool mock_is_enabled(const char *extension);
bool mock_is_offered(const char *extension);
/* A time that a sane client can mean. */
bool mock_check_time(const char *function, XrTime time);
bool mock_is_unit(XrQuaternionf q);

uint64_t mock_create(enum mock_kind kind, uint64_t parent); /* handle, 0: too many */
struct mock_object *mock_object(uint64_t handle);           /* NULL where it never was */
void mock_destroy(const char *function, uint64_t handle);   /* with its children */
void mock_lose(enum mock_kind kind);                        /* all there are, and theirs */

void mock_push_event(const void *event, size_t size);
void mock_push_presence(void); /* only with the extension */
void mock_change_state(XrSessionState state);
uint64_t mock_session(void); /* the handle of the one that is alive, or 0 */

/* Where things are, as seen from a space: of a joint (stream and index), or of a
 * device, by its path or "view". Returns flags, 0 with a pose of zeros. */
XrSpaceLocationFlags mock_locate(
	enum mock_stream_name stream, size_t joint, uint64_t base, XrPosef *out_pose);
XrSpaceLocationFlags mock_locate_device(const char *name, uint64_t base, XrPosef *out_pose);
XrSpaceLocationFlags mock_locate_space(uint64_t space, uint64_t base, XrPosef *out_pose);
/* The skeleton's own T-pose; false if it has none. */
bool mock_rest(enum mock_stream_name stream, size_t joint, XrPosef *out_pose);

/* The eyes, as a device and as a path of their binding. */
#define MOCK_GAZE "/user/eyes_ext/input/gaze_ext/pose"
bool mock_is_gaze(uint64_t action); /* is bound to it */

/* Paths */
XrPath mock_path(const char *text);
const char *mock_path_text(XrPath path); /* NULL if it is invalid */

/* Functions, by file */
extern const struct mock_function mock_instance_functions[];
extern const struct mock_function mock_session_functions[];
extern const struct mock_function mock_space_functions[];
extern const struct mock_function mock_action_functions[];
extern const struct mock_function mock_hand_functions[];
extern const struct mock_function mock_body_fb_functions[];
extern const struct mock_function mock_body_functions[];
extern const struct mock_function mock_xdev_functions[];
extern const struct mock_function mock_face_functions[];
extern const struct mock_function mock_forbidden_functions[];

/* The script: one command, one line of JSON as answer. */
void mock_set_up(void);
void mock_report(char *out_text, size_t size);
__attribute__((visibility("default"))) void mock_runtime_command(
	const char *command, char *out_answer, size_t size);
void mock_control_start(const char *path);

#endif
