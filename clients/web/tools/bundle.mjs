// Makes one file of the modules of each page and of those of clients/js that they import. The programs of
// the import map (three.js, three-vrm, lean-qr) stay imports.
//
// usage: bundle.mjs FOLDER

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const WEB = fileURLToPath(new URL('..', import.meta.url));

await build({
  entryPoints: ['main.js', 'publish.js'],
  absWorkingDir: WEB,
  outdir: path.resolve(process.argv[2]),
  alias: { jointcast: path.resolve(WEB, '../js') },
  external: ['three', 'three/*', '@pixiv/three-vrm', 'lean-qr'],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
