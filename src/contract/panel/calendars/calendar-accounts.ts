import type { AccountKind } from '../../../calendars/accounts/account.ts'
import type { MovePolicy } from '../../../calendars/destinations/destination.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leadingAndProviders, message, none, nothing, staff } from '../row.ts'

const id = Type.String({ maxLength: 100 })
const ref = Type.String({ maxLength: 2_000, description: 'Identifies a calendar within its account' })
const url = typed(2_000, { minLength: 1, description: 'Address of the server; https when it names no scheme' })
const user = typed(200, { minLength: 1, description: 'User name' })
const password = Type.String({
  ...{ minLength: 1, maxLength: 1_000 },
  description: 'Password, best one that the server makes for programs; it is stored encrypted and not shown again',
})
const policy = oneOf<MovePolicy>(
  { reschedule: true, restore: true },
  { description: 'Whether an event that is moved in the calendar reschedules its reservation, or is put back' },
)
const names = Type.Boolean({ description: 'Whether the titles of events name customers' })

const meetings = Type.Boolean({
  description:
    'Whether Google or Microsoft creates the meetings of online appointments of a provider without a meeting link',
})

const account = Type.Object({
  id: Type.String(),
  kind: oneOf<AccountKind>({ caldav: true, google: true, microsoft: true }),
  user: Type.String(),
  host: Type.String({ description: 'The host of the address' }),
  foundAt: orNull(calendarInstant),
  fault: orNull(message('Why the calendars could not be listed last time')),
  calendars: Type.Array(
    Type.Object({
      ref: Type.String(),
      name: Type.String(),
      writable: Type.Boolean(),
      listed: Type.Boolean({
        description: 'Whether the last listing had it; false for one in use that is hidden or gone',
      }),
      blocks: Type.Boolean({ description: 'Whether its events block the time of the provider' }),
    }),
  ),
})

const destination = Type.Object({
  accountId: Type.String(),
  ref: Type.String(),
  name: Type.String(),
  policy,
  names,
  meetings,
  readAt: orNull(calendarInstant),
  nextAt: calendarInstant,
  fault: orNull(message('Why the calendar could not be compared with the reservations last time')),
  failing: Type.Integer({ description: 'Number of reservations, before their end, whose events could not be written' }),
})

/**
 * The routes of accounts on other calendar systems, such as those that connect an account and choose its calendars; a
 * user with the role `provider` has access to their own accounts only.
 */
export const calendarAccountRoutes = {
  'GET /calendar-accounts/': {
    summary: 'List the calendar accounts of a provider, and the calendar to which reservations are written',
    admits: leadingAndProviders,
    query: Type.Object({ providerId: whole(0) }),
    body: null,
    envelope: 'response',
    returns: Type.Object({ items: Type.Array(account), destination: orNull(destination) }),
    ok: 200,
  },
  'POST /calendar-accounts/connect/': {
    summary: 'Connect an account; its calendars are listed at once, and block nothing before they are chosen',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ providerId: whole(0), url, user, password }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /calendar-accounts/edit/': {
    summary: 'Change the credentials of an account; an absent address is unchanged',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id, url: Type.Optional(url), user, password }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendar-accounts/refresh/': {
    summary: 'List the calendars of an account again',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendar-accounts/choose/': {
    summary: 'Choose the calendars of an account whose events block time; the others no longer do',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id, refs: Type.Array(ref, { maxItems: 200 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendar-accounts/destination/': {
    summary: 'Choose the calendar to which the reservations of the provider are written; null for none',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id, calendar: orNull(ref), policy, names, meetings: Type.Optional(meetings) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendar-accounts/remove/': {
    summary: 'Disconnect an account; its calendars no longer block, and events that were written stay there',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /calendar-events/': {
    summary: 'List the calendars to which a reservation is written, and what went wrong there',
    admits: staff,
    query: Type.Object({ reservationId: Type.String({ maxLength: 100 }) }),
    body: null,
    envelope: 'response',
    returns: Type.Array(
      Type.Object({
        providerId: Type.Integer(),
        calendar: Type.String({ description: 'Name of the calendar; empty for one that was chosen before' }),
        written: Type.Boolean(),
        withoutMeeting: Type.Boolean({ description: 'Whether the calendar system created no meeting' }),
        contested: Type.Boolean({ description: 'Whether another program changed the event again and again' }),
        fault: orNull(message('Why the event could not be written last time')),
      }),
    ),
    ok: 200,
  },
} as const satisfies PanelContract
