// Makes the modules that the example pages import where a package has none for a page without a bundler,
// or none that the Content-Security-Policy of the daemon permits:
//   react/   React and react-three-fiber, one module for each name in the import map of react.html;
//            they share React, and three stays an import
//   aframe/  A-Frame, without the one function that it makes of text
//
// usage: bundle.mjs FOLDER

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const folder = path.resolve(process.argv[2]);
await build({
  entryPoints: Object.keys(MODULES).map((name) => ({ in: `example:${name}`, out: name })),
  outdir: path.join(folder, 'react'),
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

// A-Frame's layout of text makes its getters with `new Function`, which needs 'unsafe-eval'.
const GETTER = 'return new Function(["return function "+e+"() {","  return this._"+e,"}"].join("\\n"))()';
const whole = readFileSync(path.join(HERE, 'node_modules/aframe/dist/aframe-v1.7.1.module.min.js'), 'utf8');
const parts = whole.split(GETTER);
if (parts.length !== 2) {
  throw new Error('aframe: another version? Its layout of text has changed');
}
mkdirSync(path.join(folder, 'aframe'), { recursive: true });
writeFileSync(path.join(folder, 'aframe/aframe.module.min.js'), parts.join('return function(){return this["_"+e]}'));
