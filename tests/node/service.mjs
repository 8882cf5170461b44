// How a service that is not written in Python checks calls: with Ajv, from the
// folder of schemas or from the bundle, both unchanged.
//
// node tests/node/service.mjs schemas < tests/data/calls.jsonl
// node tests/node/service.mjs tools.json < tests/data/calls.jsonl
// node tests/node/service.mjs tools.json --vectors vectors.json
//
// It prints what is wrong with each call, or with the service itself, and exits
// with 1 if anything is.

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvErrors from 'ajv-errors'
import ajvFormats from 'ajv-formats'

const [source, option, vectors] = process.argv.slice(2)
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const ajv = new Ajv2020({ allErrors: true })
ajvFormats.default(ajv)
ajvErrors.default(ajv)

/** The validators by the names of the tools: a file at the top of the folder is one. */
function fromFolder(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  for (const name of names) ajv.addSchema(read(join(folder, name)))
  const tools = names.filter((name) => !name.startsWith('_'))
  return Object.fromEntries(tools.map((name) => [name.slice(0, -5), ajv.getSchema(read(join(folder, name)).$id)]))
}

/** The same from the bundle: its properties are the tools. */
function fromBundle(path) {
  const bundle = read(path)
  ajv.addSchema(bundle)
  return Object.fromEntries(Object.entries(bundle.properties).map(([name, { $ref }]) => [name, ajv.getSchema($ref)]))
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why a call is refused; nothing where it is not. */
function problems(name, given) {
  if (!Object.hasOwn(tools, name)) return ['no such tool']
  const value = typeof given === 'string' ? JSON.parse(given) : given
  if (!isObject(value)) return ['/ must be an object']
  return tools[name](value) ? [] : tools[name].errors.map((each) => `${each.instancePath || '/'} ${each.message}`)
}

/** The same of a line of a log: an object with name and arguments. */
function problemsOf(line) {
  try {
    const call = JSON.parse(line)
    return isObject(call) ? problems(call.name, call.arguments) : ['the line must be an object']
  } catch {
    return ['not JSON'] // without repeating any of its text
  }
}

function checkCalls(text) {
  const said = text.split('\n').filter((line) => line.trim()).map(problemsOf)
  said.forEach((found, index) => found.forEach((each) => console.log(`line ${index + 1}: ${each}`)))
  const valid = said.filter((found) => !found.length).length
  console.log(`${said.length} calls: ${valid} valid, ${said.length - valid} invalid`)
  return valid === said.length
}

function checkMyself({ cases }) {
  const wrong = cases.filter((each) => !problems(each.tool, each.arguments).length !== each.valid)
  for (const { name, valid } of wrong) console.log(`${name}: expected ${valid ? 'valid' : 'invalid'}`)
  console.log(`${cases.length} cases: ${cases.length - wrong.length} as expected`)
  return !wrong.length
}

const tools = statSync(source).isDirectory() ? fromFolder(source) : fromBundle(source)
const isWell = option === '--vectors' ? checkMyself(read(vectors)) : checkCalls(readFileSync(0, 'utf8'))
process.exitCode = isWell ? 0 : 1
