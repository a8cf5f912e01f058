/* libjointcast: all public headers.
 *
 * Start with types.h (conventions), humanoid.h (bones, joints, poses) and error.h (error
 * codes). Data flows
 *
 *   body frame --solver.h--> pose --retarget.h--> skeleton pose --stream.h--> packet
 *
 * motion.h reads motion files, skeleton.h reads humanoid skeletons, recording_reader.h
 * reads recordings. Functions read no clock, open no file and start no thread; objects
 * may be used by one thread at a time. C++ programs use the headers as they are. */
#ifndef JOINTCAST_JOINTCAST_H
#define JOINTCAST_JOINTCAST_H

#include "avatar.h"
#include "bone_map.h"
#include "capture.h"
#include "contacts.h"
#include "emulation.h"
#include "error.h"
#include "fitting.h"
#include "gltf.h"
#include "humanoid.h"
#include "limits.h"
#include "lint.h"
#include "mcap.h"
#include "mcap_reader.h"
#include "mcap_recovery.h"
#include "mcap_writer.h"
#include "measure.h"
#include "motion.h"
#include "one_euro.h"
#include "packet.h"
#include "recording.h"
#include "recording_reader.h"
#include "rerest.h"
#include "retarget.h"
#include "skeleton.h"
#include "solver.h"
#include "stream.h"
#include "tables.h"
#include "transform.h"
#include "types.h"
#include "vmc.h"
#include "write.h"

#endif
