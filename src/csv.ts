/** The first character of a CSV file, by which spreadsheets recognise that the file is in UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Formats the byte order mark and the header of a CSV file. */
export function csvHeader(columns: readonly string[]): string {
  return byteOrderMark + csvLine(columns)
}

/**
 * Formats one line of CSV; a text that a spreadsheet would evaluate as a formula gets a leading `'`. Phone numbers that
 * consist of `+`, digits and blanks stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(inert(cell ?? '')))).join(',')}\r\n`
}

// A phone number of digits and blanks. A spreadsheet reads it as text or as a number, while a second operator, as in
// `+1-2`, would make it a formula.
const phoneNumber = /^\+\d[\d ]*$/

// Returns the text, with a leading `'` when a spreadsheet would evaluate it as a formula. Spreadsheets skip leading
// blanks, and treat the full-width forms of `=`, `+`, `-` and `@` like the plain ones.
function inert(text: string): string {
  if (phoneNumber.test(text)) return text
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
