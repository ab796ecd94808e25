import { type Message, message } from '../../messages/message.ts'

const maxMeetingLink = 500

const placeholder = /\{([^{}]*)\}/g
const placeholders: ReadonlySet<string> = new Set(['reservation', 'service'])

/** The values of the placeholders in a provider's meeting link. */
export interface MeetingParts {
  /** An unguessable name that belongs to one reservation, for the placeholder `{reservation}`. */
  readonly reservation: string
  readonly service: string
}

/**
 * Returns what is wrong with a provider's meeting link; undefined for a valid one. A valid link is empty, or an https
 * URL of at most 500 characters without credentials, whose path, query or fragment may contain the placeholders
 * `{reservation}` and `{service}`.
 */
export function meetingLinkFault(link: string): Message | undefined {
  return link === '' || isMeetingLink(link) ? undefined : message('meeting_link_wrong')
}

function isMeetingLink(link: string): boolean {
  if (link.length > maxMeetingLink || /[\s\p{Cc}"<>\\^`|]/u.test(link)) return false
  if ([...link.matchAll(placeholder)].some(([, name = '']) => !placeholders.has(name))) return false
  const filled = meetingFrom(link, { reservation: 'r', service: 's' })
  if (/[{}]/.test(filled)) return false
  const [, authority = ''] = /^https:\/\/([^/?#]+)/i.exec(link) ?? []
  if (authority === '' || /[{}@]/.test(authority)) return false
  return URL.canParse(filled)
}

/**
 * Returns the address of one online meeting from a provider's meeting link; a link without placeholders is returned as
 * it is.
 */
export function meetingFrom(link: string, parts: MeetingParts): string {
  return link.replace(placeholder, (whole, name: string) =>
    name === 'reservation' || name === 'service' ? encodeURIComponent(parts[name]) : whole,
  )
}
