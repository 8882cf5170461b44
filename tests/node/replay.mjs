// Replays the contract, tests/vectors/*.json, in TypeBox and in Ajv, and loads
// the schemas of the project as they are. Prints one JSON document: counts, and
// every difference that no row explains. Exits with 1 if there is one.
//
// node replay.mjs [ROOT OF THE REPOSITORY]

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvErrors from 'ajv-errors'
import ajvFormats from 'ajv-formats'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url))

// TypeBox keeps 8 errors unless told otherwise; toolschema keeps 20.
Settings.Set({ maxErrors: 1000 })

const read = (...parts) => JSON.parse(readFileSync(join(root, ...parts), 'utf8'))
const documents = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.json')).sort()

function ajv(schema, resources = {}) {
  const instance = new Ajv2020({ allErrors: true, strict: false, logger: false })
  ajvFormats.default(instance)
  ajvErrors.default(instance)
  for (const [uri, resource] of Object.entries(resources)) instance.addSchema(resource, uri)
  return instance.compile(schema)
}

// ---------------------------------------------------------------- lines

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const escaped = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (token) => token.replaceAll('~1', '/').replaceAll('~0', '~')

function at(value, pointer) {
  return pointer.split('/').slice(1).reduce((each, token) => each[unescaped(token)], value)
}

/** TypeBox's errors as lines: one for each name, none that only sums up. */
function lines(errors, value) {
  const found = []
  const said = new Set()
  for (const { keyword, schemaPath, instancePath, params, message } of errors) {
    const say = (sentence, token) => {
      const place = token === undefined ? instancePath : `${instancePath}/${escaped(String(token))}`
      found.push(`${place || '/'}: ${sentence}`)
    }
    if (keyword === 'required') {
      for (const name of params.requiredProperties) say(`must have required properties ${name}`, name)
    } else if (keyword === 'dependentRequired' || keyword === 'dependencies') {
      const { property, dependencies } = params
      // TypeBox says the same as often as there are names missing.
      const whole = `${schemaPath} ${instancePath} ${property}`
      if (said.has(whole)) continue
      said.add(whole)
      for (const name of dependencies.filter((each) => !Object.hasOwn(at(value, instancePath), each))) {
        say(`must have properties ${name} when property ${property} is present`, name)
      }
    } else if (keyword === 'unevaluatedProperties' || keyword === 'unevaluatedItems') {
      for (const token of params[keyword]) say(message, token)
    } else if (keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')) {
      say('must not have additional properties')
    } else if (schemaPath.endsWith('/propertyNames')) {
      say(`property name ${message}`)
    } else if (keyword === 'additionalProperties' || keyword === 'propertyNames' || params.failingKeyword === 'else') {
      continue // What fails below has lines of its own.
    } else {
      say(message)
    }
  }
  return found
}

function inTypeBox(validator, text) {
  let value
  try {
    value = JSON.parse(text)
  } catch {
    return { valid: false, issues: ['/: arguments must be valid JSON'] }
  }
  if (!isPlain(value)) return { valid: false, issues: ['/: arguments must be a plain object'] }
  if (validator.Check(value)) return { valid: true, issues: [] }
  const found = lines(validator.Errors(value)[1], value)
  return { valid: false, issues: found.length ? found : ['/: arguments do not satisfy the tool schema'] }
}

function inAjv(validate, text) {
  try {
    const value = JSON.parse(text)
    return { valid: isPlain(value) && validate(value) }
  } catch {
    return { valid: false }
  }
}

// ---------------------------------------------------------------- contract

const unexplained = []
const count = { cases: 0, typebox: { same: 0, verdict: 0, differs: 0 }, ajv: { same: 0, differs: 0 } }
const inOrder = (issues) => JSON.stringify([...issues].sort())

function note(engine, file, row, measured, details) {
  const claimed = row[engine] ?? 'same'
  count[engine][measured] += 1
  if (claimed !== measured || (claimed !== 'same' && !row.why)) {
    unexplained.push({ engine, file, name: row.name, claimed, measured, ...details })
  }
}

for (const file of documents('tests/vectors')) {
  for (const row of read('tests/vectors', file).cases) {
    count.cases += 1
    const resources = row.resources ?? {}
    const typebox = inTypeBox(Compile(resources, row.schema), row.arguments)
    // The order of lines is toolschema's own; TypeBox follows the keywords.
    const hasSameLines = inOrder(typebox.issues) === inOrder(row.issues)
    const measured = typebox.valid !== row.valid ? 'differs' : hasSameLines ? 'same' : 'verdict'
    note('typebox', file, row, measured, { expected: row.issues, got: typebox.issues })
    const { valid } = inAjv(ajv(row.schema, resources), row.arguments)
    note('ajv', file, row, valid === row.valid ? 'same' : 'differs', { expected: row.valid, got: valid })
  }
}

// ---------------------------------------------------------------- schemas

const schemas = documents('schemas').map((name) => [name, read('schemas', name)])
const shared = Object.fromEntries(schemas.filter(([name]) => name.startsWith('_')).map(([, each]) => [each.$id, each]))
const tools = schemas.filter(([name]) => !name.startsWith('_'))
let examples = 0

for (const [name, schema] of tools) {
  const validator = Compile(shared, schema)
  const validate = ajv(schema, shared)
  for (const example of schema.examples) {
    examples += 1
    if (!validator.Check(example)) unexplained.push({ engine: 'typebox', schema: name, example })
    if (!validate(example)) unexplained.push({ engine: 'ajv', schema: name, example })
  }
}

console.log(JSON.stringify({ ...count, schemas: tools.length, examples, unexplained }, null, 2))
process.exitCode = unexplained.length ? 1 : 0
