/* Checks whether a glTF file can be shown to other people as the avatar of a body: its types and
 * sizes are true, it refers to nothing outside, and drawing it costs no more than the caps
 * permit. proto/AVATARS.md states the rules; clients/js checks the same ones. */
#ifndef JOINTCAST_AVATAR_H
#define JOINTCAST_AVATAR_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JC_AVATAR_TEXT_BYTES   256 /* a text of struct jc_avatar_facts, with its NUL */
#define JC_AVATAR_LEAST_EXTENT 50  /* millimetres; a smaller figure cannot be seen */

/* Where the file describes its humanoid. */
enum jc_avatar_format {
	JC_AVATAR_GLTF, /* EXT_skeleton_humanoid, or recognised joints */
	JC_AVATAR_VRM0, /* extension VRM */
	JC_AVATAR_VRM1, /* extension VRMC_vrm; the one that counts where a file has both */
};

/* Who may act as the avatar, from the meta of a VRM (VRM 1.0: avatarPermission; VRM 0.x:
 * allowedUserName). A VRM that does not state it permits its author alone, the default of
 * VRM 1.0. */
enum jc_avatar_permission {
	JC_AVATAR_UNSTATED, /* not a VRM */
	JC_AVATAR_ONLY_AUTHOR,
	JC_AVATAR_LICENSED, /* persons to whom the author gave permission */
	JC_AVATAR_EVERYONE,
};

/* Which changes the meta of a VRM permits (VRM 1.0: modification; VRM 0.x: licenseName). Files
 * are never changed here; the fact is for people. */
enum jc_avatar_modification {
	JC_AVATAR_MODIFICATION_UNSTATED, /* not a VRM */
	JC_AVATAR_MODIFICATION_PROHIBITED,
	JC_AVATAR_MODIFICATION_ALLOWED,       /* but not the redistribution of the result */
	JC_AVATAR_MODIFICATION_REDISTRIBUTED, /* and the redistribution of the result */
};

/* The right by which a person shows a file to others, as that person declares it. */
enum jc_avatar_rights {
	JC_AVATAR_RIGHTS_AUTHOR,   /* made it, or holds all rights */
	JC_AVATAR_RIGHTS_LICENSED, /* its author permits the person to show and to send it */
	JC_AVATAR_RIGHTS_PUBLIC,   /* its licence permits that to everyone */
};

/* Contents of a file. Counts that cost time or memory where the file is shown are sums over
 * all nodes, so that a mesh that two nodes use counts twice. */
struct jc_avatar_facts {
	enum jc_avatar_format format; /* of the humanoid */
	bool is_binary;               /* GLB; otherwise JSON with data: URIs */
	bool is_vrm;                  /* VRM0 or VRM1 */
	size_t bytes;                 /* of the file */
	size_t values;     /* of its JSON: objects, arrays, strings, numbers, true, false, null */
	size_t nodes;      /* of the file */
	size_t joints;     /* of all skins; a node counts once in each skin */
	size_t primitives; /* draw calls: parts of meshes, for each node that has the mesh */
	size_t triangles;  /* of them; points and lines count as triangles */
	size_t vertices;   /* of the parts of all meshes, each part (1 + morph targets) times */
	size_t base_vertices; /* without morph targets */
	size_t geometry;      /* bytes of all accessors, unpacked */
	size_t materials;     /* of the file */
	size_t textures;      /* of the file */
	size_t images;        /* of the file */
	size_t pixels;        /* decoded, of all images; an image counts once for each sampler of
			       * its textures */
	size_t side;          /* the greatest width or height of an image, pixels */
	size_t springs;       /* joints of VRM springs, each (1 + colliders that it may touch)
			       * times */
	size_t extent;        /* millimetres from the origin that its meshes may reach along an axis
			       * at rest, an upper bound; 0: it has no meshes */
	enum jc_avatar_permission permission;     /* to act as the avatar */
	enum jc_avatar_modification modification; /* to change the file */
	bool may_redistribute; /* VRM 1.0: allowRedistribution; VRM 0.x: a licenseName other than
				* Redistribution_Prohibited; false if not a VRM */
	/* Text of the file for people, cut to its size, without control characters; "" if absent.
	 */
	char title[JC_AVATAR_TEXT_BYTES];   /* meta.name or meta.title of a VRM */
	char author[JC_AVATAR_TEXT_BYTES];  /* meta.authors, with ", " between, or meta.author */
	char licence[JC_AVATAR_TEXT_BYTES]; /* meta.licenseUrl, or meta.licenseName and, for Other,
					     * meta.otherLicenseUrl; else asset.copyright */
};

/* The greatest permitted value of each fact of that name. */
struct jc_avatar_caps {
	size_t bytes;      /* of the file */
	size_t values;     /* of the JSON */
	size_t nodes;      /* of the file */
	size_t joints;     /* of all skins */
	size_t primitives; /* draw calls */
	size_t triangles;  /* of all draw calls */
	size_t vertices;   /* with those of morph targets */
	size_t geometry;   /* bytes of all accessors */
	size_t materials;  /* of the file */
	size_t textures;   /* of the file */
	size_t images;     /* of the file */
	size_t pixels;     /* decoded, of all images */
	size_t side;       /* of an image, pixels */
	size_t springs;    /* joints with their colliders */
	size_t extent;     /* millimetres */
};

/* The caps of proto/AVATARS.md, "Caps". */
struct jc_avatar_caps jc_avatar_default_caps(void);

/* Checks a .glb, .vrm or .gltf file (proto/AVATARS.md, "Files"). caps may be NULL: those of
 * jc_avatar_default_caps. Images are not decoded, only their heads are read. Whether the file has a
 * humanoid is the matter of jc_skeleton_read.
 *
 * Returns JC_OK, or
 * - JC_ERROR_SYNTAX, JC_ERROR_TRUNCATED, JC_ERROR_INVALID: no true glTF file;
 * - JC_ERROR_UNSUPPORTED: refers to another file, or needs what viewers do not read;
 * - JC_ERROR_LIMIT: beyond a cap, which diagnostic names;
 * - JC_ERROR_MEMORY.
 * diagnostic may be NULL. */
int jc_avatar_check(const void *bytes, size_t length, const struct jc_avatar_caps *caps,
	struct jc_avatar_facts *out_facts, struct jc_diagnostic *diagnostic);

/* Whether the file's own statement agrees with the declared right. A file that is no VRM states
 * nothing, so that the declaration counts. A VRM permits JC_AVATAR_RIGHTS_PUBLIC with
 * JC_AVATAR_EVERYONE and may_redistribute, JC_AVATAR_RIGHTS_LICENSED with any permission but
 * JC_AVATAR_ONLY_AUTHOR, and JC_AVATAR_RIGHTS_AUTHOR always. Returns JC_OK, or JC_ERROR_INVALID
 * with the statement that contradicts; diagnostic may be NULL. */
int jc_avatar_check_rights(const struct jc_avatar_facts *facts, enum jc_avatar_rights rights,
	struct jc_diagnostic *diagnostic);

/* "author", "licensed" or "public". */
const char *jc_avatar_rights_name(enum jc_avatar_rights rights);
/* The opposite; false for another name, which leaves *out_rights unchanged. */
bool jc_avatar_rights_find(const char *name, enum jc_avatar_rights *out_rights);

#ifdef __cplusplus
}
#endif

#endif
