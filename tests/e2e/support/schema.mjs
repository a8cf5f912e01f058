// Checks control messages against the JSON schemas of proto/schema.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const proto = new URL('../../../proto/', import.meta.url);
const Ajv = createRequire(new URL('test/', proto))('ajv/dist/2020.js');
const schemas = new Ajv({ strictRequired: false });
for (const file of readdirSync(new URL('schema/', proto)))
	schemas.addSchema(JSON.parse(readFileSync(new URL(`schema/${file}`, proto))), file);

/** What is wrong with a message by the schema of its type; null: nothing. */
export function fits(message) {
	const validate = schemas.getSchema(`${message.type}.schema.json`);
	return validate(message) ? null : schemas.errorsText(validate.errors);
}

/** Returns the message; throws if it does not fit the schema of its type. */
export function checkMessage(message) {
	const validate = schemas.getSchema(`${message.type}.schema.json`);
	assert.ok(validate, `there is no schema for ${message.type}`);
	assert.ok(validate(message), `${JSON.stringify(message)}: ${schemas.errorsText(validate.errors)}`);
	return message;
}
