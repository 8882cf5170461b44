// The part of peers.py that runs in Node. Reads one request from standard input,
// and prints one JSON document:
//
//   { schema, valid, failing, rounds, slice }  nanoseconds per call, by engine
//   { probes: { name: { schema, text } } }     the result of every engine, by engine
//
// Packages are resolved from the working folder, which peers.py chooses.

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { Compile } from 'typebox/schema'

/** One engine: text in, the checked value out; and text in, its errors out. */
function engine(check, errors) {
  const accept = (text) => {
    const value = JSON.parse(text)
    return check(value) ? value : undefined
  }
  const report = (text) => {
    const value = JSON.parse(text)
    return check(value) ? [] : errors(value)
  }
  return { accept, report }
}

function typebox(schema) {
  const validator = Compile(schema)
  return engine((value) => validator.Check(value), (value) => validator.Errors(value)[1])
}

/** As code does that makes its validator where it needs it. */
function typeboxPerCall(schema) {
  const accept = (text) => typebox(schema).accept(text)
  const report = (text) => typebox(schema).report(text)
  return { accept, report }
}

function ajv(schema) {
  const instance = new Ajv2020({ allErrors: true, strict: false, logger: false })
  ajvFormats.default(instance)
  const validate = instance.compile(schema)
  return engine(validate, () => validate.errors)
}

const ENGINES = {
  'TypeBox, compiled once': typebox,
  'TypeBox, compiling per call': typeboxPerCall,
  'Ajv, compiled once': ajv,
}

const mapped = (object, each) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, each(value, name)]))

function prove(name, { accept, report }, { valid, failing }) {
  const same = JSON.stringify(accept(valid)) === JSON.stringify(JSON.parse(valid))
  if (!same || report(valid).length) throw new Error(`${name} does not take the valid text`)
  if (!report(failing).length) throw new Error(`${name} finds nothing wrong with the failing text`)
}

let kept

/** Nanoseconds that a number of calls take; what they return is kept, so that they are made. */
function elapsed(call, calls) {
  const start = process.hrtime.bigint()
  for (let each = 0; each < calls; each += 1) kept = call()
  return Number(process.hrtime.bigint() - start)
}

/** How many calls fill a slice; the first ones also warm everything up. */
function callsIn(call, slice) {
  for (let calls = 1; ; calls *= 4) {
    const taken = elapsed(call, calls)
    if (taken >= slice || calls >= 1e6) return Math.max(1, Math.round((calls * slice) / taken))
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

function timed(request) {
  const engines = mapped(ENGINES, (make) => make(request.schema))
  for (const [name, each] of Object.entries(engines)) prove(name, each, request)
  const cases = Object.entries(engines).flatMap(([name, { accept, report }]) => [
    { name, text: 'valid', call: () => accept(request.valid), taken: [] },
    { name, text: 'failing', call: () => report(request.failing), taken: [] },
  ])
  for (const each of cases) each.calls = callsIn(each.call, request.slice * 1e9)
  for (let round = 0; round < request.rounds; round += 1) {
    for (const { call, calls, taken } of cases) taken.push(elapsed(call, calls) / calls)
  }
  const nanoseconds = mapped(ENGINES, () => ({}))
  for (const { name, text, taken } of cases) nanoseconds[name][text] = median(taken)
  return nanoseconds
}

function observed(make, { schema, text }) {
  const { accept, report } = make(schema)
  const errors = report(text).length
  const value = errors ? undefined : accept(text)
  const isPlain = value !== undefined && Object.getPrototypeOf(value) === Object.prototype
  return { errors, value: isPlain ? JSON.stringify(value) : null }
}

const request = JSON.parse(readFileSync(0, 'utf8'))
const answer = request.probes ? mapped(ENGINES, (make) => mapped(request.probes, (probe) => observed(make, probe))) : timed(request)
console.log(JSON.stringify(answer))
