/* The state of a glTF file under construction, for the files that write its parts. */
#ifndef JC_MOTION_GLTF_WRITER_H
#define JC_MOTION_GLTF_WRITER_H

#include "file_buffer.h"
#include "gltf_sockets.h"
#include "jointcast/limits.h"
#include "jointcast/write.h"
#include "t_pose_figure.h"
#include "write_losses.h"

/* One animated property with `width` floats for each frame. */
struct jc_gltf_written_track {
	enum jc_bone bone; /* JC_BONE_NONE: a channel of the motion */
	size_t channel;
	bool is_named; /* the target is the bone's name, and values are relative to its rest */
	int node;      /* the target, unless it is the name */
	const char *path;
	size_t width; /* of the accessor: 3 or 4 */
	size_t first; /* index of a float in the buffer */
};

struct jc_gltf_writer {
	const struct jc_clip *clip;
	enum jc_gltf_kind kind;
	enum jc_bone_axes axes;
	struct jc_t_pose_figure t_pose;
	struct jc_quat rests[JC_BONE_COUNT]; /* W */
	int nodes[JC_BONE_COUNT];            /* or -1 */
	size_t bone_count;
	struct jc_gltf_written_track tracks[2 * (JC_BONE_COUNT + 1) + JC_LIMIT_MOTION_CHANNELS];
	size_t track_count;
	struct jc_gltf_sockets sockets; /* none in a VRM animation */
	float *values;                  /* owned */
	size_t value_count;
	size_t matrices; /* index of the first matrix of the skin */
	struct jc_write_losses losses;
};

void jc_gltf_writer_put_string(struct jc_file_buffer *output, const char *string);

/* Begins the document with its asset: info of the figure's own file is kept there. */
void jc_gltf_writer_put_asset(struct jc_file_buffer *output, const struct jc_gltf_writer *writer);

/* Writes the skin where there is one, extensionsUsed and the extensions at the root. */
void jc_gltf_writer_put_extensions(
	struct jc_file_buffer *output, const struct jc_gltf_writer *writer);

#endif
