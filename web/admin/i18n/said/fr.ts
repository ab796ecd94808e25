import { booking } from './booking/fr.ts'
import { fields } from './fields/fr.ts'
import { people } from './people/fr.ts'
import type { Said } from './said.ts'
import { system } from './system/fr.ts'

/** Every sentence of the service in French. */
export const fr: Said = { ...booking, ...people, ...fields, ...system }
