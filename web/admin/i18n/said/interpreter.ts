/**
 * A place of a template, where a value stands: `{{#name}}` takes a number, which is written as the language does,
 * `{{=name}}` what is in the catalogue itself, or a list of that with commas, and `{{name}}` anything, which stays.
 */
const place = /\{\{([#=]?)(\w+)\}\}/g

interface Template {
  readonly pattern: RegExp
  readonly places: readonly { readonly kind: string; readonly name: string }[]
  /** Sentences are told by a mark of punctuation; what has none only stands in places. */
  readonly sentence: boolean
  readonly text: string
}

/** A text in the language, and how much of it stayed as it was. */
interface Reading {
  readonly text: string
  readonly unread: number
}

/** Says sentences of the service in the language of a catalogue; one that is not in it stays as it came. */
export function interpreter(catalogue: Readonly<Record<string, string>>, language: string): (said: string) => string {
  const templates = Object.entries(catalogue).flatMap(([english, text]) => templateOf(english, text) ?? [])

  const read = (said: string, among: readonly Template[]): Reading =>
    Object.hasOwn(catalogue, said)
      ? { text: catalogue[said] ?? said, unread: 0 }
      : among.flatMap((template) => readBy(template, said) ?? []).reduce(clearer, asItIs(said))

  const readBy = ({ pattern, places, text }: Template, said: string): Reading | undefined => {
    const found = pattern.exec(said)
    if (!found) return undefined
    const values = places.map(({ kind, name }, at) => [name, readValue(kind, found[at + 1] ?? '')] as const)
    const known = new Map(values)
    return {
      text: text.replace(place, (hole, _kind, name) => known.get(name)?.text ?? hole),
      unread: values.reduce((sum, [, { unread }]) => sum + unread, 0),
    }
  }

  const readValue = (kind: string, value: string): Reading => {
    if (kind === '#') return { text: Number(value.replaceAll(',', '')).toLocaleString(language), unread: 0 }
    if (kind !== '=') return asItIs(value)
    const each = value.split(', ').map((part) => read(part, templates))
    const list = {
      text: each.map(({ text }) => text).join(', '),
      unread: each.reduce((sum, one) => sum + one.unread, 0),
    }
    return clearer(read(value, templates), list)
  }

  const sentences = templates.filter(({ sentence }) => sentence)
  return (said) => read(said, sentences).text
}

function templateOf(english: string, text: string): Template | undefined {
  const places = [...english.matchAll(place)].map(([, kind = '', name = '']) => ({ kind, name }))
  if (places.length === 0) return undefined
  const literal = english.split(place).filter((_, at) => at % 3 === 0)
  const pattern = literal.map(quoted).reduce((before, after, at) => {
    return `${before}${places[at - 1]?.kind === '#' ? '(-?\\d[\\d,]*(?:\\.\\d+)?)' : '(.*?)'}${after}`
  })
  return { pattern: new RegExp(`^${pattern}$`, 's'), places, sentence: /[.?;:]/.test(literal.join('')), text }
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function asItIs(text: string): Reading {
  return { text, unread: text.length }
}

/** The reading that leaves less as it was. */
function clearer(one: Reading, other: Reading): Reading {
  return other.unread < one.unread ? other : one
}
