// Ajv and TypeBox, used as a service would use them on JSON text.

import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvErrors from 'ajv-errors'
import ajvFormats from 'ajv-formats'
import { Settings } from 'typebox/system'
import { lines } from './lines.mjs'

// TypeBox keeps 8 errors unless told otherwise; toolschema keeps 20.
Settings.Set({ maxErrors: 1000 })

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An instance that knows the resources; strict where nothing but the standard and errorMessage may be used. */
export function ajv(resources = {}, options = {}) {
  const instance = new Ajv2020({ allErrors: true, strict: false, logger: false, ...options })
  ajvFormats.default(instance)
  ajvErrors.default(instance)
  for (const [uri, resource] of Object.entries(resources)) instance.addSchema(resource, uri)
  return instance
}

export function inTypeBox(validator, text) {
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

export function inAjv(validate, text) {
  try {
    const value = JSON.parse(text)
    return { valid: isPlain(value) && validate(value) }
  } catch {
    return { valid: false }
  }
}
