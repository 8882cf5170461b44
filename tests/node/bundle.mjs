// Reads a bundle of tools as written: nothing is changed, added or fetched.

import { Compile } from 'typebox/schema'
import { ajv, inAjv, inTypeBox } from './engines.mjs'

/** Ask the whole bundle and, in Ajv, the tool's own schema in it; count what was asked. */
export function inBundle(bundle, cases, unexplained) {
  const strict = ajv({}, { strict: true }).addSchema(bundle)
  const whole = strict.getSchema(bundle.$id)
  const typebox = Compile(bundle)
  for (const { name, tool, arguments: text, valid } of cases) {
    const call = `{${JSON.stringify(tool)}:${text}}`
    const own = strict.getSchema(bundle.properties[tool].$ref)
    const answers = {
      'ajv, whole': inAjv(whole, call).valid,
      'ajv, tool': inAjv(own, text).valid,
      'typebox, whole': inTypeBox(typebox, call).valid,
    }
    for (const [engine, got] of Object.entries(answers)) {
      if (got !== valid) unexplained.push({ engine: `${engine} in the bundle`, name, expected: valid, got })
    }
  }
  return cases.length
}
