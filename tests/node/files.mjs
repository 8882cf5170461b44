// JSON files of the repository.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const read = (...parts) => JSON.parse(readFileSync(join(...parts), 'utf8'))
export const documents = (folder) => readdirSync(folder).filter((name) => name.endsWith('.json')).sort()
