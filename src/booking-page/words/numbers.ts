/**
 * Returns the number that a visitor entered in a language, such as `1,234.5` in English or `1.234,5` in German;
 * undefined when the text is malformed or ambiguous. The separator of the language, or spaces, may separate thousands,
 * in groups of three only. Digits with a decimal point are accepted in every language, unless the point may separate
 * thousands there or could be meant to, as in `1.234`.
 */
export function readNumber(text: string, tag: string): number | undefined {
  const { group, decimal } = separatorsOf(tag)
  const [, sign = '', unsigned = ''] = /^([+-]?)(.+)$/.exec(normalized(text.trim())) ?? []
  const [whole = '', fraction = whole && '0', ...more] = unsigned.split(decimal)
  const digits = withoutGroups(whole, [group, ' '])
  if (digits !== undefined && more.length === 0 && /^\d+$/.test(fraction)) return Number(`${sign}${digits}.${fraction}`)
  const isPlain = /^\d*\.\d+$/.test(unsigned) && !/^[1-9]\d{0,2}\.\d{3}$/.test(unsigned)
  return isPlain ? Number(sign + unsigned) : undefined
}

/** Returns a number as a visitor would enter it in a language, without separators of thousands. */
export function numberText(value: number, tag: string): string {
  return String(value).replace('.', separatorsOf(tag).decimal)
}

function separatorsOf(tag: string): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(tag).formatToParts(1_234_567.8)
  const separator = (wanted: 'group' | 'decimal') => parts.find(({ type }) => type === wanted)?.value
  return { group: normalized(separator('group') ?? ' '), decimal: separator('decimal') ?? '.' }
}

/** Replaces the variants of spaces and apostrophes, of which keyboards have one. */
function normalized(text: string): string {
  return text.replace(/\s/g, ' ').replaceAll('’', "'")
}

/** Returns the digits of a whole number; undefined for another text, such as one with a group of two digits. */
function withoutGroups(text: string, separators: readonly string[]): string | undefined {
  if (/^\d*$/.test(text)) return text
  const separator = separators.find((one) => text.includes(one))
  const [first = '', ...groups] = separator === undefined ? [] : text.split(separator)
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && groups.every((digits) => /^\d{3}$/.test(digits))
  return isGrouped ? first + groups.join('') : undefined
}
