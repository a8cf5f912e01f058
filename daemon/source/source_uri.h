/* The value of --source: file:PATH[?option&…], demo:NAME[?option&…], replay:PATH[?option&…],
 * vmc:[ADDR:]PORT[?option&…], osc-trackers:[[ADDR:]PORT][?option&…], mocopi:, ifacialmocap: or
 * facemotion3d:[ADDR:]PORT[?option&…], or openxr:[?option&…]. */
#ifndef JC_SOURCE_URI_H
#define JC_SOURCE_URI_H

#include <limits.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "maxima.h"
#include "source/tracker_role.h"

enum jc_source_scheme {
	JC_SOURCE_FILE,
	JC_SOURCE_DEMO,
	JC_SOURCE_VMC,
	JC_SOURCE_OPENXR,
	JC_SOURCE_OSC_TRACKERS,
	JC_SOURCE_MOCOPI,
	JC_SOURCE_IFACIALMOCAP,
	JC_SOURCE_FACEMOTION3D,
	JC_SOURCE_REPLAY,
};

/* The networks of those that may send (jc_address_network); count 0: all. */
struct jc_source_peers {
	size_t count;
	char networks[JC_MAX_SOURCE_PEERS][JC_MAX_WHO];
};

/* Names for the bodies of a replayed recording. */
struct jc_body_rename {
	char from[JC_MAX_BODY_NAME], to[JC_MAX_BODY_NAME];
};

/* All zeros: the recorded names. */
struct jc_body_names {
	char prefix[JC_MAX_BODY_NAME]; /* prefix of all names without a rename */
	size_t rename_count;
	struct jc_body_rename renames[JC_MAX_REPLAY_RENAMES];
};

struct jc_source_uri {
	enum jc_source_scheme scheme;
	char path[PATH_MAX];             /* file, name of the demo, or address of the port */
	struct sockaddr_storage address; /* of a UDP port: listening address, */
	bool remote;                     /* which permits senders beyond loopback */
	struct jc_source_peers peers;    /* of a UDP port other than vmc: those that may send */
	struct sockaddr_storage phone;   /* faces: asked to send; AF_UNSPEC: none */
	char body[JC_MAX_BODY_NAME];     /* faces: whose face it is; "": its own body's */
	char avatar[PATH_MAX];           /* vmc: FILE[#N], the sender's avatar; or empty */
	char bones[PATH_MAX];            /* file: the file of a bone map (bone_map.h); or empty */
	bool loop;
	bool mirror;
	bool has_motion;
	size_t motion; /* file: number of the motion, or of the body in a recording */
	double speed;
	double twist;                      /* jc_pose_share_twist */
	struct jc_one_euro_options smooth; /* live sources; all 0: no smoothing */
	int profile;                       /* openxr: enum jc_profile, or -1 for auto */
	double height; /* openxr, osc-trackers: height of the person, metres; 0: unknown */
	bool has_face; /* openxr: with face and gaze */
	struct jc_tracker_roles
		trackers;           /* openxr: roles by serial or name; osc-trackers: by number */
	double from, until;         /* replay: seconds; an `until` past the end means the end */
	bool is_paused;             /* replay: initially */
	struct jc_body_names names; /* replay */
	char space[JC_MAX_SPACE_NAME];
	char name[JC_MAX_BODY_NAME]; /* empty: the name of the motion */
};

/* Parses a URI. The path is literal; options begin at the last '?', so a path that contains '?'
 * needs another one at its end. Options: space=NAME (default lobby); name=NAME (all but replay;
 * names have the escapes of jc_query_unescape); file and demo: loop[=0|1] (default 1), speed=X
 * (default 1), mirror[=0|1] (default 0), twist=X (default 0); file: motion=N (default 0; a
 * recording: all bodies, as with replay), bones=FILE, a bone map; replay: loop[=0|1] (default 0),
 * speed=X (0.1 to 10, default 1), from=S, until=S, paused[=0|1] (default 0), prefix=TEXT, and
 * rename=OLD:NEW any number of times; live sources: smooth[=MINCUTOFF,BETA] (one_euro.h); vmc:
 * avatar=FILE[#N], and allow=remote, which addresses beyond loopback require, because VMC has no
 * authentication; openxr: profile=auto|NAME (default auto), height=METRES, face=0|1 (default 1),
 * and tracker=SERIAL:ROLE or tracker=NAME:ROLE (tracker_role.h) any number of times; osc-trackers:
 * allow=remote as for vmc, peer=ADDR any number of times, height=METRES and tracker=N:ROLE; mocopi,
 * ifacialmocap, facemotion3d: allow=remote and peer=ADDR likewise; the latter two: body=NAME,
 * phone=ADDR[:PORT], height=METRES. Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_source_uri_parse(
	const char *text, struct jc_source_uri *out_uri, struct jc_diagnostic *diagnostic);

/* 1-63 bytes of letters, digits, '.', '_' and '-'. */
bool jc_source_space_name_is_valid(const char *name);

#endif
