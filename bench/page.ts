import type { Growth, Reported } from './report.ts'

/** The measurements, as stored in docs/benchmarks.json. */
export interface Measured {
  readonly figures: readonly (Reported & Origin)[]
  readonly growths: readonly (Growth & Origin)[]
}

/** The file, the date and the machine of a measurement. */
export interface Origin {
  /** The file in bench/, without its extension. */
  readonly file: string
  readonly date: string
  readonly machine: string
}

/** Returns the stored measurements, in which those of every newly measured file are replaced by the new ones. */
export function updated(before: Measured, measured: Measured): Measured {
  const again = new Set([...measured.figures, ...measured.growths].map(({ file }) => file))
  const kept = <T extends Origin>(list: readonly T[]): T[] => list.filter(({ file }) => !again.has(file))
  const inOrder = <T extends Origin>(list: readonly T[]): T[] =>
    list.toSorted((one, other) => one.file.localeCompare(other.file, 'en'))
  return {
    figures: inOrder([...kept(before.figures), ...measured.figures]),
    growths: inOrder([...kept(before.growths), ...measured.growths]),
  }
}

/** Formats a figure as a line for the terminal. */
export function terminalLine(figure: Reported): string {
  const [value, low, high] = [figure.value, ...figure.spread].map(short)
  const held = figure.held ? 'held  ' : 'MISSED'
  return `${figure.figure.padEnd(4)} ${held} ${value} ${figure.unit} (${low} to ${high}), bar ${figure.bar}: ${figure.name}`
}

/** Returns the content of docs/benchmarks.md. */
export function page({ figures, growths }: Measured): string {
  return `# Benchmarks

The cost targets of the service, as measured by \`npm run bench\`. Where possible a figure is a ratio to a baseline of the same run, in
processor time rather than elapsed time, so that it is comparable between machines; the spread is that of the rounds. Each file
under \`bench/\` describes its method. Rejected attempts are in [performance](performance/README.md).

\`npm run bench -- p08 p14\` measures only these and updates their lines.

| Figure | What | Bar | Value | Spread | Held | Measured |
|---|---|---|---|---|---|---|
${figures.map(row).join('\n')}

${machines(figures)}
${growths.map((growth) => `![${growth.name}](${pictureName(growth)})\n`).join('\n')}`
}

/** Returns the path of a growth chart, relative to docs/. */
export function pictureName({ figure, name }: Growth): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `benchmarks/${figure.toLowerCase()}-${slug}.svg`
}

function row({ figure, name, bar, value, unit, spread, held, date }: Reported & Origin): string {
  const [low, high] = spread
  return `| ${figure} | ${name} | ${bar} | ${short(value)} ${unit} | ${short(low)} to ${short(high)} | ${held ? 'yes' : '**no**'} | ${date} |`
}

function machines(figures: readonly Origin[]): string {
  return [...new Set(figures.map(({ machine }) => machine))].map((machine) => `Measured on ${machine}.\n`).join('\n')
}

function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
