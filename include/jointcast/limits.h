/* All maxima of the library. Input beyond a maximum is rejected with JC_ERROR_LIMIT; every
 * buffer that grows has a maximum here. */
#ifndef JOINTCAST_LIMITS_H
#define JOINTCAST_LIMITS_H

#define JC_LIMIT_FILE_BYTES         (256u << 20) /* any input file */
#define JC_LIMIT_JSON_BYTES         (64u << 20)  /* the JSON part of an input */
#define JC_LIMIT_JSON_VALUES        (1u << 20)   /* values in it */
#define JC_LIMIT_NAME_BYTES         256u         /* one name, with its NUL */
#define JC_LIMIT_NODES              8192u        /* nodes of a skeleton file */
#define JC_LIMIT_DEPTH              512u         /* nesting of a node hierarchy */
#define JC_LIMIT_SKINS              256u         /* skins of a glTF file */
#define JC_LIMIT_BUFFERS            256u         /* buffers of a glTF file */
#define JC_LIMIT_ACCESSORS          65536u       /* accessors and buffer views of a glTF file */
#define JC_LIMIT_ACCESSOR_VALUES    (16u << 20)  /* numbers of one accessor */
#define JC_LIMIT_VIRTUAL_TRANSFORMS 256u         /* of one skeleton */
#define JC_LIMIT_TAGS               16u          /* of one virtual transform */
#define JC_LIMIT_LINT               64u          /* findings kept for one input */
#define JC_LIMIT_JOINT_LIMITS       1024u        /* of one skeleton */
#define JC_LIMIT_SEGMENTS           1024u        /* of one skeleton */
#define JC_LIMIT_FACTS              64u          /* informational strings of one skeleton */
#define JC_LIMIT_FACT_BYTES         1024u        /* of each of them, with the NUL */
#define JC_LIMIT_BONE_MAP_BYTES     (64u << 10)  /* a bone map */

#define JC_LIMIT_BVH_JOINTS 1024u       /* of one file */
#define JC_LIMIT_BVH_FRAMES 2000000u    /* of one file */
#define JC_LIMIT_BVH_VALUES (48u << 20) /* channel values: 192 MiB as floats */
#define JC_LIMIT_BVH_NUMBER 1.0e9       /* any number of a file, in its own units */

#define JC_LIMIT_SCENE_NODES        262144u      /* of a VRML or X3D file */
#define JC_LIMIT_SCENE_FIELDS       512u         /* of one node */
#define JC_LIMIT_SCENE_ROUTES       65536u       /* of the file */
#define JC_LIMIT_SCENE_PROTO_DEPTH  16u          /* PROTO declarations within bodies */
#define JC_LIMIT_SCENE_PLAIN_VALUES 64u          /* kept of an array that is only geometry */
#define JC_LIMIT_SCENE_NUMBERS      (16u << 20)  /* kept in all: 128 MiB */
#define JC_LIMIT_SCENE_STRINGS      4096u        /* kept of one field */
#define JC_LIMIT_SCENE_STRING_BYTES (64u << 10)  /* longer ones are scripts or inlined data */
#define JC_LIMIT_SCENE_BYTES        (512u << 20) /* memory of a whole scene */

#define JC_LIMIT_CSV_COLUMNS 1024u       /* of a table */
#define JC_LIMIT_CSV_VALUES  (16u << 20) /* cells in all: 128 MiB */

#define JC_LIMIT_MOVING_NODES 64u /* nodes of a figure that a motion moves beside its bones */

#define JC_LIMIT_BODY_FRAMES 400000u /* of one body-frame file */
#define JC_LIMIT_BODY_NAMES  256u    /* joint names in its header */
#define JC_LIMIT_BODY_TIME   4.0e9   /* seconds on either side of zero */

