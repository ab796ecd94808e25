import type { TestContext } from 'node:test'
import { seed } from './scale.ts'

/**
 * The figures that a test reports, by name. Numbers are summed over the parts of a proof; of a name that starts with
 * `worst`, the maximum counts.
 */
export type Figures = Readonly<Record<string, number>>

/** Reports what was proved of a row, e.g. `B1 sqlite`, to the test command and to the page of proof. */
export function proved(t: Pick<TestContext, 'diagnostic'>, row: string, figures: Figures): void {
  const counted = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  t.diagnostic(`${row}: ${counted.join(', ')}; seed ${seed}`)
}
