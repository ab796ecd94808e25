import type { TestContext } from 'node:test'
import { seed } from './scale.ts'

/** What a test proved, by name. Numbers add up over the parts of a proof; of a name that starts with `worst` the largest counts. */
export type Figures = Readonly<Record<string, number>>

/** Says what was proved of a row, e.g. `B1 sqlite`, to the reader of the test command and to the page of proof. */
export function proved(t: Pick<TestContext, 'diagnostic'>, row: string, figures: Figures): void {
  const counted = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  t.diagnostic(`${row}: ${counted.join(', ')}; seed ${seed}`)
}