/* Plausible tracker data; other joints are held, then dropped. */
#define JC_LIMIT_UNIT_ERROR     1.0e-2f   /* of the length of a quaternion */
#define JC_LIMIT_JOINT_DISTANCE 1.0e3f    /* metres from the origin of its space */
#define JC_LIMIT_JOINT_REACH    4.0f      /* metres from the hips */
#define JC_LIMIT_HAND_SPEED     10.0f     /* metres a second against the hips */
#define JC_LIMIT_BONE_JUMP      0.25f     /* of a bone's length, from frame to frame, */
#define JC_LIMIT_BONE_SLACK     0.02f     /* plus metres, for short bones */
#define JC_LIMIT_HOLD_NS        250000000 /* an implausible joint keeps its last place */
#define JC_LIMIT_HIPS_JUMP      1.0f      /* hips heights between two poses: a teleport */

#define JC_LIMIT_COORDINATE 1.0e6f /* metres; larger values are damage */

#define JC_LIMIT_MOTION_NODES    1024u       /* of bones and above them, of one glTF motion */
#define JC_LIMIT_MOTION_VALUES   (32u << 20) /* numbers of its keys: 128 MiB */
#define JC_LIMIT_MOTION_SECONDS  1.0e6f      /* any key of it */
#define JC_LIMIT_MOTION_FRAMES   2000000u    /* at its nominal rate */
#define JC_LIMIT_MOTION_CHANNELS 256u        /* expressions of one motion */

#define JC_LIMIT_OSC_ARGUMENTS  32u /* read of one OSC message */
#define JC_LIMIT_OSC_DEPTH      8u  /* nested bundles */
#define JC_LIMIT_OSC_NAMES      4u  /* reported addresses of messages that are not used, */
#define JC_LIMIT_OSC_NAME_BYTES 64u /* and their length, with the NUL */

#define JC_LIMIT_VMC_CHANNELS   256u /* blend shapes of one sender */
#define JC_LIMIT_VMC_DEVICES    32u  /* headsets, controllers and trackers of one sender */
#define JC_LIMIT_VMC_NAME_BYTES 64u  /* name of a blend shape or device, with the NUL */

#define JC_LIMIT_CAPTURE_VALUES 1024u /* of named channels, in one capture */

#define JC_LIMIT_MCAP_RECORD_BYTES  (128u << 20) /* one record of a recording */
#define JC_LIMIT_MCAP_CHUNK_BYTES   (64u << 20)  /* a chunk of it, uncompressed */
#define JC_LIMIT_MCAP_SUMMARY_BYTES (256u << 20) /* its summary, held in memory */
#define JC_LIMIT_MCAP_OPEN_BYTES    (256u << 20) /* chunks open at once, uncompressed */
#define JC_LIMIT_MCAP_OPEN_CHUNKS   256u         /* number of chunks open at once */
#define JC_LIMIT_RECORDED_BODIES    1024u        /* of one recording */
#define JC_LIMIT_RECORDED_SPACES    64u          /* of one recording */
#define JC_LIMIT_RECORDED_SKELETONS 256u         /* of one recording */
#define JC_LIMIT_RECORDED_EVENTS    65536u       /* of one recording; later ones are skipped */
#define JC_LIMIT_ROSTER_ENTRIES     65536u       /* rosters of one recording, and bodies in them */

#define JC_LIMIT_RECORDED_TIME_US 4000000000000000 /* since the epoch: 126 years */

#define JC_LIMIT_STREAM_VALUES   90u /* of the channels of one body */
#define JC_LIMIT_STREAM_VIRTUALS 15u /* virtual transforms of one body */

#define JC_LIMIT_PACKET_BYTES     1024u        /* one body in one bundle */
#define JC_LIMIT_BUNDLE_BYTES     65536u       /* one WebSocket message */
#define JC_LIMIT_BUNDLE_PACKETS   512u         /* bodies in it */
#define JC_LIMIT_DESCRIPTOR_BYTES (256u << 10) /* a skeleton descriptor as JSON */

#endif
