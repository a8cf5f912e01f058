// Makes ES modules of React and react-three-fiber, whose packages have none for a page without a
// bundler: one module for each name in the import map of react.html. They share React; three stays
// an import.
//
// usage: bundle.mjs FOLDER

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
process.env.NODE_ENV = 'production'; // React chooses its files by it

/** The exports of a CommonJS module by name. @param {string} name */
const namesOf = (name) => Object.keys(require(name)).filter((key) => /^[A-Za-z]\w*$/.test(key) && key !== 'default');

/** The module of a CommonJS package. @param {string} name */
const wrap = (name) => `import whole from '${name}';
export default whole;
export const { ${namesOf(name).join(', ')} } = whole;`;

const MODULES = {
  react: wrap('react'),
  'react-dom-client': wrap('react-dom/client'),
  fiber: "export * from '@react-three/fiber';",
};

await build({
  entryPoints: Object.keys(MODULES).map((name) => ({ in: `example:${name}`, out: name })),
  outdir: path.resolve(process.argv[2]),
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  external: ['three'],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  plugins: [{
    name: 'example',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^example:/ }, ({ path: name }) => ({ path: name.slice(8), namespace: 'example' }));
      onLoad({ filter: /./, namespace: 'example' }, ({ path: name }) => ({ contents: MODULES[name], resolveDir: HERE }));
    },
  }],
});
