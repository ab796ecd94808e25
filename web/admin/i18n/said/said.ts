import type { booking } from './booking/en.ts'
import type { fields } from './fields/en.ts'
import type { people } from './people/en.ts'
import type { system } from './system/en.ts'

/** Each sentence of a list in another language. */
export type SaidOf<Sentences extends readonly string[]> = Readonly<Record<Sentences[number], string>>

/** All that the service says to people of the panel, in another language: one that is missing does not compile. */
export type Said = SaidOf<typeof booking> & SaidOf<typeof fields> & SaidOf<typeof people> & SaidOf<typeof system>
