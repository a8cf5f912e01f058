/* Tables of joint names by family, each found in files or tools of the field. */
#include "families.h"

#include <stddef.h>

/* MotionBuilder's characterisation names. CMU's cgspeed conversion, Mixamo, LAFAN1,
 * Perception Neuron and Shadow use them with additions. */
static const struct jc_family_row motionbuilder[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%arm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%leg", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%forefoot", JC_BONE_LEFT_TOES },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "jaw", JC_BONE_JAW },
	{ NULL, JC_BONE_NONE },
};

/* cgspeed's CMU files have the hip joints of both sides at the root. Their fingers move
 * as one, which corresponds to no single bone. */
static const struct jc_family_row cmu_thumbs[] = {
	{ "%thumb", JC_BONE_LEFT_THUMB_METACARPAL },
	{ NULL, JC_BONE_NONE },
};

/* Poser and DAZ Studio, cgspeed's second conversion, and the later Genesis figures, whose
 * limbs have separate joints for bend and twist. */
static const struct jc_family_row daz[] = {
	{ "neck", JC_BONE_NECK },
	{ "necklower", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%shldr", JC_BONE_LEFT_UPPER_ARM },
	{ "%shldrbend", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%forearmbend", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%thighbend", JC_BONE_LEFT_UPPER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Names of joints instead of bones: Biovision's own files, Xsens' in that style, and
 * OpenNI's trackers, whose body hangs from the torso. A shoulder is the joint that turns the
 * upper arm. */
static const struct jc_family_row biovision[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%shoulder", JC_BONE_LEFT_UPPER_ARM },
	{ "%uparm", JC_BONE_LEFT_UPPER_ARM },
	{ "%elbow", JC_BONE_LEFT_LOWER_ARM },
	{ "%lowarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%hip", JC_BONE_LEFT_UPPER_LEG },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%knee", JC_BONE_LEFT_LOWER_LEG },
	{ "%lowleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%ankle", JC_BONE_LEFT_FOOT },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%toes", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Camera trackers (Kinect, OpenPose) and the body model SMPL: joints; the foot is a point
 * between ankle and toes. */
static const struct jc_family_row keypoints[] = {
	{ "neck", JC_BONE_NECK },
	{ "thorax", JC_BONE_NECK },
	{ "shouldercenter", JC_BONE_NECK },
	{ "spineshoulder", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "nose", JC_BONE_HEAD },
	{ "jaw", JC_BONE_JAW },
	{ "%eyesmplhf", JC_BONE_LEFT_EYE },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%clavicle", JC_BONE_LEFT_SHOULDER },
	{ "%shoulder", JC_BONE_LEFT_UPPER_ARM },
	{ "%elbow", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%hip", JC_BONE_LEFT_UPPER_LEG },
	{ "%knee", JC_BONE_LEFT_LOWER_LEG },
	{ "%ankle", JC_BONE_LEFT_FOOT },
	{ "%foot", JC_BONE_LEFT_TOES },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ "%bigtoe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Xsens MVN; the trunk is named for vertebrae. */
static const struct jc_family_row xsens[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upperleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%lowerleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* The mannequins of Unreal Engine 4 and 5. */
static const struct jc_family_row unreal[] = {
	{ "neck01", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%clavicle", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%lowerarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%calf", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%ball", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* 3ds Max Biped and, with numbers of its own, Character Creator. */
static const struct jc_family_row biped[] = {
	{ "neck", JC_BONE_NECK },
	{ "necktwist01", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "jawroot", JC_BONE_JAW },
	{ "%clavicle", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%calf", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe0", JC_BONE_LEFT_TOES },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Blender's Rigify: the hips are the first joint of the spine, neck and head its
 * fifth and seventh. Exports for games rename these three. */
static const struct jc_family_row rigify[] = {
	{ "spine004", JC_BONE_NECK },
	{ "neck", JC_BONE_NECK },
	{ "spine006", JC_BONE_HEAD },
	{ "head", JC_BONE_HEAD },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "jaw", JC_BONE_JAW },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* MakeHuman's default rig, and the one before it; limbs of two joints each. */
static const struct jc_family_row makehuman[] = {
	{ "neck01", JC_BONE_NECK },
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "jaw", JC_BONE_JAW },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%clavicle", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm01", JC_BONE_LEFT_UPPER_ARM },
	{ "%uparm", JC_BONE_LEFT_UPPER_ARM },
	{ "%lowerarm01", JC_BONE_LEFT_LOWER_ARM },
	{ "%loarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upperleg01", JC_BONE_LEFT_UPPER_LEG },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%lowerleg01", JC_BONE_LEFT_LOWER_LEG },
	{ "%loleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* VRoid and the bone set itself. */
static const struct jc_family_row vroid[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "jaw", JC_BONE_JAW },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%jadjfaceeye", JC_BONE_LEFT_EYE },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%lowerarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upperleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%lowerleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ "%toes", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Rokoko Studio: arms by MotionBuilder's names, legs by their parts. */
static const struct jc_family_row rokoko[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%arm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* NVIDIA's body model SOMA: "LeftLeg" is the upper leg. */
static const struct jc_family_row soma[] = {
	{ "neck1", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "jaw", JC_BONE_JAW },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%arm", JC_BONE_LEFT_UPPER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%leg", JC_BONE_LEFT_UPPER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Names that VRChat's tools give to a figure: "Left arm" is the upper arm. */
static const struct jc_family_row vrchat[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%arm", JC_BONE_LEFT_UPPER_ARM },
	{ "%elbow", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%leg", JC_BONE_LEFT_UPPER_LEG },
	{ "%knee", JC_BONE_LEFT_LOWER_LEG },
	{ "%ankle", JC_BONE_LEFT_FOOT },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

/* Names with the same meaning in all families. If a figure has both wrist and hand, the
 * hand turns at the wrist. */
static const struct jc_family_row common[] = {
	{ "neck", JC_BONE_NECK },
	{ "head", JC_BONE_HEAD },
	{ "jaw", JC_BONE_JAW },
	{ "%eye", JC_BONE_LEFT_EYE },
	{ "%clavicle", JC_BONE_LEFT_SHOULDER },
	{ "%collar", JC_BONE_LEFT_SHOULDER },
	{ "%shoulder", JC_BONE_LEFT_SHOULDER },
	{ "%upperarm", JC_BONE_LEFT_UPPER_ARM },
	{ "%uparm", JC_BONE_LEFT_UPPER_ARM },
	{ "%armupper", JC_BONE_LEFT_UPPER_ARM },
	{ "%lowerarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%forearm", JC_BONE_LEFT_LOWER_ARM },
	{ "%loarm", JC_BONE_LEFT_LOWER_ARM },
	{ "%armlower", JC_BONE_LEFT_LOWER_ARM },
	{ "%elbow", JC_BONE_LEFT_LOWER_ARM },
	{ "%wrist", JC_BONE_LEFT_HAND },
	{ "%hand", JC_BONE_LEFT_HAND },
	{ "%upperleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%upleg", JC_BONE_LEFT_UPPER_LEG },
	{ "%thigh", JC_BONE_LEFT_UPPER_LEG },
	{ "%legupper", JC_BONE_LEFT_UPPER_LEG },
	{ "%lowerleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%loleg", JC_BONE_LEFT_LOWER_LEG },
	{ "%shin", JC_BONE_LEFT_LOWER_LEG },
	{ "%calf", JC_BONE_LEFT_LOWER_LEG },
	{ "%leglower", JC_BONE_LEFT_LOWER_LEG },
	{ "%knee", JC_BONE_LEFT_LOWER_LEG },
	{ "%ankle", JC_BONE_LEFT_FOOT },
	{ "%foot", JC_BONE_LEFT_FOOT },
	{ "%toes", JC_BONE_LEFT_TOES },
	{ "%toe", JC_BONE_LEFT_TOES },
	{ "%toebase", JC_BONE_LEFT_TOES },
	{ "%ball", JC_BONE_LEFT_TOES },
	{ NULL, JC_BONE_NONE },
};

const struct jc_family jc_families[] = {
	{ "cmu", "hips", NULL, "%hipjoint", { motionbuilder, cmu_thumbs } },
	{ "mixamo", "hips", "mixamorig", NULL, { motionbuilder, jc_family_hand_fingers } },
	{ "perception-neuron", "hips", NULL, "%inhandindex",
		{ motionbuilder, jc_family_hand_fingers } },
	{ "ready-player-me", "hips", NULL, "headtopend",
		{ motionbuilder, jc_family_hand_fingers } },
	{ "lafan", "hips", NULL, "%forearmend", { motionbuilder, jc_family_hand_fingers } },
	{ "lafan", "hips", NULL, "%toe", { motionbuilder, jc_family_hand_fingers } },
	{ "motionbuilder", "hips", NULL, NULL, { motionbuilder, jc_family_hand_fingers } },
	{ "daz", "hip", NULL, NULL, { daz, jc_family_fingers } },
	{ "xsens", "hips", NULL, "chest4", { biovision, NULL } },
	{ "xsens", "pelvis", NULL, "t8", { xsens, NULL } },
	{ "biovision", "hips", NULL, NULL, { biovision, NULL } },
	{ "kinect", "hipcenter", NULL, NULL, { keypoints, NULL } },
	{ "kinect", "spinebase", NULL, NULL, { keypoints, cmu_thumbs } },
	{ "kinect", "pelvis", NULL, "spinenaval", { keypoints, cmu_thumbs } },
	{ "openni", "torso", NULL, "%elbow", { biovision, NULL } },
	{ "openpose", "midhip", NULL, NULL, { keypoints, NULL } },
	{ "openpose", "hip", NULL, NULL, { keypoints, NULL } },
	{ "smpl", "pelvis", NULL, NULL, { keypoints, jc_family_fingers } },
	{ "unreal", "pelvis", NULL, "spine01", { unreal, jc_family_fingers } },
	{ "biped", "pelvis", NULL, NULL, { biped, jc_family_biped_fingers } },
	{ "character-creator", "hip", "ccbase", NULL, { biped, jc_family_fingers } },
	{ "rigify", "spine", "def", NULL, { rigify, jc_family_f_fingers } },
	{ "rigify", "spine", "org", NULL, { rigify, jc_family_f_fingers } },
	{ "rigify", "spine", NULL, "%shin", { rigify, jc_family_f_fingers } },
	{ "rigify", "hips", NULL, "%findex01", { rigify, jc_family_f_fingers } },
	{ "rokoko", "hips", NULL, "%thigh", { rokoko, jc_family_rokoko_fingers } },
	{ "soma", "hips", NULL, "%shin", { soma, jc_family_soma_fingers } },
	{ "makehuman", "root", NULL, "%upperleg01", { makehuman, jc_family_makehuman_fingers } },
	{ "makehuman", "hips", NULL, "%loleg", { makehuman, jc_family_fingers } },
	{ "vroid", "hips", "jbip", NULL, { vroid, jc_family_fingers } },
	{ "vrchat", "hips", NULL, NULL, { vrchat, jc_family_vrchat_fingers } },
	{ "common", "hips", NULL, NULL, { common, jc_family_fingers } },
	{ "humanoid", "hips", NULL, NULL, { vroid, jc_family_phalanges } },
	{ "common", "pelvis", NULL, NULL, { common, jc_family_fingers } },
	{ "common", "root", NULL, NULL, { common, jc_family_fingers } },
	{ NULL, NULL, NULL, NULL, { NULL, NULL } },
};
