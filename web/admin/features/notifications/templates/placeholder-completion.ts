/** An unfinished placeholder of a template text, such as `{{ cust`, from its opening braces to the cursor. */
export interface TypedPlaceholder {
  /** The index of the opening braces in the text. */
  readonly from: number
  /** The characters between the braces and the cursor, without spaces. */
  readonly typed: string
}

/** Returns the unfinished placeholder before the cursor; undefined when there is none. */
export function typedPlaceholder(text: string, cursor: number): TypedPlaceholder | undefined {
  const found = /\{\{-?\s*([\w.]*)$/.exec(text.slice(0, cursor))
  return found ? { from: found.index, typed: found[1] ?? '' } : undefined
}

/** A placeholder of a template with its label in the language of the user. */
export interface Placeholder {
  readonly name: string
  readonly label: string
}

/** Returns the placeholders whose name or label contains the typed text, first those whose name begins with it. */
export function matchingPlaceholders(all: readonly Placeholder[], typed: string): readonly Placeholder[] {
  const sought = typed.toLowerCase()
  const begins = ({ name }: Placeholder) => name.startsWith(sought)
  const contains = ({ name, label }: Placeholder) => name.includes(sought) || label.toLowerCase().includes(sought)
  return [...all.filter(begins), ...all.filter((one) => !begins(one) && contains(one))]
}

/** A template text after a completion, with the new index of the cursor. */
export interface CompletionResult {
  readonly text: string
  readonly cursor: number
}

/** Replaces an unfinished placeholder, and the rest of it after the cursor, by `{{ name }}`. */
export function completePlaceholder(
  text: string,
  cursor: number,
  { from }: TypedPlaceholder,
  name: string,
): CompletionResult {
  const rest = text.slice(cursor).replace(/^[\w.]*\s*\}?\}?/, '')
  const before = `${text.slice(0, from)}{{ ${name} }}`
  return { text: before + rest, cursor: before.length }
}
