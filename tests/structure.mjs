// Checks the structure of the source tree: which folder may include which, include cycles,
// sizes of folders and files. The rules stand in RULES at the end of this file.
//
// usage: structure.mjs ROOT           prints each violation; exit status 1 if there is one
//        structure.mjs ROOT --table   prints sizes of folders, files and functions instead

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.argv[2] ?? '.');
const MOST_UNITS_IN_A_CYCLE = 4;
const MOST_FILES_IN_A_FOLDER = 40;
const MOST_BYTES_IN_A_FILE = 512 * 1024;

// Violations that are known, each with the reason. An entry that no longer matches a violation
// is itself reported, so that this list only shrinks.
const EXCEPTIONS = {
	'folder proto/schema': 'one schema per control message',
};

const TOP_LEVEL = ['.ci', '.clang-format', '.clang-tidy', '.editorconfig', '.gitignore', 'CHANGELOG.md', 'CMakeLists.txt',
	'CMakePresets.json', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'check', 'clients', 'daemon', 'demo',
	'include', 'packages.txt', 'proto', 'src', 'systemd', 'tests'];
// The folders of src from the lowest to the highest: each may include the public headers of its
// own and of those before it. Folders in one entry are on one level.
const LEVELS = [['humanoid', 'format', 'token'], ['skeleton', 'avatar'], ['motion'], ['retarget'], ['codec'], ['mcap'],
	['recording']];
// The folders of the daemon that each one may include, beside base and maxima.h; daemon/app
// includes all of them. Calls in the other direction go through const structs of functions.
const DAEMON = {
	base: [], tls: [], source: [], moderation: [],
	auth: ['config'], invitation: ['auth'], space: ['auth', 'source'], sink: ['source', 'space'], record: ['source', 'space'],
	replay: ['record', 'source', 'space'], registry: ['space'], avatars: ['moderation', 'registry', 'space'],
	config: ['auth', 'avatars', 'record', 'sink', 'source', 'space'], net: ['config', 'tls'],
	http: ['auth', 'avatars', 'config', 'invitation', 'moderation', 'net', 'record', 'registry', 'replay', 'space', 'tls'],
	control: ['auth', 'avatars', 'config', 'moderation', 'net', 'record', 'registry', 'replay', 'source', 'space'],
	cluster: ['auth', 'avatars', 'config', 'control', 'invitation', 'moderation', 'net', 'record', 'registry', 'source', 'space'],
	notify: ['net', 'space'],
};
// The folder of a public or shared header without a .c file of its name in src.
const OWNERS = { limits: 'humanoid', types: 'humanoid', packet: 'codec', retarget: 'retarget',
	write: 'motion', rerest: 'motion', vmc: 'motion', hanim: 'skeleton', mcap: 'mcap', mcap_bytes: 'mcap', mcap_reader: 'mcap', mcap_writer: 'mcap', mcap_recovery: 'mcap',
	recording: 'recording' };

