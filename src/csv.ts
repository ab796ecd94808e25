/** One line of a table, as programs read it; a text that a spreadsheet would take for a formula gets a `'` before it. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(inert(cell ?? '')))).join(',')}\r\n`
}

// Spreadsheets look behind leading blanks, and take some wide forms for the plain ones.
function inert(text: string): string {
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
