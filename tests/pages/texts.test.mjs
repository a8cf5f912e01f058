// All visible texts of the pages are in clients/web/texts.js: the test finds texts of markup and
// modules outside the table, keys without a text, and texts that nothing uses.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const WEB = path.join(ROOT, 'clients/web');
const ts = createRequire(path.join(ROOT, 'clients/js/package.json'))('typescript');
const { LANGUAGE, TEXTS, text } = await import(path.join(WEB, 'texts.js'));

const read = (file) => readFileSync(path.join(WEB, file), 'utf8');
/** The table. */
const OTHERS = ['texts.js'];
const named = (ending) => ['', 'controls/', 'invitation/'].flatMap((folder) => readdirSync(path.join(WEB, folder)).map((file) => folder + file))
  .filter((file) => file.endsWith(ending) && !OTHERS.includes(file));

/** Properties and functions whose texts people see. */
const VISIBLE = /^(textContent|innerText|title|placeholder|aria[A-Z]\w*|alt)$/;
const WORDS = /\p{L}{2,}[,.:;!?]? \p{L}{2,}/u;
const LETTER = /\p{L}/u;
/** Literals that are no texts: lists of fonts, selectors, media queries, a command, values. */
const CODE = /sans-serif$|^[\w-]+( [\w-]+)*\[|^\((prefers-|pointer: )|^adb |^(true|false)$/;

/** Visible texts that a module writes itself: several words, or one that becomes visible. */
function textsOf(source, file) {
  const found = [];
  const look = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const parts = ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)] : [node.text];
      const whole = parts.join('…');
      const { parent } = node;
      const becomes = ts.isPropertyAssignment(parent) ? parent.name.getText()
        : ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left) ? parent.left.name.text : '';
      const shown = VISIBLE.test(becomes) && LETTER.test(whole);
      const isCode = whole.includes('\n') || CODE.test(whole);
      if (!isCode && (shown || WORDS.test(whole)))
        found.push(`${file}: '${whole}'`);
    }
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Visible texts of markup; names of keys and of commands stay. `noscript` and `title` stand for pages without scripts. */
function textsOfMarkup(source, file) {
  const body = source.replace(/<(script|style|kbd|code)\b[^>]*>.*?<\/\1>/gs, '')
    .replace(/<noscript>.*?<\/noscript>|<title.*?<\/title>/gs, '');
  const attributes = [...body.matchAll(/\s(title|placeholder|alt|aria-label|value)="([^"]*)"/g)]
    .filter(([, name, value]) => name !== 'value' && LETTER.test(value)).map(([whole]) => whole.trim());
  const contents = body.replace(/<!--.*?-->|<[^>]*>/gs, '\n').split('\n').map((line) => line.trim())
    .filter((line) => LETTER.test(line));
  return [...attributes, ...contents].map((each) => `${file}: ${each}`);
}

test('the search finds a text in a module and in markup', () => {
  assert.equal(textsOf("note('Try it again'); a.title = 'Stop'; make({ textContent: `${n} m` }); b.id = 'dot';", 'a.js').length, 3);
  assert.equal(textsOfMarkup('<p title="Stop">Go</p><kbd>F</kbd><b data-text="close"></b>', 'a.html').length, 2);
});

test('modules and markup have no texts of their own', () => {
  assert.deepEqual([...named('.js').flatMap((file) => textsOf(read(file), file)),
    ...named('.html').flatMap((file) => textsOfMarkup(read(file), file))], []);
});

test('what a page shows without scripts is the text of the table', () => {
  for (const [file, title] of [['index.html', 'viewer.title'], ['publish.html', 'publish.title']]) {
    assert.equal(/<title[^>]*>(.*)<\/title>/.exec(read(file))[1], TEXTS[title]);
    assert.equal(/<noscript><p[^>]*>(.*)<\/p>/.exec(read(file))[1], TEXTS['page.script']);
    assert.match(read(file), new RegExp(`<html lang="${LANGUAGE.lang}">`));
  }
});

test('each key that a page uses has a text, and each text is used', () => {
  const all = [...named('.js'), ...named('.html')].map(read).join('\n');
  const asked = [...all.matchAll(/\bdata-(?:text|title|label|placeholder|description)="([^"]+)"|\btext\('([^']+)'/g)]
    .map(([, attribute, call]) => attribute ?? call);
  assert.deepEqual(asked.filter((key) => !Object.hasOwn(TEXTS, key)), []);
  // A key may be composed: `published.${state}`.
  const composed = [...all.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start).filter(Boolean);
  const literal = new Set([...all.matchAll(/["'`]([\w.]+)["'`]/g)].map(([, word]) => word));
  const isUsed = (key) => literal.has(key) || composed.some((start) => key.startsWith(start))
    || [...literal].some((start) => ['.title', '.sign'].some((end) => key === start + end && all.includes(`}${end}\``)));
  assert.deepEqual(Object.keys(TEXTS).filter((key) => key !== 'page.script' && !isUsed(key)), []);
});

test('values in a text keep their direction, and cannot change that of the text', () => {
  assert.equal(text('sign.shown', { space: 'Ada' }), 'Shown to Ada');
  assert.equal(text('sign.shown', { space: 'עדה' }), 'Shown to \u2068עדה\u2069');
  assert.equal(text('sign.shown', { space: 'a\u202eb\u2069c' }), 'Shown to abc');
  assert.throws(() => text('constructor'));
});
