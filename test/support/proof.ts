import type { TestContext } from 'node:test'
import { seed } from './scale.ts'

/**
 * The figures that a test reports, by name. The figures of a proof are the sums over its parts, or the maximum for
 * names that start with `worst`.
 */
export type Figures = Readonly<Record<string, number>>

/**
 * Reports figures as a diagnostic of the test, with the random seed. `row` is a label such as `B1 sqlite`, which begins
 * with the id of a proof if the report of proofs is to contain the figures.
 */
export function proved(t: Pick<TestContext, 'diagnostic'>, row: string, figures: Figures): void {
  const counted = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  t.diagnostic(`${row}: ${counted.join(', ')}; seed ${seed}`)
}
