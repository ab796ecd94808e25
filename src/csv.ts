/** Formats one line of CSV; a text that a spreadsheet would evaluate as a formula gets a leading `'`. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(inert(cell ?? '')))).join(',')}\r\n`
}

// Spreadsheets skip leading blanks, and treat full-width forms of these characters like the plain ones.
function inert(text: string): string {
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
