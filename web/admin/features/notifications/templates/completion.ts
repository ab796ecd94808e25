/** A placeholder that is being typed: from its braces to the cursor. */
export interface TypedPlaceholder {
  /** The position of the braces. */
  readonly from: number
  /** What was typed after the braces, without spaces. */
  readonly typed: string
}

/** Returns the placeholder in which the cursor stands; undefined when it stands in none. */
export function typedPlaceholder(text: string, cursor: number): TypedPlaceholder | undefined {
  const found = /\{\{-?\s*([\w.]*)$/.exec(text.slice(0, cursor))
  return found ? { from: found.index, typed: found[1] ?? '' } : undefined
}

/** A placeholder with its name in the language of the user. */
export interface Placeholder {
  readonly name: string
  readonly label: string
}

/** Returns the placeholders whose name or label contains what was typed: first those that begin with it. */
export function matchingPlaceholders(all: readonly Placeholder[], typed: string): readonly Placeholder[] {
  const sought = typed.toLowerCase()
  const begins = ({ name }: Placeholder) => name.startsWith(sought)
  const contains = ({ name, label }: Placeholder) => name.includes(sought) || label.toLowerCase().includes(sought)
  return [...all.filter(begins), ...all.filter((one) => !begins(one) && contains(one))]
}

/** A text after a completion, with the position of the cursor. */
export interface Completed {
  readonly text: string
  readonly cursor: number
}

/** Replaces a typed placeholder, and the rest of it after the cursor, with a complete one. */
export function complete(text: string, cursor: number, { from }: TypedPlaceholder, name: string): Completed {
  const rest = text.slice(cursor).replace(/^[\w.]*\s*\}?\}?/, '')
  const before = `${text.slice(0, from)}{{ ${name} }}`
  return { text: before + rest, cursor: before.length }
}
