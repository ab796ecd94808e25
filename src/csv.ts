/** The first character of a CSV file, by which spreadsheets recognise that the file is in UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Formats the byte order mark and the header of a CSV file. */
export function csvHeader(columns: readonly string[]): string {
  return byteOrderMark + csvLine(columns)
}

/**
 * Formats one line of CSV. A text that a spreadsheet would evaluate as a formula gets a leading `'`, and so does each
 * part of a text that would be a formula in a cell of its own. Phone numbers that consist of `+`, digits and blanks
 * stay as they are. `cellText` removes each `'` again.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(inert(cell ?? '')))).join(',')}\r\n`
}

// A phone number of digits and blanks. A spreadsheet reads it as text or as a number, while a second operator, as in
// `+1-2`, would make it a formula.
const phoneNumber = /^\+\d[\d ]*$/

// Spreadsheets skip blanks before a formula, and treat full-width `=`, `+`, `-` and `@` like the plain ones.
const blanks = '[\\s\\p{Cc}\\p{Cf}]*'
const operator = '[=+\\-@＝＋－＠]'
const beginsFormula = new RegExp(`^${blanks}${operator}|^[\\t\\r\\n]`, 'u')

// A spreadsheet whose list separator is `;` or a tab reads the quotation mark of a text as part of a cell, and begins
// another cell or row at each separator and line break in the text, also before a quotation mark.
// The lookbehind stands behind its character, so that it reads the blanks before operators and apostrophes alone.
const beginsCell = '(?<=[;,\\t\\r\\n][\\s\\p{Cc}\\p{Cf}"]*.)'
const innerFormula = new RegExp(operator + beginsCell, 'gu')

function inert(text: string): string {
  if (phoneNumber.test(text)) return text
  const inner = text.replace(innerFormula, "'$&")
  return beginsFormula.test(text) ? `'${inner}` : inner
}

const leadingApostrophe = `^'(?=${blanks}'?${operator}|[\\t\\r\\n])`
const apostrophes = new RegExp(`${leadingApostrophe}|'(?=${operator})${beginsCell}`, 'gu')

/**
 * Returns the text of a cell that `csvLine` wrote: without each `'` that marks what would be a formula as text. An
 * apostrophe that the text itself has before such an operator is removed, too.
 */
export function cellText(cell: string): string {
  return cell.replace(apostrophes, '')
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
