import type { Histogram } from './histogram.ts'
import type { Metric } from './table.ts'

/** One value of a metric, with the values of its labels in order. */
export interface Sample {
  readonly labels: readonly string[]
  readonly value: number | Histogram
}

/** The content type of the Prometheus text format. */
export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats one metric in the Prometheus text format; empty when it has no sample. */
export function exposed(metric: Metric, samples: readonly Sample[]): string {
  if (samples.length === 0) return ''
  const head = `# HELP ${metric.name} ${metric.says}\n# TYPE ${metric.name} ${metric.type}\n`
  return head + samples.map((sample) => linesOf(metric, sample)).join('')
}

function linesOf({ name, labels }: Metric, sample: Sample): string {
  const pairs = labels.map((label, at) => `${label}="${escaped(sample.labels[at] ?? '')}"`)
  const { value } = sample
  if (typeof value === 'number') return line(name, pairs, value)
  const counts = value.cumulative()
  const buckets = counts.map((count, at) =>
    line(`${name}_bucket`, [...pairs, `le="${value.bounds[at] ?? '+Inf'}"`], count),
  )
  return buckets.join('') + line(`${name}_sum`, pairs, value.sum) + line(`${name}_count`, pairs, counts.at(-1) ?? 0)
}

function line(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/**
 * Merges the metrics of the threads of one process. A metric that only the first thread reports is unchanged; any other
 * one is listed for each thread, with the label `worker` counted from 1.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const threads = texts.map((text) => new Map(blocksOf(text).map((block) => [block.name, block])))
  const heads = new Map(
    threads.flatMap((blocks) => [...blocks.values()].map(({ name, head }) => [name, head] as const)),
  )
  return [...heads]
    .map(([name, head]) => {
      const [first = [], ...others] = threads.map((blocks) => blocks.get(name)?.lines ?? [])
      if (others.every((lines) => lines.length === 0)) return head + first.join('')
      return head + [first, ...others].flatMap((lines, at) => lines.map((text) => ofWorker(text, at + 1))).join('')
    })
    .join('')
}

/** Splits a text in the Prometheus format into one block per metric. */
function blocksOf(text: string): { readonly name: string; readonly head: string; readonly lines: readonly string[] }[] {
  return text.split(/^(?=# HELP )/m).flatMap((block) => {
    const lines = block.split(/^/m)
    const name = /^# HELP (\S+)/.exec(block)?.[1]
    return name === undefined ? [] : [{ name, head: lines.slice(0, 2).join(''), lines: lines.slice(2) }]
  })
}

function ofWorker(text: string, worker: number): string {
  return text.replace(/^(\w+)(?:\{(.*)\})? /, (_, name, labels) => {
    return `${name}{worker="${worker}"${labels ? `,${labels}` : ''}} `
  })
}
