/**
 * A rule that determines which events of a calendar open time for booking instead of blocking it. With `by` `title`,
 * these are the events whose title, without settings such as `[price=60]`, equals `text`; with `category`, those with
 * the category `text`. Case is ignored. Tentative events, and invitations that were not accepted, open no time.
 */
export interface OpeningRule {
  readonly by: 'title' | 'category'
  readonly text: string
}

/**
 * The beginning of the content line that replaces the title and categories of an event that opens time for booking. The
 * settings in the title, such as `[price=60]`, follow.
 */
const openingLine = 'X-OPENING:'

/** A part of an event's title that sets a property of the slots, such as `[price=60]`. */
const setting = /\[[^\][=]*=[^\][]*\]/g

/**
 * Returns the content lines of an event without the lines of its title and categories, which are not stored. If the
 * rule applies to the event, adds a content line with the settings in the title.
 */
export function withoutTitle(lines: readonly string[], rule: OpeningRule): readonly string[] {
  const title = text(propertyOf(lines, 'SUMMARY') ?? '')
  const categories = lines.flatMap((line) => splitAtCommas(propertyOf([line], 'CATEGORIES') ?? '').map(text))
  const kept = lines.filter((line) => !isTitle(line) && !line.toUpperCase().startsWith(openingLine))
  const names = rule.by === 'title' ? [title.replace(setting, ' ')] : categories
  const applies = names.some((name) => comparable(name) === comparable(rule.text))
  return applies ? [...kept, openingLine + (title.match(setting) ?? []).join('')] : kept
}

/**
 * Returns the settings in the title of an event that opens time for booking, such as `[price=60][capacity=3]`;
 * undefined for any other event.
 */
export function openingOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => line.startsWith(openingLine))?.slice(openingLine.length)
}

/** Whether a content line contains the title or the categories of an event. */
export function isTitle(line: string): boolean {
  return /^(?:SUMMARY|CATEGORIES)[;:]/i.test(line)
}

/**
 * Returns the value of the first content line with the property `name`, without unescaping it; undefined when there is
 * none.
 */
function propertyOf(lines: readonly string[], name: string): string | undefined {
  for (const line of lines) {
    const [, found, value] = /^([A-Za-z-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line) ?? []
    if (found?.toUpperCase() === name) return value
  }
  return undefined
}

/** Returns an iCalendar text value without its escapes; line breaks become spaces. */
function text(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? ' ' : character))
}

function splitAtCommas(value: string): string[] {
  return value.match(/(?:\\.|[^,\\])+/g) ?? []
}

function comparable(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
}
