// The schemas against the document: its examples are valid, what it forbids is not.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { FieldTable, tablesOf } from './field-tables.mjs';

const here = (path) => new URL(path, import.meta.url);
const json = (path) => JSON.parse(readFileSync(here(path), 'utf8'));
const DOCUMENTS = ['PROTOCOL', 'CORE', 'BUNDLES', 'PLAYBACK', 'AXES', 'SMALL-PACKETS', 'PUBLISHING', 'SKELETONS', 'VIEWS', 'MODULES'];
const document = (name) => readFileSync(here(`../${name}.md`), 'utf8');
const protocol = DOCUMENTS.map(document).join('\n');

// The text below a heading of a document, up to the next heading of its level or a higher one.
function section(name, heading) {
  const lines = document(name).split('\n');
  const level = (line) => line.match(/^(#+) /)?.[1].length ?? Infinity;
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  assert.ok(from >= 0, `${name}.md has no '${heading}'`);
  const count = lines.slice(from + 1).findIndex((line) => level(line) <= level(lines[from]));
  return lines.slice(from + 1, count < 0 ? undefined : from + 1 + count).join('\n');
}

const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true });
const files = readdirSync(here('../schema')).filter((name) => name.endsWith('.schema.json'));
for (const file of files) {
  ajv.addSchema(json(`../schema/${file}`), file);
}

