# Prints where Godot 3 puts the nodes and bones of the imported file res://figure.glb while it plays
# an animation, as one line of JSON after the word "poses": for each time the world rotations
# [x, y, z, w] and positions of bones and of other nodes by name.
#
# usage: godot3-server --path PROJECT -s godot_poses.gd ANIMATION TIME,…
extends SceneTree

func _init():
	var arguments = OS.get_cmdline_args()
	var times = arguments[arguments.size() - 1]
	var animation = arguments[arguments.size() - 2]
	var scene = load("res://figure.glb").instance()
	get_root().add_child(scene)
	var player = find_player(scene)
	if player == null or not player.has_animation(animation):
		print("no animation '", animation, "'")
		quit(1)
		return
	player.play(animation)
	var poses = []
	for text in times.split(","):
		var pose = {"t": float(text), "bones": {}, "nodes": {}}
		player.seek(float(text), true)
		collect(scene, pose)
		poses.append(pose)
	print("poses ", JSON.print(poses))
	quit()

func find_player(node):
	if node is AnimationPlayer:
		return node
	for child in node.get_children():
		var found = find_player(child)
		if found:
			return found
	return null

func collect(node, pose):
	if node is Spatial:
		pose.nodes[node.get_name()] = describe(node.global_transform)
	if node is Skeleton:
		for bone in range(node.get_bone_count()):
			pose.bones[node.get_bone_name(bone)] = describe(node.global_transform * node.get_bone_global_pose(bone))
	for child in node.get_children():
		collect(child, pose)

# JSON.print rounds to six digits; a millionth of a unit is exact enough here.
func describe(transform):
	var turn = transform.basis.get_rotation_quat()
	var place = transform.origin
	return {"position": [place.x, place.y, place.z], "rotation": [turn.x, turn.y, turn.z, turn.w]}
