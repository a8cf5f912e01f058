// The motions and figures of the table: those that constants were chosen on, and others. Motions are
// looked for in bvh/ and, unpacked, in motion-corpus/ below the folder of public data.
export const lists = {
	chosen: {
		motions: ['cmu_12_01_walk.bvh', 'boxing_toes_extra_line.bvh', 'threejs_pirouette.bvh', 'cmu_02_03_mb.bvh',
			'cmu_02_04_mb.bvh', 'cmu_05_03_mb.bvh', 'cmu_10_03_daz.bvh', 'cmu_salsa_10_daz.bvh', 'facepalm.bvh',
			'boxvr_4.bvh'],
		figures: ['vrm0_crimsom_polygonalmind.vrm', 'CesiumMan.glb', 'KayKit_Knight.glb', 'JinLOA4_x3djsail.wrl',
			'vrm0_unavi_robot.vrm', 'vrm0_univrm_emission_test.vrm'],
	},
	held_back: {
		motions: ['walk01_24fps.bvh', 'cmu_16_15_mb.bvh', 'cmu_35_20_mb.bvh', 'cmu_13_40_daz.bvh', 'cmu_06_09_daz.bvh',
			'cmu_29_01_mb.bvh', 'boxing.bvh', 'left_hand_on_head.bvh', 'walking.bvh', 'jobsimulator_3.bvh'],
		figures: ['vrm0_godette.vrm', 'godot_mannequiny.glb', 'JoeKick.x3d', 'vrm0_cryptovoxels_nonidentity_rest.vrm',
			'vrm1_isBinary_overridden.vrm', 'vrm1_debug_robot.vrm'],
	},
};
