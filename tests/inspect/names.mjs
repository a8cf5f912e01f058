// Recognises parts of the body by the names that programs give to joints: a list of its own, written
// from the exporters' files. It knows only what the verdicts need: limbs, head, fingers.

const prefixes = /^(.*[:|]|(DEF|ORG)-|mixamorig\d*_?|Bip\d+[ _]|hanim_|Skeleton_)/i;

// The side and the rest of a name, in small letters without punctuation.
export function splitName(name) {
	const bare = name.replace(prefixes, '').replace(/#$/, '');
	const found = [[/^(left|right)[ _]?(.*)$/i, 1, 2], [/^(.*?)[ ._-]?(left|right)$/i, 2, 1],
		[/^(.*?)[._ -](l|r)(?![a-z])[._ -]*(.*)$/i, 2, 1, 3], [/^(l|r)(?:[_ ]|(?=[A-Z]))(.*)$/i, 1, 2]]
		.map(([pattern, side, ...rest]) => {
			const match = bare.match(pattern);
			return match && { side: match[side][0].toLowerCase(), key: rest.map((i) => match[i]).join('') };
		}).find((match) => match && (match.key !== '')) ?? { side: '', key: bare };
	return { side: { l: 'left', r: 'right', '': '' }[found.side],
		key: found.key.toLowerCase().replace(/[^a-z0-9]/g, '') };
}

// Names of a part, the more certain first.
const sided = {
	UpperLeg: ['upperleg', 'upleg', 'thigh', 'upperleg01', 'hip', 'legjoint1'],
	LowerLeg: ['lowerleg', 'lowleg', 'loleg', 'shin', 'calf', 'knee', 'lowerleg01', 'legjoint2', 'leg'],
	Foot: ['foot', 'ankle', 'talocrural', 'legjoint3'],
	Toes: ['toebase', 'toes', 'toe', 'ball', 'forefoot', 'metatarsophalangeal2', 'midtarsal', 'toe31',
		'legjoint5'],
	UpperArm: ['upperarm', 'uparm', 'arm', 'shldr', 'upperarm01', 'shoulder', 'armjoint', 'armjoint4'],
	LowerArm: ['lowerarm', 'lowarm', 'loarm', 'forearm', 'elbow', 'lowerarm01'],
	Hand: ['wrist', 'radiocarpal', 'hand'],
};
// The part from which another one hangs: of two joints with its name, the one below that part counts.
const parts = { LowerLeg: 'UpperLeg', Foot: 'LowerLeg', Toes: 'Foot', LowerArm: 'UpperArm', Hand: 'LowerArm' };
const central = { hips: ['hips', 'hip', 'pelvis', 'humanoidroot', 'torsojoint1', 'torso', 'root'],
	head: ['head', 'skullbase', 'neckjoint2', 'spine006'], neck: ['neck', 'neck1', 'neck01', 'vc7', 'vc4'] };

const fingerNames = { Thumb: /^(hand)?(thumb|finger1(?!-))/, Index: /^(hand|f)?(index|finger2)/,
	Middle: /^(hand|f)?(mid\d|middle(?!distal)|finger3)/, Ring: /^(hand|f)?(ring|finger4)/,
	Little: /^(hand|f)?(pinky|little|finger5)/ };

// H-Anim 2.0 numbers the rays of a hand.
const rays = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];
function fingerOf(key) {
	const ray = key.match(/^(?:carpometacarpal|metacarpophalangeal|carpal(?:proximal|distal)?interphalangeal)(\d)$/);
	if (ray) {
		return key.startsWith('carpometacarpal') && ray[1] !== '1' ? undefined : rays[ray[1] - 1];
	}
	return Object.keys(fingerNames).find((finger) => fingerNames[finger].test(key));
}

// How many joints of the fingers a file moves: at most three a finger, neither tips nor metacarpals,
// nor the one joint with which CMU moves all fingers of a hand together.
export function countFingers(joints) {
	const counts = {};
	for (const { name, parent } of joints) {
		const { side, key } = splitName(name);
		if (/FingerBase$/.test(joints[parent]?.name ?? '')) {
			continue;
		}
		const finger = side && fingerOf(key);
		if (finger && !/(tip|end|leaf|nub)/.test(key) && !name.startsWith('__') && !/\.end$/.test(name)) {
			counts[side + finger] = Math.min(3, (counts[side + finger] ?? 0) + 1);
		}
	}
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

// Some figures number the joints of an arm; they follow in the order of the hierarchy.
function numberedArms(joints, bones) {
	for (const side of ['left', 'right']) {
		const depth = (i) => (i < 0 ? 0 : 1 + depth(joints[i].parent));
		const arm = joints.map(({ name }, i) => ({ i, ...splitName(name) }))
			.filter((joint) => joint.side === side && /^armjoint\d*$/.test(joint.key))
			.sort((a, b) => depth(a.i) - depth(b.i));
		arm.forEach(({ i }, n) => {
			bones[side + ['UpperArm', 'LowerArm', 'Hand'][n]] = i;
		});
	}
}

// The index of the joint for each part of the body that the names show.
export function bonesByName(joints) {
	const split = joints.map(({ name }) => splitName(name));
	const all = (side, keys) => keys.flatMap((key) => split.flatMap((joint, i) =>
		(joint.side === side && joint.key === key && !joints[i].name.startsWith('__') ? [i] : [])));
	const hangs = (i, above) => i >= 0 && (i === above || hangs(joints[i].parent, above));
	const bones = {};
	for (const [bone, keys] of Object.entries(central)) {
		[bones[bone]] = all('', keys);
	}
	for (const side of ['left', 'right']) {
		for (const [part, keys] of Object.entries(sided)) {
			const found = all(side, keys).filter((i) => !Object.values(bones).includes(i));
			const above = bones[side + parts[part]];
			const hanging = above === undefined ? undefined : found.find((i) => hangs(i, above));
			// A foot may be the end of an IK control beside the leg; a hand may not.
			bones[side + part] = hanging ?? (part === 'Hand' ? undefined : found[0]);
		}
	}
	numberedArms(joints, bones);
	return Object.fromEntries(Object.entries(bones).filter(([, i]) => i !== undefined));
}
