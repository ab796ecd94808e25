/** The WebDAV properties that requests ask for, with their prefixes. */
export type PropertyName =
  | 'd:resourcetype'
  | 'd:displayname'
  | 'd:getetag'
  | 'd:sync-token'
  | 'd:current-user-principal'
  | 'd:current-user-privilege-set'
  | 'c:calendar-home-set'
  | 'c:supported-calendar-component-set'
  | 's:getctag'

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespaces = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'

/** Returns the body of a `PROPFIND` request for the given properties. */
export function propfindBody(names: readonly PropertyName[]): string {
  return `${declaration}<d:propfind ${namespaces}><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop></d:propfind>`
}

/**
 * Returns the body of a `sync-collection` report of the changes since a sync token (RFC 6578); an empty token requests
 * all items.
 */
export function syncCollectionBody(token: string): string {
  return `${declaration}<d:sync-collection ${namespaces}><d:sync-token>${escaped(token)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`
}

/** Returns the body of a `calendar-multiget` report, which fetches calendar resources by path (RFC 4791). */
export function multigetBody(hrefs: readonly string[]): string {
  return `${declaration}<c:calendar-multiget ${namespaces}><d:prop><d:getetag/><c:calendar-data/></d:prop>${hrefs.map((href) => `<d:href>${escaped(href)}</d:href>`).join('')}</c:calendar-multiget>`
}

/** Returns the body of a `calendar-query` report that finds the event with the given `UID`. */
export function uidQueryBody(uid: string): string {
  return `${declaration}<c:calendar-query ${namespaces}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:prop-filter name="UID"><c:text-match collation="i;octet">${escaped(uid)}</c:text-match></c:prop-filter></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