const files = listFiles();
const isC = (file) => /\.[ch]$/.test(file);
const text = new Map(files.filter(isC).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const under = (...folders) => [...text.keys()].filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
const core = under('src', 'include').filter((file) => !file.includes('/training/'));
const programs = under('src', 'include', 'daemon', 'clients/cli');

// Files that git lists, null where there is no repository.
function listOfGit(...options) {
	const git = spawnSync('git', ['-C', root, 'ls-files', '-z', ...options], { encoding: 'utf8', maxBuffer: 1 << 26 });
	return git.status === 0 ? git.stdout.split('\0').filter((file) => file && existsSync(path.join(root, file))) : null;
}

// Committed files and new ones; in an unpacked archive, files that are not built.
function listFiles() {
	const listed = listOfGit('--cached', '--others', '--exclude-standard');
	if (listed)
		return listed;
	return readdirSync(root, { recursive: true }).map(String)
		.filter((file) => !/(^|\/)(build|node_modules)\//.test(file))
		.filter((file) => statSync(path.join(root, file)).isFile());
}

function includesOf(file) {
	return [...text.get(file).matchAll(/^#\s*include\s*"([^"]+)"/gm)].map((match) => match[1]);
}

// The file that an #include names, as the include paths of the build find it.
function resolve(from, name) {
	const folder = path.dirname(from);
	const top = folder.split('/').slice(0, 2).join('/');
	const places = [folder, from.startsWith('clients/cli/') ? 'clients/cli' : folder, 'include', 'src/include', 'daemon', 'clients/cli', 'clients/cli/..'];
	const direct = places.map((place) => path.join(place, name)).find((file) => text.has(file));
	return direct ?? under(top).find((file) => file.endsWith(`/${name}`));
}

const unitOf = (file) => file.replace(/\.[ch]$/, '').replace(/^(include|src\/include)\/jointcast(_private)?\//, 'include/jointcast/');

// Which unit includes which. A unit is a .c and .h file of one folder and name.
function includeGraph() {
	const graph = new Map(programs.map((file) => [unitOf(file), new Set()]));
	for (const file of programs)
		for (const name of includesOf(file)) {
			const target = resolve(file, name);
			if (target && graph.has(unitOf(target)) && unitOf(target) !== unitOf(file))
				graph.get(unitOf(file)).add(unitOf(target));
		}
	return graph;
}

// Strongly connected components of more than one node (Tarjan 1972), the largest first.
function cyclesOf(graph) {
	const order = new Map(), low = new Map(), stack = [], onStack = new Set(), found = [];
	const visit = (node) => {
		order.set(node, order.size);
		low.set(node, order.get(node));
		stack.push(node);
		onStack.add(node);
		for (const next of graph.get(node)) {
			if (!order.has(next)) {
				visit(next);
				low.set(node, Math.min(low.get(node), low.get(next)));
			} else if (onStack.has(next)) {
				low.set(node, Math.min(low.get(node), order.get(next)));
			}
		}
		if (low.get(node) !== order.get(node))
			return;
		const component = stack.splice(stack.indexOf(node));
		component.forEach((member) => onStack.delete(member));
		if (component.length > 1)
			found.push(component.sort());
	};
	[...graph.keys()].filter((node) => !order.has(node) && visit(node));
	return found.sort((a, b) => b.length - a.length);
}

const DOCUMENTS = new Set(files.flatMap((file) => /^proto\/([A-Z-]+)\.md$/.exec(file)?.[1] ?? []));
const headings = new Map();

// The headings of a document of the protocol, as text without marks.
function headingsOf(document) {
	if (!headings.has(document))
		headings.set(document, new Set(
			[...readFileSync(path.join(root, 'proto', `${document}.md`), 'utf8').matchAll(/^#+ (.*)$/gm)]
				.map(([, heading]) => heading.replaceAll('`', ''))));
	return headings.get(document);
}

// References of the form 'BUNDLES.md, "Bundles"' or 'BUNDLES.md, "Packet head" and "Pace"', also across lines of a comment.
function protocolReferences(content) {
	const flat = content.replace(/\n[ \t]*(\*|\/\/|#)?[ \t]*/g, ' ').replaceAll('\\"', '"');
	return [...flat.matchAll(/\b([A-Z][A-Z-]+)\.md((?:(?:,| and) "[^"]+")+)/g)]
		.filter(([, document]) => DOCUMENTS.has(document))
		.flatMap(([, document, list]) => [...list.matchAll(/"([^"]+)"/g)].map(([, heading]) => [document, heading]));
}

const levelOf = (room) => LEVELS.findIndex((rooms) => rooms.includes(room));
const roomOf = (file) => file.split('/')[1];

// The folder of src that implements a public header.
function ownerOf(header) {
	const stem = path.basename(header, '.h');
	if (OWNERS[stem])
		return OWNERS[stem];
	const rooms = core.filter((file) => path.basename(file) === `${stem}.c`).map(roomOf);
	return rooms.sort((a, b) => levelOf(a) - levelOf(b))[0] ?? LEVELS[0][0];
}

// Lines of `files` that match, as "file:line: text".
function grep(files, pattern, except = /$^/) {
	return files.flatMap((file) => text.get(file).split('\n').flatMap((line, at) =>
		pattern.test(line) && !except.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []));
}

function folders() {
	const found = new Map();
	for (const file of files.filter((file) => file.includes('/')))
		found.set(path.dirname(file), [...(found.get(path.dirname(file)) ?? []), file]);
	return found;
}

// A rule returns its violations: { key, message }. Only violations with a key can be excepted.
const RULES = {
	'src and include do no I/O, read no clock and start no thread': () =>
		grep(core, /#include *[<"](uv\.h|libwebsockets|openxr\/|systemd\/|sys\/socket|sys\/stat|fcntl|unistd|pthread|time)/)
			.map((message) => ({ message })),

	'src prints nothing and opens no file': () =>
		grep(core.filter((file) => file.endsWith('.c')),
			/\b(fopen|open|read|write|socket|clock_gettime|gettimeofday|printf|fprintf|perror|getenv|exit|abort)\(/,
			/sn?printf|vsnprintf|(->|\.)(read|write)\(/).map((message) => ({ message })),

	'public headers do not include cglm': () =>
		grep(under('include'), /#include *[<"]cglm/).map((message) => ({ message })),

	'a folder of src includes its own headers and public headers of lower folders': () =>
		core.filter((file) => file.startsWith('src/') && !file.startsWith('src/include/')).flatMap((file) =>
			includesOf(file).flatMap((name) => {
				const target = resolve(file, name);
				if (!target)
					return [{ message: `${file} includes '${name}', which does not exist` }];
				const isPublic = /^(include|src\/include)\//.test(target);
				if (!isPublic && roomOf(target) !== roomOf(file))
					return [{ message: `${file} includes '${name}', a private header of ${path.dirname(target)}` }];
				if (isPublic && levelOf(ownerOf(target)) > levelOf(roomOf(file)))
					return [{ message: `${file} includes '${name}' of the higher folder ${ownerOf(target)}` }];
				return [];
			})),

	'only the settings of the link to NATS include the header of libnats': () =>
		grep(programs.filter((file) => file !== 'daemon/cluster/link/nats_settings.h'), /#include *[<"]nats\//)
			.map((message) => ({ message })),

	'the tool includes no header of the daemon, and the daemon none of the tool': () =>
		[['clients/cli', 'daemon/'], ['daemon', 'clients/cli/']].flatMap(([folder, other]) =>
			under(folder).flatMap((file) => includesOf(file)
				.filter((name) => resolve(file, name)?.startsWith(other))
				.map((name) => ({ message: `${file} includes '${name}' of ${other}` })))),

	'folders of the daemon include only the folders below them': () =>
		Object.entries(DAEMON).flatMap(([folder, allowed]) => under(`daemon/${folder}`).flatMap((file) =>
			includesOf(file).map((name) => name.split('/')[0])
				.filter((other) => (other in DAEMON || other === 'app') && ![folder, 'base', ...allowed].includes(other))
				.map((other) => ({ message: `${file} includes from daemon/${other}` })))),

	[`an include cycle has at most ${MOST_UNITS_IN_A_CYCLE} units`]: () =>
		cyclesOf(includeGraph()).filter((cycle) => cycle.length > MOST_UNITS_IN_A_CYCLE).map((cycle) => ({
			key: `cycle ${path.dirname(cycle[0])}`,
			message: `cycle of ${cycle.length} units: ${cycle.join(' ')}`,
		})),

	[`a folder has at most ${MOST_FILES_IN_A_FOLDER} files (corpora excepted)`]: () =>
		[...folders()].filter(([folder, inside]) => !folder.endsWith('.corpus') && inside.length > MOST_FILES_IN_A_FOLDER)
			.map(([folder, inside]) => ({ key: `folder ${folder}`, message: `${folder} has ${inside.length} files` })),

	'a file is text of at most 512 KiB, except corpora, images and 3D models': () =>
		files.filter((file) => !/\.corpus\/|\.(png|jpg|glb|vrm|vrma)$/.test(file)).flatMap((file) => {
			const content = readFileSync(path.join(root, file));
			if (content.length > MOST_BYTES_IN_A_FILE)
				return [{ key: `size ${file}`, message: `${file} has ${content.length} bytes` }];
			return content.includes(0) ? [{ key: `binary ${file}`, message: `${file} is binary` }] : [];
		}),

	'the top level has no other committed files and folders': () =>
		[...new Set((listOfGit('--cached') ?? files).map((file) => file.split('/')[0]))].filter((entry) => !TOP_LEVEL.includes(entry))
			.map((entry) => ({ message: entry })),

	'a reference to a document of the protocol names one of its headings': () =>
		files.filter((file) => /\.([ch]|m?js|d\.ts|md|[1578]|sh|py)$/.test(file)).flatMap((file) =>
			protocolReferences(readFileSync(path.join(root, file), 'utf8'))
				.filter(([document, heading]) => !headingsOf(document).has(heading))
				.map(([document, heading]) => ({ message: `${file}: ${document}.md has no heading '${heading}'` }))),

	'PROTOCOL.md lists every document of the protocol, and the daemon installs it': () =>
		[...DOCUMENTS].filter((name) => name !== 'PROTOCOL' && name !== 'SEEDS').flatMap((name) =>
			[['proto/PROTOCOL.md', `(${name}.md)`], ['daemon/CMakeLists.txt', name], ['proto/man/jointcast-protocol.7', `${name}.md`]]
				.filter(([file, text]) => !readFileSync(path.join(root, file), 'utf8').includes(text))
				.map(([file]) => ({ message: `${file} does not name ${name}.md` }))),

	'the first line of a C file is a comment that states its purpose': () =>
		[...text].filter(([, content]) => !/^(\/\*|\/\/)/.test(content)).map(([file]) => ({
			key: `comment ${file}`,
			message: `${file} begins without a comment`,
		})),
};

function check() {
	const unused = new Set(Object.keys(EXCEPTIONS));
	let failed = false;
	const report = (line) => {
		failed = true;
		console.log(line);
	};
	for (const [rule, find] of Object.entries(RULES)) {
		const violations = find().filter(({ key }) => !(key in EXCEPTIONS && (unused.delete(key), true)));
		if (violations.length)
			report(`${rule}:\n${violations.map(({ message }) => `  ${message}`).join('\n')}`);
	}
	for (const key of unused)
		report(`the exception '${key}' is no longer needed: delete it from tests/structure.mjs`);
	return failed ? 1 : 0;
}

// Functions as clang-format writes them: the body stands between a line '{' and a line '}' in
// the first column. Returns [lines of the body with its braces, file:line].
function functionsOf(file) {
	const found = [];
	let began = -1;
	text.get(file).split('\n').forEach((line, at) => {
		if (line === '{')
			began = at;
		else if (line === '}' && began >= 0) {
			found.push([at - began + 1, `${file}:${began + 1}`]);
			began = -1;
		}
	});
	return found;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const longest = (pairs) => pairs.reduce((a, b) => (b[0] > a[0] ? b : a), [0, '']);
const linesOf = (file) => readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
const print = (...cells) => console.log(`| ${cells.join(' | ')} |`);

function row(name, inside) {
	const sources = inside.filter(isC);
	const lengths = inside.filter((file) => /\.([ch]|m?js|ts|sh|py|md|txt|cmake|json|html|css)$/.test(file))
		.map((file) => [linesOf(file), path.basename(file)]);
	const functions = sources.flatMap(functionsOf).map(([lines, at]) => [lines, path.basename(at)]);
	const cSizes = sources.map((file) => [linesOf(file), path.basename(file)]);
	const nameOf = ([lines, at]) => (lines ? `${lines} ${at}` : '');
	print(name, inside.length, lengths.reduce((sum, [lines]) => sum + lines, 0),
		cSizes.length ? median(cSizes.map(([lines]) => lines)) : '', nameOf(longest(cSizes)),
		functions.length ? median(functions.map(([lines]) => lines)) : '', nameOf(longest(functions)));
}

function table() {
	print('folder', 'files', 'lines', 'median C file', 'longest C file', 'median function', 'longest function');
	print(...Array(7).fill('---'));
	const own = [...folders()].filter(([folder]) => !/\.corpus$/.test(folder)).sort(([a], [b]) => (a < b ? -1 : 1));
	for (const [folder, inside] of own)
		row(folder, inside);
	for (const part of ['include', 'src', 'daemon', 'clients', 'proto', 'systemd', 'tests'])
		row(`**${part}, with its subfolders**`, own.flatMap(([folder, inside]) =>
			folder === part || folder.startsWith(`${part}/`) ? inside : []));
	row('**all, without corpora**', files.filter((file) => !file.includes('.corpus/')));

	const functions = programs.flatMap(functionsOf);
	console.log(`\nfunctions of src, daemon and clients/cli: ${functions.length}, of more than 40 lines: `
		+ `${functions.filter(([lines]) => lines > 40).length}, of more than 80: ${functions.filter(([lines]) => lines > 80).length}`);
	const long = programs.map((file) => [linesOf(file), file]).filter(([lines]) => lines > 500);
	console.log(`C files of more than 500 lines there: ${long.length}`);
	const named = new Map();
	for (const file of programs.filter((file) => file.endsWith('.c')))
		named.set(path.basename(file), [...(named.get(path.basename(file)) ?? []), file]);
	const doubled = [...named].filter(([, where]) => where.length > 1);
	console.log(`names of .c files in more than one folder: ${doubled.length}${doubled.map(([name]) => ` ${name}`).join('')}`);
	const headers = under('include').map((file) => text.get(file)).join('\n');
	const declared = new Set([...headers.matchAll(/^[a-z].*?\b(jc_[a-z0-9_]+)\(/gm)].map((match) => match[1]));
	console.log(`public headers: ${under('include').length}, public functions: ${declared.size}`);
	const cycles = cyclesOf(includeGraph());
	console.log(`include cycles: ${cycles.length}`);
	for (const cycle of cycles)
		console.log(`  ${cycle.length} units: ${cycle.join(' ')}`);
}

if (process.argv[3] === '--table')
	table();
else
	process.exitCode = check();
