// Sizes of the library by entry point: what esbuild includes of it in a program, minified and compressed
// with gzip. Peer packages are not included.
//
// usage: node tools/sizes.mjs          prints the table of README.md
//        node tools/sizes.mjs --parts  prints the modules of `connect` and their sizes before compression

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIBRARY = fileURLToPath(new URL('..', import.meta.url));
const PEERS = ['three', 'three/*', '@pixiv/three-vrm', 'react', '@react-three/fiber'];
const PROGRAM = 'stdin.js';

/** Imports of a program, by name. */
const IMPORTS = {
  connect: "export { connect } from './client.js';",
  publishBody: "export { publishBody } from './publish.js';",
  'jointcast/three': "export { Crowd } from './three/index.js';",
  'jointcast/react': "export * from './react/index.js';",
  'jointcast/aframe': "import './aframe/index.js';",
  'jointcast/x3d': "export { Humanoids } from './x3d/index.js';",
};
/** Programs of the table; each row is one. The adapters for components import `connect` themselves. */
const PROGRAMS = [['connect'], ['connect', 'publishBody'], ['connect', 'jointcast/three'], ['jointcast/react'],
  ['jointcast/aframe'], ['connect', 'jointcast/x3d']];

/** The files that a file imports, without those that it loads on demand. */
function staticFiles(outputs, name, found = new Set()) {
  if (!found.has(name)) {
    found.add(name);
    outputs[name].imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
      .forEach((one) => staticFiles(outputs, one.path, found));
  }
  return found;
}

/**
 * Bundles a program that imports these names.
 *
 * @param {string[]} names
 * @returns bytes: of the files that a page loads at once; later: of those that it loads on demand;
 *   modules: [name, bytes before compression] in the former
 */
export async function measure(names) {
  const { metafile: { outputs }, outputFiles } = await build({
    stdin: { contents: names.map((name) => IMPORTS[name]).join('\n'), resolveDir: LIBRARY },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: PEERS,
    outdir: '/',
    absWorkingDir: '/',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const first = staticFiles(outputs, PROGRAM);
  const sum = (isWanted) => outputFiles.filter((file) => isWanted(path.relative('/', file.path)))
    .reduce((bytes, { contents }) => bytes + gzipSync(contents, { level: 9 }).length, 0);
  return {
    bytes: sum((name) => first.has(name)),
    later: sum((name) => !first.has(name)),
    modules: [...first].flatMap((name) => Object.entries(outputs[name].inputs))
      .map(([file, { bytesInOutput }]) => [path.relative(LIBRARY, path.join('/', file)), bytesInOutput]),
  };
}

const inKilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** The rows of the table of README.md: names, bytes at once, bytes on demand. */
export async function rows() {
  const all = [];
  for (const names of PROGRAMS) {
    const { bytes, later } = await measure(names);
    all.push([names.map((name) => `\`${name}\``).join(', '), bytes, later]);
  }
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--parts')) {
    const { modules } = await measure(['connect']);
    modules.sort(([, a], [, b]) => b - a).forEach(([name, size]) => console.log(String(size).padStart(6), name));
  } else {
    console.log('| a program imports | at once | on demand |\n|---|---|---|');
    (await rows()).forEach(([names, bytes, later]) => console.log(`| ${names} | ${inKilobytes(bytes)} | ${inKilobytes(later)} |`));
  }
}
