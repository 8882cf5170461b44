// Replays the contract, tests/vectors/*.json, in TypeBox and in Ajv, and loads
// the schemas of the project as they are. Prints one JSON document: counts, and
// every difference that no case explains. Exits with 1 if there is one.
//
// node replay.mjs [ROOT OF THE REPOSITORY]
//
// With vectors that `toolschema vectors` has written, and a bundle of the same
// tools or none, it replays these instead, and the bundle unchanged:
//
// node replay.mjs --vectors FILE [--bundle FILE]

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Compile } from 'typebox/schema'
import { inBundle } from './bundle.mjs'
import { ajv, inAjv, inTypeBox } from './engines.mjs'
import { documents, read } from './files.mjs'

const options = { vectors: { type: 'string' }, bundle: { type: 'string' } }
const { values: given, positionals } = parseArgs({ options, allowPositionals: true })
const root = positionals[0] ?? fileURLToPath(new URL('../..', import.meta.url))

const unexplained = []
const count = { cases: 0, typebox: { same: 0, verdict: 0, differs: 0 }, ajv: { same: 0, differs: 0 } }
const inOrder = (issues) => JSON.stringify([...issues].sort())
const hasUnion = ({ schema, resources }) => /"(anyOf|oneOf)":/.test(JSON.stringify([schema, resources]))

/** What vectors that were written by the command cannot claim: TypeBox has the lines of every branch. */
function expected(row, typebox) {
  const isMore = hasUnion(row) && row.issues.every((line) => typebox.issues.includes(line))
  return isMore && inOrder(typebox.issues) !== inOrder(row.issues) ? { typebox: 'verdict', why: 'unions' } : {}
}

function note(engine, file, row, measured, details) {
  const claimed = row[engine] ?? 'same'
  count[engine][measured] += 1
  if (claimed !== measured || (claimed !== 'same' && !row.why)) {
    unexplained.push({ engine, file, name: row.name, claimed, measured, ...details })
  }
}

function replay(file, row) {
  count.cases += 1
  const resources = row.resources ?? {}
  const typebox = inTypeBox(Compile(resources, row.schema), row.arguments)
  if (given.vectors) row = { ...row, ...expected(row, typebox) }
  // The order of lines is toolschema's own; TypeBox follows the keywords.
  const hasSameLines = inOrder(typebox.issues) === inOrder(row.issues)
  const measured = typebox.valid !== row.valid ? 'differs' : hasSameLines ? 'same' : 'verdict'
  note('typebox', file, row, measured, { expected: row.issues, got: typebox.issues })
  const { valid } = inAjv(ajv(resources).compile(row.schema), row.arguments)
  note('ajv', file, row, valid === row.valid ? 'same' : 'differs', { expected: row.valid, got: valid })
}

function replayContract() {
  for (const file of documents(join(root, 'tests/vectors'))) {
    for (const row of read(root, 'tests/vectors', file).cases) replay(file, row)
  }
}

function loadSchemas() {
  const schemas = documents(join(root, 'schemas')).map((name) => [name, read(root, 'schemas', name)])
  const shared = Object.fromEntries(schemas.filter(([name]) => name.startsWith('_')).map(([, each]) => [each.$id, each]))
  const tools = schemas.filter(([name]) => !name.startsWith('_'))
  let examples = 0
  for (const [name, schema] of tools) {
    const validator = Compile(shared, schema)
    const validate = ajv(shared).compile(schema)
    for (const example of schema.examples) {
      examples += 1
      if (!validator.Check(example)) unexplained.push({ engine: 'typebox', schema: name, example })
      if (!validate(example)) unexplained.push({ engine: 'ajv', schema: name, example })
    }
  }
  return { schemas: tools.length, examples }
}

function replayGiven() {
  const { cases } = read(given.vectors)
  for (const row of cases) replay(given.vectors, row)
  return given.bundle ? { bundle: inBundle(read(given.bundle), cases, unexplained) } : {}
}

const more = given.vectors ? replayGiven() : (replayContract(), loadSchemas())
console.log(JSON.stringify({ ...count, ...more, unexplained }, null, 2))
process.exitCode = unexplained.length ? 1 : 0
