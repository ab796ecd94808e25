/** One measured figure with its target. */
export interface Reported {
  /** The short name of the figure, such as `P8` or `slot id`. */
  readonly figure: string
  /** A description of what was measured, which follows the short name in tables. */
  readonly name: string
  readonly unit: string
  readonly value: number
  /** The range of the value over the rounds, such as the minimum and the maximum. */
  readonly spread: readonly [number, number]
  /** The target as text, such as `>= 0.80`. */
  readonly bar: string
  readonly held: boolean
}

/** A cost at growing sizes, for a chart. */
export interface Growth {
  readonly figure: string
  readonly name: string
  /** Labels of the axes, each with its unit. */
  readonly x: string
  readonly y: string
  readonly points: readonly (readonly [number, number])[]
}

/** Prints a figure as the line that `npm run bench` collects. */
export function report(figure: Reported): void {
  console.log(`figure ${JSON.stringify(figure)}`)
}

/** Prints a growing cost as the line from which `npm run bench` draws a chart. */
export function reportGrowth(growth: Growth): void {
  console.log(`growth ${JSON.stringify(growth)}`)
}