function errors(name, value) {
  const validate = ajv.getSchema(`${name}.schema.json`);
  assert.ok(validate, `there is no schema for '${name}'`);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

const assertValid = (name, value) => assert.equal(errors(name, value), null);
const assertBroken = (name, value) =>
  assert.notEqual(errors(name, value), null, `${name} takes ${JSON.stringify(value)}`);

// Whole messages of the document: arrow, space, one line of JSON without an ellipsis.
const examples = protocol.split('\n').filter((line) => /^[→←] \{.*\}$/.test(line) && !line.includes('…'))
  .map((line) => JSON.parse(line.slice(2)));
const find = (type) => structuredClone(examples.find((message) => message.type === type));

// The messages that the documents describe: a heading with the type, and an arrow.
const types = [...new Set([...protocol.matchAll(/^### `([a-z_]+)`\n\n[→←] /gm)].map(([, type]) => type))];

test('every control message of the documents has a schema, and every schema is used', () => {
  assert.ok(types.length >= 12);
  for (const type of types) {
    assert.ok(files.includes(`${type}.schema.json`), type);
  }
  const parts = ['body', 'descriptor', 'name', 'request', 'space'];
  assert.deepEqual(files.map((file) => file.replace('.schema.json', '')).sort(), [...types, ...parts].sort());
});

test('the list of messages is complete', () => {
  const listed = [...section('PROTOCOL', 'Messages').matchAll(/`([a-z_]+)`/g)].map(([, type]) => type);
  assert.deepEqual([...new Set(listed)].sort(), [...types].sort());
});

test('the tables of fields agree with the schemas, in both directions', () => {
  const names = { Bodies: 'body', 'Skeleton descriptors': 'descriptor' };
  const documented = new Map();
  for (const { heading, arrow, rows } of DOCUMENTS.flatMap((name) => tablesOf(document(name)))) {
    const name = names[heading] ?? heading;
    assert.ok(arrow || heading in names, `${heading}: no arrow`);
    for (const { field, unit, meaning, ...row } of rows) {
      assert.ok(meaning, `${name}.${field} has no meaning`);
      // Both directions of a message have a table: their common fields are the same.
      const fields = documented.get(name) ?? new Map();
      assert.deepEqual(row, fields.get(field) ?? row, `${name}.${field}`);
      documented.set(name, fields.set(field, row));
    }
  }
  const tables = new FieldTable((file) => json(`../schema/${file}`));
  for (const file of files) {
    const fields = new Map(tables.rows(file).map(({ field, ...row }) => [field, row]));
    const name = file.replace('.schema.json', '');
    assert.deepEqual([...documented.get(name)?.keys() ?? []].sort(), [...fields.keys()].sort(), `fields of ${name}`);
    for (const [field, row] of fields) {
      assert.deepEqual(documented.get(name).get(field), row, `${name}.${field}`);
    }
  }
  assert.ok([...documented.values()].reduce((sum, { size }) => sum + size, 0) > 200);
});

test('the bones of BUNDLES.md are those of joints.json', () => {
  const listed = [...section('BUNDLES', 'Bones').matchAll(/\b(\d+) ([A-Za-z]+)(?=[,.])/g)].map(([, i, name]) => [Number(i), name]);
  assert.deepEqual(listed, json('../joints.json').bones.map(({ name }, i) => [i, name]));
});

test('codes of errors are the same in document, schema and server, which sends each of them', () => {
  const text = section('CORE', 'Errors');
  const documented = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  assert.ok(documented.length >= 15);
  const { enum: allowed } = json('../schema/error.schema.json').properties.code;
  assert.deepEqual(allowed, documented);
  const control = here('../../daemon/control/');
  const sources = readdirSync(control, { recursive: true }).filter((name) => name.endsWith('.c'));
  const read = (name) => readFileSync(new URL(name, control), 'utf8');
  const known = [...read('reply.c').matchAll(/^\t"([a-z-]+)",$/gm)].map(([, code]) => code);
  assert.deepEqual(known, documented);
  const rest = sources.filter((name) => name !== 'reply.c').map(read).join('');
  assert.deepEqual(documented.filter((code) => !rest.includes(`"${code}"`)), []);
  const sent = [...rest.matchAll(/\b(?:jc_reply_error\w*|answer_error)\(\s*\w+,\s*"([a-z-]+)"/g)].map(([, code]) => code);
  assert.ok(sent.length > 50);
  assert.deepEqual([...new Set(sent)].filter((code) => !documented.includes(code)), []);
});

test('reasons of refusals are the same in document and server', () => {
  const token = readFileSync(here('../../daemon/auth/token.c'), 'utf8');
  const names = [...token.matchAll(/\[JC_REFUSAL_\w+\] = "([a-z-]+)"/g)].map(([, name]) => name).filter((name) => name !== 'none');
  const credentials = readFileSync(here('../../daemon/control/credentials.c'), 'utf8');
  const more = [...credentials.matchAll(/refuse\(client, "([a-z-]+)"/g)].map(([, name]) => name);
  const security = section('PROTOCOL', 'Security');
  assert.ok(names.length === 8 && more.length >= 2);
  for (const name of [...names, ...more]) {
    assert.ok(security.includes(`\`${name}\``), name);
  }
});

test('the document shows every control message', () => {
  assert.deepEqual([...new Set(examples.map(({ type }) => type))].sort(), [...types].sort());
});

for (const [i, message] of examples.entries()) {
  test(`example ${i + 1} is a valid ${message.type}`, () => assertValid(message.type, message));
}

test('the descriptor of the document is valid', () => {
  const [, text] = section('SKELETONS', 'Skeleton descriptors').match(/```json\n(.*?)```/s);
  assertValid('descriptor', JSON.parse(text));
});

test('unknown fields are allowed in every message', () => {
  for (const message of examples) {
    assertValid(message.type, { ...message, later: { than: 'this' } });
  }
});

test('no message does without its type or passes for another', () => {
  for (const message of examples) {
    assertBroken(message.type, { ...message, type: 'other' });
    const { type, ...rest } = message;
    assertBroken(type, rest);
    assertBroken(type, [message]);
  }
});

test('no message does without a field that it needs', () => {
  const optional = { hello: ['codings', 'credit', 'client'], error: ['ref', 'request'], renewed: ['expires'], calibrate: ['pose', 'countdown'], subscribe: ['precision', 'rate', 'sections', 'skeleton', 'bodies', 'budget', 'viewpoints', 'virtual'], subscribed: ['virtual'], roster: ['joined', 'left', 'changed', 'recording'],
    replay: ['speed', 'names', 'seconds'], replaying: ['answers', 'opened', 'past'],
    moderate: ['seconds', 'reason', 'body'], moderated: ['body', 'subject', 'until', 'reason', 'stored', 'concerned'],
    administer: ['bodies'], published: ['name'], amend: ['meta'], place: ['teleport', 'request'],
    publish: ['display', 'profile', 'height', 'smooth', 'skeleton', 'channels', 'mayRecord', 'mayRebroadcast'],
    consent: ['mayRecord', 'mayRebroadcast'] };
  for (const message of examples) {
    for (const field of Object.keys(message)) {
      if (!(optional[message.type] ?? []).includes(field) && field !== 'bodies') {
        const broken = structuredClone(message);
        delete broken[field];
        assertBroken(message.type, broken);
      }
    }
  }
});

test('fields of the wrong kind or size are broken', () => {
  const broken = [
    ['hello', { codings: 1 }], ['hello', { codings: [16] }], ['hello', { codings: [1.5] }], ['hello', { credit: 'yes' }],
    ['hello', { client: 'x'.repeat(256) }],
    ['welcome', { protocol: 'jointcast.v2' }], ['welcome', { time: '5' }], ['welcome', { time: 0.5 }],
    ['welcome', { codings: [{ id: 1 }] }], ['welcome', { spaces: [''] }], ['welcome', { limits: {} }], ['welcome', { limits: { message: 0 } }], ['welcome', { limits: { message: 65536, captures: 0 } }],
    ['join', { space: '' }], ['join', { space: 7 }], ['subscribe', { space: null }], ['leave', { space: 'x'.repeat(256) }],
    ['subscribe', { precision: 'exact' }], ['subscribe', { rate: 3 }], ['subscribe', { rate: '2' }],
    ['subscribe', { sections: [] }], ['subscribe', { sections: ['body', 'body'] }], ['subscribe', { sections: 'body' }], ['keyframe', { space: 7 }],
    ['subscribe', { virtual: [] }], ['subscribe', { virtual: [256] }], ['subscribe', { virtual: [''] }], ['subscribe', { virtual: 'seating' }], ['subscribed', { precision: 'exact' }],
    ['props', { props: {} }], ['props', { props: [{ name: 'chair' }] }], ['props', { props: [{ ...find('props').props[0], name: '' }] }],
    ['props', { props: [{ ...find('props').props[0], descriptor: { nodes: [{}], bones: { hips: 0 }, virtualTransforms: [{}] } }] }],
    ['publish', { publication: 256 }], ['publish', { publication: '0' }], ['publish', { name: '' }], ['publish', { name: 'x'.repeat(64) }],
    ['publish', { kind: 'bones' }], ['publish', { profile: 'vive' }], ['publish', { height: 0.4 }], ['publish', { height: '1.7' }],
    ['publish', { smooth: 1 }], ['publish', { skeleton: 'humanoid' }], ['publish', { channels: 'lookAt' }], ['publish', { channels: ['a', 'a'] }],
    ['publish', { channels: [''] }], ['publish', { mayRecord: 'yes' }], ['publish', { mayRebroadcast: 1 }],
    ['published', { publication: -1 }], ['published', { body: -1 }], ['consent', { mayRecord: 'yes' }], ['consented', { mayRecord: null }], ['unpublish', { publication: null }], ['unpublished', { publication: 1.5 }],
    ['calibrate', { body: '3' }], ['calibrate', { pose: 'a' }], ['calibrate', { height: 4 }], ['calibrate', { countdown: 61 }],
    ['calibrate', { undo: 1 }], ['calibration', { state: 'lost' }], ['calibration', { left: -1 }],
    ['replay', { action: 'stop' }], ['replay', { file: 'a/b.mcap' }], ['replay', { file: '.mcap' }], ['replay', { file: 'a.bvh' }],
    ['replay', { speed: 11 }], ['replay', { from: -1 }], ['replay', { names: { a: '' } }], ['replay', { action: 'seek', id: 1 }],
    ['replay', { action: 'play' }], ['replaying', { replays: [{ id: 1 }] }], ['replaying', { answers: 'stop' }],
    ['ack', { tick: -1 }], ['ack', { tick: 4294967296 }], ['ack', { tick: 1.5 }],
    ['ping', { t: 'now' }], ['pong', { time: 1.5 }],
    ['skeleton', { hash: '9F' }], ['skeleton', { descriptor: {} }],
    ['registered', { name: '' }], ['registered', { hash: 'humanoid' }], ['registered', { stored: 1 }], ['registered', { lint: {} }],
    ['registered', { lint: [{ severity: 'error', code: 'a', text: '' }] }], ['unregister', { name: 'x'.repeat(64) }], ['unregistered', { name: 1 }],
    ['wardrobe', { skeletons: [{ name: 'a' }] }], ['skeletons', { type: 'skeleton' }],
    ['publish', { display: '' }], ['publish', { meta: [] }], ['publish', { meta: { a: null } }], ['publish', { placement: { yaw: 0 } }],
    ['amend', { publication: -1 }], ['amend', { meta: { '': 1 } }], ['amended', { publication: 256 }],
    ['place', { position: [0, 0] }], ['place', { position: [0, 0, 10001] }], ['place', { yaw: '0' }], ['place', { teleport: 1 }],
    ['place', { seat: { height: 0 } }], ['place', { body: -1 }],
    ['administer', { action: 'open' }], ['administer', { bodies: 0 }], ['administered', { subscribers: 0 }],
    ['moderate', { action: 'exile' }], ['moderate', { subject: 'bob' }], ['moderate', { seconds: 0 }], ['moderate', { body: -1 }],
    ['moderated', { action: 'list' }], ['moderated', { until: 0.5 }], ['sanctions', { sanctions: [{ kind: 'kick', by: '', since: 1 }] }],
    ['error', { code: 'Not a code' }], ['error', { message: 'two\nlines' }],
    ['roster', { revision: -1 }], ['roster', { id: -1 }], ['roster', { tickHz: 0 }], ['roster', { tickHz: 59.94 }],
    ['roster', { tickTime: null }], ['roster', { bodies: {} }],
  ];
  for (const [type, fields] of broken) {
    assertBroken(type, { ...find(type), ...fields });
  }
});

test('broken bodies are broken', () => {
  const [body] = find('roster').bodies;
  assertValid('body', body);
  for (const fields of [{ id: 4294967296 }, { name: 3 }, { skeleton: 'humanoid' }, { incarnation: 8 }, { state: 'asleep' },
    { seat: {} }, { seat: { height: -1 } }, { placement: { position: [0, 0], yaw: 0 } },
    { placement: { position: [0, 0, 2e6], yaw: 0 } }, { placement: { position: [0, 0, 0] } }]) {
    assertBroken('body', { ...body, ...fields });
  }
  for (const field of ['id', 'name', 'skeleton', 'incarnation', 'placement', 'state']) {
    const { [field]: gone, ...rest } = body;
    assertBroken('body', rest);
  }
});

test('a change of the roster changes something', () => {
  assertBroken('roster', { type: 'roster', space: 'lobby', revision: 5 });
  for (const fields of [{ joined: [3] }, { left: ['3'] }, { changed: [{ id: 3 }] }]) {
    assertBroken('roster', { type: 'roster', space: 'lobby', revision: 5, ...fields });
  }
});

test('broken descriptors are broken', () => {
  const good = { nodes: [{}], bones: { hips: 0 } };
  assertValid('descriptor', good);
  assertValid('descriptor', { ...good, floor: -0.1 });
  assertValid('descriptor', { ...good, limits: [{ node: 0, stiffness: [0, 0, 1] }], segments: [{ node: 0 }] });
  const node = (fields) => ({ nodes: [fields] });
  for (const fields of [{ nodes: [] }, { nodes: undefined }, { nodes: [3] }, { bones: undefined }, { bones: {} }, { bones: { tail: 0 } },
    { bones: { hips: -1 } }, { bones: { hips: 0.5 } }, { facing: [0, 0, 0] }, { facing: [0, 0, 0, 2] }, { hipsHeight: 0 },
    { floor: null }, { floor: 2e6 },
    { corrections: { tail: [0, 0, 0, 1] } }, { corrections: { hips: 1 } }, { offsets: { tail: [0, 0, 0, 1] } }, { offsets: { hips: [0, 0, 0] } }, node({ parent: -2 }), node({ parent: '0' }),
    node({ translation: [0, 0] }), node({ rotation: [0, 0, 0] }), node({ scale: 1 }), node({ translation: [0, 0, 2e6] }),
    { virtualTransforms: [{ tags: 'x' }] }, { virtualTransforms: [{ respectParentScale: 1 }] },
    { limits: [{}] }, { limits: [{ node: -1 }] }, { limits: [{ node: 0, lower: [0, 0, 0] }] }, { limits: Array(1025).fill({ node: 0 }) },
    { segments: [{}] }, { segments: [{ node: 0, mass: -1 }] }, { segments: [{ node: 0, momentsOfInertia: [1, 2, 3] }] }]) {
    assertBroken('descriptor', JSON.parse(JSON.stringify({ ...good, ...fields })));
  }
});

// An explained dump: the bytes of the block, and a table with the offset and the bytes of each row.
function assertExplained(text, hex) {
  const dump = text.match(/```\n(.*?)```/s)[1].replace(/\s/g, '');
  assert.equal(dump, hex);
  let at = 0;
  for (const [, offset, bytes] of text.matchAll(/^\| (\d+) \| `([0-9a-f ]+)`/gm)) {
    assert.equal(Number(offset), at);
    const row = bytes.replaceAll(' ', '');
    assert.equal(row, dump.slice(2 * at, 2 * at + row.length));
    at += row.length / 2;
  }
  assert.equal(at, dump.length / 2);
}

test('the bundle that BUNDLES.md explains is the first golden vector', () => {
  const [first] = json('../golden/bundles.json');
  assertExplained(section('BUNDLES', 'A bundle, byte by byte'), first.hex);
});

test('the capture that PUBLISHING.md explains is a golden vector', () => {
  const arm = json('../golden/captures.json').find(({ name }) => name === 'a lone arm');
  assertExplained(section('PUBLISHING', 'A capture, byte by byte'), arm.hex);
});

test('the example of virtual transforms has the numbers of the golden vectors', () => {
  const start = protocol.indexOf('| respected | position | rotation | scale |');
  const rows = protocol.slice(start, protocol.indexOf('\n\n', start)).split('\n').slice(2)
    .map((row) => row.slice(2, -2).split(' | '));
  const vectors = json('../golden/virtual-transforms.json');
  assert.equal(rows.length, 8);
  for (const [i, [name, ...numbers]] of rows.entries()) {
    const { translation, rotation, scale } = vectors[i].expected;
    assert.equal(name, vectors[i].name);
    const round = (x) => Number(x.toFixed(5));
    assert.deepEqual(numbers.map((text) => JSON.parse(text)),
      [translation, rotation, scale].map((list) => list.map(round)), name);
  }
});
