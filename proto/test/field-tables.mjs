// The fields of JSON schemas as rows of a table, and the tables of the documents: both in the
// same form, to compare them.

const BIG = new Map([[4294967295, '2³² − 1'], [9007199254740991, '2⁵³ − 1']]);
const PARTS = { 'body.schema.json': 'body', 'descriptor.schema.json': 'descriptor' };
const MANY = 12;
const HASH = '^[0-9a-f]{64}$';

const number = (x) => BIG.get(x) ?? String(x);
const value = (x) => `\`${JSON.stringify(x)}\``;
const span = (least, most, unit = '') => {
  const text = least === undefined ? (most === undefined ? '' : `at most ${number(most)}`)
    : most === undefined ? `at least ${number(least)}`
      : least === most ? number(least) : `${number(least)} to ${number(most)}`;
  return text && unit ? `${text} ${/ 1$/.test(text) ? unit.replace(/ies$/, 'y') : unit}` : text;
};

/** Rows { field, type, range, initial } of all fields of a schema, also of the objects in it: `rooms[].name`. */
export class FieldTable {
  /** `load` returns the schema of a file. */
  constructor(load) {
    this.load = load;
  }

  rows(file) {
    this.file = file;
    return this.#rowsOf(this.load(file), '');
  }

  #resolve(schema) {
    if (!schema.$ref) {
      return schema;
    }
    const [file, path] = schema.$ref.split('#');
    const target = (path ?? '').split('/').filter(Boolean)
      .reduce((found, key) => found[key], this.load(file || this.file));
    const { $ref, ...own } = schema;
    return { ...this.#resolve(target), ...own };
  }

  #type(schema) {
    if (schema.$ref in PARTS) {
      return PARTS[schema.$ref];
    }
    const s = this.#resolve(schema);
    if ('const' in s || s.enum) {
      return [...new Set((s.enum ?? [s.const]).map((x) => (typeof x === 'string' ? 'text' : typeof x === 'number' ? 'integer' : 'boolean')))].join(' or ');
    }
    const choices = s.oneOf ?? s.anyOf ?? (Array.isArray(s.type) ? s.type.map((type) => ({ type })) : null);
    if (choices && !s.properties) {
      return choices.map((choice) => this.#type(choice)).join(' or ');
    }
    switch (s.type) {
    case 'string': return s.pattern === HASH ? 'hash' : 'text';
    case 'array': return `[${this.#type(s.items)}]`;
    case 'object': return s.additionalProperties ? `{name: ${this.#type(s.additionalProperties)}}` : 'object';
    default: return s.type;
    }
  }

  #range(schema) {
    const s = this.#resolve(schema);
    if ('const' in s || s.enum) {
      return s.enum?.length > MANY ? `${s.enum.length} values` : (s.enum ?? [s.const]).map(value).join(', ');
    }
    switch (s.type) {
    case 'string': return span(s.minLength || undefined, s.maxLength, 'bytes');
    case 'array': {
      const elsewhere = schema.$ref && !schema.$ref.startsWith('#');
      const each = elsewhere || s.items.$ref in PARTS ? '' : this.#range(s.items);
      const count = span(s.minItems, s.maxItems, 'entries') + (s.uniqueItems ? ', all different' : '');
      return [count, each && `each ${each}`].filter(Boolean).join('; ');
    }
    case 'object': return span(s.minProperties, s.maxProperties, 'entries');
    default:
      return s.exclusiveMinimum === undefined ? span(s.minimum, s.maximum)
        : `above ${number(s.exclusiveMinimum)}${s.maximum === undefined ? '' : `, at most ${number(s.maximum)}`}`;
    }
  }

  #rowsOf(schema, prefix) {
    const branches = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), schema]
      .flatMap((branch) => [branch, branch.then, branch.else]).filter(Boolean)
      .flatMap((branch) => [branch, ...(branch.oneOf ?? []), ...(branch.anyOf ?? [])]);
    const conditional = new Set(branches.flatMap(({ required }) => required ?? []));
    const properties = Object.assign({}, ...branches.filter(({ properties }) => properties)
      .map(({ properties }) => properties).reverse());
    const own = schema.properties ?? {};
    return Object.entries(Object.assign(properties, own))
      .filter(([name, { $ref }]) => prefix || (name !== 'type' && $ref !== 'request.schema.json'))
      .flatMap(([name, s]) => {
        const resolved = this.#resolve(s);
        const elsewhere = s.$ref && !s.$ref.startsWith('#');
        const initial = schema.required?.includes(name) ? 'required' : conditional.has(name) ? 'conditional'
          : 'default' in (elsewhere ? s : resolved) ? value((elsewhere ? s : resolved).default) : '–';
        const row = { field: prefix + name, type: this.#type(s), range: this.#range(s), initial };
        return [row, ...this.#nested(s, prefix + name)];
      });
  }

  // Rows of the objects in a field. A reference to a field of another schema has its rows there.
  #nested(schema, path) {
    if (schema.$ref && !schema.$ref.startsWith('#')) {
      return [];
    }
    const s = this.#resolve(schema);
    if (s.type === 'array') {
      return this.#nested(s.items, `${path}[]`);
    }
    const object = s.properties ? s : (s.oneOf ?? []).find(({ properties }) => properties);
    return object ? this.#rowsOf(object, `${path}.`) : [];
  }
}

const HEADER = '| field | type | unit | range | default | meaning |';

/**
 * The tables of fields in a document: [{ heading, arrow, rows }], `arrow` of the first line below the
 * heading. Fields of binary records are not in backticks; their tables are left out.
 */
export function tablesOf(text) {
  return text.split(/^(?=#+ )/m).filter((part) => part.includes(`${HEADER}\n|---|---|---|---|---|---|\n| \``)).map((part) => {
    const [, heading, arrow] = part.match(/^#+ ([^\n]*)\n\n(→|←)?/);
    const lines = part.slice(part.indexOf(HEADER)).split('\n');
    const end = lines.findIndex((line) => !line.startsWith('|'));
    const rows = lines.slice(2, end < 0 ? undefined : end).map((line) => {
      const [field, type, unit, range, initial, meaning] = line.slice(2, -2).split(/ ?\| ?/);
      return { field: field.replaceAll('`', ''), type, unit, range, initial, meaning };
    });
    return { heading: heading.replaceAll('`', ''), arrow, rows };
  });
}
