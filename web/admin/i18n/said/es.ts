import { booking } from './booking/es.ts'
import { fields } from './fields/es.ts'
import { people } from './people/es.ts'
import type { Said } from './said.ts'
import { system } from './system/es.ts'

/** Every sentence of the service in Spanish. */
export const es: Said = { ...booking, ...people, ...fields, ...system }
