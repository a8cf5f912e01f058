// Compares the documents with the programs: manual pages and completions contain exactly the commands
// and options.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { jointcast, run } from './tool.mjs';

const root = process.env.JOINTCAST_ROOT;
const tool = join(root, 'clients', 'cli');
const daemon = join(root, 'daemon');
const jointcastd = process.env.JOINTCASTD;

const text = (...path) => readFileSync(join(...path), 'utf8');
const page = (...path) => text(...path).replaceAll('\\-', '-');
const optionsIn = (source) => new Set(source.match(/--[a-z][a-z-]*/g));
const commands = run(jointcast, '--help').stdout.split('commands:\n')[1].split('\n\n')[0]
	.match(/(?<=^ {2})[a-z-]+/gm);

const bash = text(tool, 'completion', 'jointcast.bash');
const zsh = text(tool, 'completion', '_jointcast');

// The suggestions of a bash completion for a line whose last word is incomplete. The helpers replace
// those of bash-completion.
const helpers = `
_init_completion() { cur=\${COMP_WORDS[COMP_CWORD]}; prev=\${COMP_WORDS[COMP_CWORD - 1]}; }
_filedir() { :; }
__ltrim_colon_completions() { :; }
compopt() { :; }
`;
function offered(file, name, ...words) {
	const list = words.map((word) => `'${word}'`).join(' ');
	const { status, stdout, stderr } = run('bash', '-c', `${helpers} source '${file}'
		COMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}
		${name}; printf '%s\\n' "\${COMPREPLY[@]}"`);
	assert.equal(stderr, '');
	assert.equal(status, 0);
	return new Set(stdout.split('\n').filter(Boolean));
}

// The part of the zsh completion for a command.
function zshPart(command) {
	const part = zsh.match(new RegExp(`^\\t${command}\\)\\n([^]*?)^\\t\\t;;$`, 'm'));
	assert.ok(part, `_jointcast: no '${command}'`);
	return part[1];
}

const sorted = (set) => [...set].sort();

