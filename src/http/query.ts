import { type Reader, type Report, readerOf, type Schema } from './validate.ts'

const wholeNumber = /^-?\d+$/

/** Reads the query of a URL as its schema says: unknown names are ignored, a known one may stand once. */
export function queryReader(schema: Schema): (query: string, report: Report) => unknown {
  const read: Reader = readerOf(schema)
  const known = Object.entries(schema.properties ?? {})
  return (query, report) => {
    if (query === '' && known.length === 0) return {}
    const sent = new URLSearchParams(query)
    const values: [string, unknown][] = []
    for (const [name, field] of known) {
      const [value, ...more] = sent.getAll(name)
      if (more.length > 0) report.wrong(name, 'Is sent more than once; send it once.')
      else if (value !== undefined) values.push([name, converted(value, field)])
    }
    return read(Object.fromEntries(values), '', withoutRepeated(report, sent))
  }
}

/** A repeated parameter is at fault once, not missing besides. */
function withoutRepeated(report: Report, sent: URLSearchParams): Report {
  return {
    wrong: report.wrong,
    missing: (path, sentence) => {
      if (!sent.has(path)) report.missing(path, sentence)
    },
  }
}

function converted(value: string, { type }: Schema): unknown {
  if (type === 'integer') return wholeNumber.test(value) ? Number(value) : value
  // NUL is no character of a text; like a broken byte it becomes one that is in no id.
  return value.replaceAll('\0', '\uFFFD')
}
