import { dateText, digits } from '../../scheduling/time/date.ts'

/** Formats an instant (Unix seconds) for iCalendar files, as `20261006T080000Z`. */
export function instant(seconds: number): string {
  const day = Math.floor(seconds / 86_400)
  const second = seconds - day * 86_400
  const date = dateText(day)
  const time = digits(Math.floor(second / 3_600) * 10_000 + (Math.floor(second / 60) % 60) * 100 + (second % 60), 6)
  return `${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}T${time}Z`
}

/**
 * Escapes a text value for an iCalendar file: a line break becomes `\n`, and other control characters become a space.
 */
export function escaped(text: string): string {
  if (!special.test(text)) return text
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}+/gu, ' ')
}

// Most texts contain no special character, and testing for one is much faster than the replacements.
const special = /[\\;,\p{Cc}\u2028\u2029]/u

/**
 * Returns the iCalendar content lines with the address of an online meeting: `LOCATION` and `URL`, which calendar
 * programs show, and `CONFERENCE` (RFC 7986). Returns an empty array for an empty address.
 */
export function meetingLines(address: string): string[] {
  if (address === '') return []
  return [`LOCATION:${escaped(address)}`, `URL:${address}`, `CONFERENCE;VALUE=URI;FEATURE=VIDEO:${address}`]
}

const maxOctets = 75
const ascii = /^[ -~]*$/

/** Folds a line of an iCalendar file into parts of at most 75 octets, without splitting a character. */
export function folded(line: string): string {
  // A UTF-16 code unit takes at most three octets in UTF-8, and an ASCII character takes one.
  if (line.length * 3 <= maxOctets || (line.length <= maxOctets && ascii.test(line))) return line
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0
    const octets = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (size + octets > maxOctets) {
      parts.push(part)
      part = ' '
      size = 1
    }
    part += character
    size += octets
  }
  return [...parts, part].join('\r\n')
}