test('the completions and jointcast(1) list the commands of the help', () => {
	assert.ok(commands.length >= 11);
	for (const [name, source] of [['bash', offered(join(tool, 'completion', 'jointcast.bash'),
		'_jointcast', jointcast, '')], ['zsh', new Set(zsh.match(/[a-z-]+(?=\\:")/g))]]) {
		const words = sorted(source).filter((word) => !word.startsWith('-'));
		assert.deepEqual(words, [...commands].sort(), name);
	}
	const contents = page(tool, 'man', 'jointcast.1');
	for (const command of commands) {
		assert.ok(contents.includes(`jointcast-${command}`), `jointcast.1: no '${command}'`);
	}
});

test('each command has a manual page, and there are no others', () => {
	const pages = readdirSync(join(tool, 'man')).filter((name) => name !== 'jointcast.1');
	assert.deepEqual(pages.sort(), commands.map((command) => `jointcast-${command}.1`).sort());
});

for (const command of commands) {
	test(`the page and completions of '${command}' have the options of its help`, () => {
		const { status, stdout } = run(jointcast, command, '--help');
		assert.equal(status, 0);
		const options = optionsIn(stdout);
		const written = optionsIn(page(tool, 'man', `jointcast-${command}.1`));
		for (const option of options) {
			assert.ok(written.has(option), `${option} in jointcast-${command}.1`);
		}
		assert.deepEqual(sorted(offered(join(tool, 'completion', 'jointcast.bash'), '_jointcast',
			jointcast, command, '--')), sorted(options), 'bash');
		assert.deepEqual(sorted(optionsIn(zshPart(command).replace(/^\t*'\([^)]*\)'|\\'/gm, ''))),
			sorted(options), 'zsh');
	});
}

test("the page and completions of jointcastd have the options of its help", () => {
	const options = optionsIn(run(jointcastd, '--help').stdout);
	const written = optionsIn(page(daemon, 'man', 'jointcastd.8'));
	for (const option of options) {
		assert.ok(written.has(option), `${option} in jointcastd.8`);
	}
	assert.deepEqual(sorted(offered(join(daemon, 'completions', 'jointcastd.bash'),
		'_jointcastd', jointcastd, '--')), sorted(options), 'bash');
	assert.deepEqual(sorted(optionsIn(text(daemon, 'completions', '_jointcastd'))),
		sorted(options), 'zsh');
});

// The sections of jointcastd.conf(5) and their keys. The unit test test_config_manual compares
// this part of the page with the table that the parser uses.
const generated = page(daemon, 'man', 'jointcastd.conf.5')
	.match(/^\.\\" Generated from [^]*?^\.\\" End of the generated part\.$/m)[0];
const sections = generated.split(/^\.SS /m).slice(1).map((part) => [part.match(/^[a-z_]+/)[0],
	[...part.matchAll(/^\.TP\n\.BR? ([a-z_]+)/gm)].map((match) => match[1])]);

test('the installed configuration file shows all sections and keys', () => {
	const file = text(root, 'systemd', 'jointcastd.conf');

	assert.ok(sections.length >= 13);
	assert.ok(sections.flatMap(([, keys]) => keys).length >= 50);
	for (const [section, keys] of sections) {
		assert.match(file, new RegExp(`^\\s*(# )?${section} [^{\n]*\\{`, 'm'), section);
		for (const key of keys) {
			assert.match(file, new RegExp(`\\b${key} ("[^"]*" )?[={]`),
				`jointcastd.conf: no '${key}' of '${section}'`);
		}
	}
});

// All C files below a folder, as one text.
function sourcesBelow(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => entry.isDirectory()
		? sourcesBelow(join(folder, entry.name))
		: entry.name.endsWith('.c') ? text(folder, entry.name) : []).join('');
}

test('the pages document the environment variables, and with the help the options of sources and targets', () => {
	const pagesOf = (folder) => readdirSync(join(folder, 'man'))
		.map((name) => page(folder, 'man', name)).join('');

	for (const folder of [tool, daemon]) {
		const names = sourcesBelow(folder).match(/(?<=getenv\(")\w+|(?<=_VARIABLE ")\w+/g);
		assert.ok(names.length > 0);
		for (const name of names) {
			assert.ok(pagesOf(folder).includes(name), name);
		}
	}
	for (const [file, options] of [['source/source_uri.c', ['source']], ['sink/osc_target.c', ['vmc-out', 'osc-out']]]) {
		const { stdout } = run(jointcastd, '--help');
		const help = options.map((option) => new RegExp(`^  --${option} [^]*?(?=^  --)`, 'm').exec(stdout)[0]).join('');
		const keys = text(daemon, ...file.split('/')).match(/(?<=strcmp\(key, ")\w+/g);
		assert.ok(keys.length > 3);
		for (const key of keys) {
			assert.match(page(daemon, 'man', 'jointcastd.8'),
				new RegExp(`(^\\.(B|BR|BI) |\\\\fB|")${key}\\b`, 'm'), `jointcastd.8: no '${key}'`);
			assert.match(help, new RegExp(`\\b${key}\\b`), `--help: no '${key}' of --${options}`);
		}
	}
});

test('the manual page of the protocol names every control message', () => {
	const contents = page(root, 'proto', 'man', 'jointcast-protocol.7')
		.match(/^\.SH CONTROL$([^]*?)^\.SH/m)[1];
	const named = new Set(contents.split('\n').filter((line) => /[;,]/.test(line)).join(' ')
		.match(/[a-z_]+(?=[;, ]|$)/g));
	const schemas = readdirSync(join(root, 'proto', 'schema'))
		.map((name) => JSON.parse(text(root, 'proto', 'schema', name)))
		.filter(({ properties }) => properties?.type?.const)
		.map(({ properties }) => properties.type.const);

	assert.ok(schemas.length > 40);
	for (const type of schemas) {
		assert.ok(named.has(type), `jointcast-protocol.7: no '${type}'`);
	}
});

test('the zsh completions have valid syntax', () => {
	for (const file of [join(tool, 'completion', '_jointcast'),
		join(daemon, 'completions', '_jointcastd')]) {
		const { status, stderr } = run('zsh', '-n', file);
		assert.equal(stderr, '');
		assert.equal(status, 0);
	}
});

const pages = [...readdirSync(join(tool, 'man')).map((name) => join(tool, 'man', name)),
	...readdirSync(join(daemon, 'man')).map((name) => join(daemon, 'man', name)),
	join(root, 'proto', 'man', 'jointcast-protocol.7')];

test('the manual pages have valid syntax', () => {
	const { stdout } = run('mandoc', '-T', 'lint', '-W', 'warning', ...pages);
	assert.equal(stdout, '');
});

test('the manual pages have the version of the programs', () => {
	const version = run(jointcast, '--version').stdout.trim();
	assert.equal(run(jointcastd, '--version').stdout.trim().replace('jointcastd', 'jointcast'),
		version);
	for (const file of pages) {
		assert.match(page(file), new RegExp(`^\\.TH \\S+ [1578] "?\\d{4}-\\d{2}-\\d{2}"? "${version}" `, 'm'), file);
	}
});

test('references between manual pages lead to existing pages', () => {
	const known = new Set(pages.map((file) => file.match(/([^/]+)\.([1578])$/)).map((m) => `${m[1]}(${m[2]})`));
	for (const file of pages) {
		const references = page(file).matchAll(/\b(jointcast[a-z.-]*)"? ?\((\d)\)/g);
		for (const [, name, section] of references) {
			assert.ok(known.has(`${name}(${section})`), `${file}: ${name}(${section})`);
		}
	}
});

test('commands and files in the documents exist', () => {
	const options = new Map(commands.map((command) =>
		[command, optionsIn(run(jointcast, command, '--help').stdout)]));
	const ofDaemon = optionsIn(run(jointcastd, '--help').stdout);
	let seen = 0;

	const protocol = readdirSync(join(root, 'proto')).filter((name) => name.endsWith('.md'))
		.map((name) => `proto/${name}`);

	for (const name of ['README.md', 'CHANGELOG.md', ...protocol, 'clients/js/README.md',
		'clients/web/README.md']) {
		// Lines of blocks, and spans of one line.
		const contents = text(root, ...name.split('/'));
		const typed = [...contents.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap((m) => m[1].split('\n'))
			.concat([...contents.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map((m) => m[1]));
		for (const line of typed.map((l) => l.replace(/ #.*/, ''))) {
			const [, command, rest] = line.match(/^jointcast (?!--)(\S+)(.*)/) ?? [];
			const known = command === undefined ? ofDaemon : options.get(command);

			if (command === undefined && !/^jointcastd /.test(line)) {
				continue;
			}
			assert.ok(known, `${name}: '${line}': no such command`);
			for (const option of optionsIn(rest ?? line)) {
				assert.ok(known.has(option), `${name}: '${line}': no ${option}`);
			}
			seen++;
		}
	}
	assert.ok(seen > 20);
});

// The anchor of a heading.
const anchor = (heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
	.replace(/[^\p{L}\p{N}_ -]/gu, '').trim().replaceAll(' ', '-');
const prose = (file) => readFileSync(file, 'utf8').replace(/^```[^]*?^```$/gm, '');

test('links in the documents lead to existing targets', () => {
	const files = ['.', 'clients/examples', 'clients/js', 'clients/web', 'proto', 'tests', 'tests/figures', 'tests/oracle']
		.flatMap((folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
			.map((name) => join(root, folder, name)));
	let links = 0;

	assert.ok(files.length >= 12);
	for (const file of files) {
		for (const [, address] of prose(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
			const [path, part] = address.split('#');
			const target = path ? join(dirname(file), path) : file;

			assert.ok(existsSync(target), `${file}: ${address}`);
			if (part) {
				const parts = [...prose(target).matchAll(/^#+ (.*)$/gm)].map(([, text]) => anchor(text));
				assert.ok(parts.includes(part), `${file}: ${address}`);
			}
			links++;
		}
	}
	assert.ok(links > 30);
});
