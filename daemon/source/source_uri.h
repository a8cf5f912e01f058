/* The value of --source: file:PATH[?option&…], demo:NAME[?option&…], replay:PATH[?option&…],
 * vmc:[ADDR:]PORT[?option&…] or openxr:[?option&…]. */
#ifndef JC_SOURCE_URI_H
#define JC_SOURCE_URI_H

#include <limits.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "maxima.h"

enum jc_source_scheme {
	JC_SOURCE_FILE,
	JC_SOURCE_DEMO,
	JC_SOURCE_VMC,
	JC_SOURCE_OPENXR,
	JC_SOURCE_REPLAY,
};

/* The names that bodies of a recording get when it is replayed. */
struct jc_body_rename {
	char from[JC_MAX_BODY_NAME], to[JC_MAX_BODY_NAME];
};

/* All zeros: the recorded names. */
struct jc_body_names {
	char prefix[JC_MAX_BODY_NAME]; /* before every name that is not in the list */
	size_t rename_count;
	struct jc_body_rename renames[JC_MAX_REPLAY_RENAMES];
};

struct jc_source_uri {
	enum jc_source_scheme scheme;
	char path[PATH_MAX];             /* of the file, the demo's name, or what names the port */
	struct sockaddr_storage address; /* vmc: where to listen */
	bool remote;                     /* vmc: others than loopback may send */
	char avatar[PATH_MAX];           /* vmc: FILE[#N] that the sender plays, or empty */
	bool loop;
	bool mirror;
	bool has_motion;
	size_t motion; /* file: which of its motions, or bodies of a recording */
	double speed;
	double twist;                      /* jc_pose_share_twist */
	struct jc_one_euro_options smooth; /* live ones; all 0: not */
	int profile;                       /* openxr: enum jc_profile, or -1 for auto */
	double height;                     /* openxr: of the person, metres; 0: not known */
	double from, until;                /* replay: seconds; until past its end: all of it */
	bool is_paused;                    /* replay: at first */
	struct jc_body_names names;        /* replay */
	char space[JC_MAX_SPACE_NAME];
	char name[JC_MAX_BODY_NAME]; /* empty: the motion's own */
};

/* The path is taken literally; options begin at the last '?', so that a path
 * which holds one is written with another at its end. Options: space=NAME
 * (default lobby); of all but replay name=NAME; of file and demo loop[=0|1] (default 1),
 * speed=X (default 1), mirror[=0|1] (default 0), twist=X (default 0); of file motion=N
 * (default 0, but all bodies of a recording, as replay has it); of replay loop[=0|1]
 * (default 0), speed=X (0.1 to 10, default 1), from=S, until=S, paused[=0|1] (default 0),
 * prefix=TEXT and rename=OLD:NEW, which may be there again; of live ones
 * smooth[=MINCUTOFF,BETA] (one_euro.h); of vmc avatar=FILE[#N] and allow=remote,
 * without which any address but loopback is refused: VMC knows no authentication;
 * of openxr profile=auto|NAME (default auto) and height=METRES. Returns 0 or JC_ERROR_INVALID with
 * the diagnostic filled. */
int jc_source_uri_parse(
	const char *text, struct jc_source_uri *out_uri, struct jc_diagnostic *diagnostic);

/* 1-63 bytes of letters, digits, '.', '_' and '-'. */
bool jc_source_space_name_is_valid(const char *name);

#endif
