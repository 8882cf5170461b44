// The errors of TypeBox as the lines of toolschema.

const escaped = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (token) => token.replaceAll('~1', '/').replaceAll('~0', '~')

function at(value, pointer) {
  return pointer.split('/').slice(1).reduce((each, token) => each[unescaped(token)], value)
}

/** TypeBox's errors as lines: one for each name, none that only sums up. */
export function lines(errors, value) {
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
      // TypeBox repeats the error for every missing name.
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
      continue // Failures below have their own lines.
    } else {
      say(message)
    }
  }
  return found
}
