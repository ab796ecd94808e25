import { booking } from './booking/de.ts'
import { fields } from './fields/de.ts'
import { people } from './people/de.ts'
import type { Said } from './said.ts'
import { system } from './system/de.ts'

/** Every sentence of the service in German. */
export const de: Said = { ...booking, ...people, ...fields, ...system }
