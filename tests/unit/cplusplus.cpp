// A C++17 program with the public headers. The table names every function that they declare, so
// that the program links only if each of them has C linkage; the calls below have known results.
#include <jointcast/jointcast.h>

#include <cmath>
#include <cstdio>
#include <memory>

namespace {

const void *const functions[] = {
#include "functions.inc"
};

struct destroy {
	void operator()(jc_skeleton *skeleton) const { jc_skeleton_destroy(skeleton); }
	void operator()(jc_retargeter *retargeter) const { jc_retargeter_destroy(retargeter); }
};

// The left arm, raised by a quarter turn: the height of the hand above the shoulder, divided by the
// length of the arm.
double raise_arm()
{
	jc_skeleton *made = nullptr;
	if (jc_skeleton_create_builtin(&made) != JC_OK)
		return 0;
	const std::unique_ptr<jc_skeleton, destroy> skeleton(made);
	jc_retargeter *fitted = nullptr;
	if (jc_retargeter_create(skeleton.get(), &fitted) != JC_OK)
		return 0;
	const std::unique_ptr<jc_retargeter, destroy> retargeter(fitted);

	static jc_transform locals[JC_BONE_COUNT];
	static jc_mat4 worlds[JC_BONE_COUNT];
	auto worn = std::make_unique<jc_skeleton_pose>();
	auto pose = std::make_unique<jc_pose>();
	const float half = std::sqrt(0.5f);
	jc_pose_init(pose.get());
	pose->rotations[JC_BONE_LEFT_UPPER_ARM] = jc_quat{ 0, 0, half, half };
	pose->states[JC_BONE_LEFT_UPPER_ARM] = JC_TRACKED;
	jc_retargeter_apply(retargeter.get(), pose.get(), worn.get());
	jc_skeleton_locals(skeleton.get(), worn.get(), locals);
	jc_skeleton_worlds(skeleton.get(), locals, worlds);

	const jc_mat4 *rest = jc_skeleton_rest_worlds(skeleton.get());
	const jc_vec3 shoulder = jc_mat4_translation(rest[JC_BONE_LEFT_UPPER_ARM]);
	const jc_vec3 before = jc_mat4_translation(rest[JC_BONE_LEFT_HAND]);
	const jc_vec3 hand = jc_mat4_translation(worlds[JC_BONE_LEFT_HAND]);
	return (hand.y - shoulder.y) / (before.x - shoulder.x);
}

} // namespace

int main()
{
	const double raised = raise_arm();
	std::size_t missing = 0;

	for (const void *function : functions)
		missing += function == nullptr;
	std::printf("%zu functions, %zu missing; the hand is at %.6f\n",
		sizeof(functions) / sizeof(functions[0]), missing, raised);
	return missing == 0 && std::fabs(raised - 1.0) < 1e-5 ? 0 : 1;
}
