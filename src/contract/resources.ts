import type { FormFieldKind } from '../catalogue/services/booking-form.ts'
import {
  type Approval,
  maxAppointmentMinutes,
  maxBufferMinutes,
  type RoutingMode,
} from '../catalogue/services/service.ts'
import type { NoShowPolicy } from '../catalogue/site/no-show-policy.ts'
import type { RemovalPolicy, ZoneChangePolicy } from '../catalogue/site/site.ts'
import type { Actor, EventType } from '../history/event.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import type { AttendanceState } from '../reservations/attendance/attendance.ts'
import type { Awaited, ReservationStatus } from '../reservations/reservation.ts'
import type { RuleName } from '../scheduling/plan/plan.ts'
import {
  addition,
  appointment,
  currency,
  freeData,
  instant,
  largest,
  localDate,
  oneOf,
  orNull,
  typed,
  whole,
  windows,
} from './fields.ts'
import { paymentFields, paymentSettings } from './payment-fields.ts'
import { Type } from './schema.ts'

export const reservationStatus = oneOf<ReservationStatus>({ pending: true, confirmed: true, cancelled: true })
export const attendanceState = oneOf<AttendanceState>({
  expected: true,
  arrived: true,
  in_service: true,
  completed: true,
  no_show: true,
})
/** The schema of the times at which each state of a reservation's attendance was recorded. */
export const attendanceTimes = Type.Object({
  arrived: Type.Optional(instant),
  in_service: Type.Optional(instant),
  completed: Type.Optional(instant),
  no_show: Type.Optional(instant),
})
export const routingMode = oneOf<RoutingMode>({
  direct: true,
  round_robin: true,
  least_busy: true,
  priority: true,
  weighted: true,
  random: true,
  collective: true,
})
const approval = oneOf<Approval>({ none: true, admin: true, provider: true })

export const tokenView = Type.Object({
  name: Type.String(),
  scopes: Type.Array(oneOf({ read: true, write: true })),
  siteUrl: Type.String(),
})

export const reservation = Type.Object({
  id: Type.String(),
  serviceId: Type.String(),
  customerId: Type.String(),
  providerId: Type.Integer(),
  availabilityId: Type.String({ description: 'The slot as booked' }),
  start: instant,
  end: instant,
  status: reservationStatus,
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: 'With full=true' }),
  ),
  created: Type.Optional(whole(-largest, largest, { format: 'int64', description: 'With full=true', ...addition })),
  updated: Type.Optional(whole(-largest, largest, { format: 'int64', description: 'With full=true', ...addition })),
  source: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'With full=true, when the customer booked on the booking page: page, referrer and campaign (utm_…)',
      ...addition,
    }),
  ),
  attendance: Type.Optional(
    Type.Object(
      {
        state: attendanceState,
        ...attendanceTimes.properties,
      },
      {
        description: 'With full=true, once the desk has marked it: the state and the time of each marked state',
        ...addition,
      },
    ),
  ),
  expires: Type.Optional(
    whole(0, largest, {
      format: 'int64',
      description: 'With full=true, for a pending reservation that expires: when it is cancelled by itself',
      ...addition,
    }),
  ),
  awaits: Type.Optional(
    oneOf<Awaited>(
      { email: true, payment: true },
      {
        description:
          'With full=true: what the pending reservation waits for, or waited for when it was cancelled: that the customer confirms the e-mail address, or pays online',
        ...addition,
      },
    ),
  ),
  meeting: Type.Optional(
    Type.String({
      description: 'With full=true, for a confirmed reservation that takes place online: the address of the meeting',
      ...addition,
    }),
  ),
  payment: Type.Optional(
    Type.Object(paymentFields, {
      description: 'With full=true, when there is something to pay: how, and what was paid and refunded',
      ...addition,
    }),
  ),
})

export const customer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String({ format: 'email' }),
  phone: Type.String(),
  host_user: Type.Integer({ description: '0 when not linked' }),
  timezone: Type.Union([Type.String(), Type.Null()]),
  language: Type.String(),
})

const fieldKey = Type.String({
  maxLength: 64,
  format: 'form-key',
  description: 'Under which the answer is kept in the reservation’s data',
})
const fieldKind = oneOf<FormFieldKind>({
  text: true,
  long_text: true,
  number: true,
  date: true,
  choice: true,
  choices: true,
  checkbox: true,
})
const option = typed(200, { minLength: 1 })
const condition = Type.Object(
  { field: fieldKey, is: Type.Unsafe<string | boolean>({ anyOf: [{ type: 'string' }, { type: 'boolean' }] }) },
  {
    additionalProperties: false,
    description: 'Asked only where this earlier field has this answer: an option, or for a box whether it is ticked',
  },
)

const formFieldEntry = Type.Object(
  {
    key: fieldKey,
    label: typed(200, { minLength: 1 }),
    kind: fieldKind,
    help: Type.Optional(typed(500, { description: 'A sentence below the field' })),
    required: Type.Optional(Type.Boolean({ description: 'Must be answered; a box must be ticked' })),
    options: Type.Optional(Type.Array(option, { maxItems: 100, description: 'Of a choice' })),
    when: Type.Optional(orNull(condition)),
  },
  { additionalProperties: false },
)

/** The schema of the answers to a booking form, by field key. */
export const answers = freeData({ maxProperties: 64, maxBytes: 16_384 })

/** The schema of the fields of a service's booking form, in their order. */
export const formEntries = Type.Array(formFieldEntry, { maxItems: 50 })

/** The schema of a field of a booking form as it is shown, with every property. */
const shownField = Type.Object({
  key: Type.String(),
  label: Type.String(),
  kind: fieldKind,
  help: Type.String(),
  required: Type.Boolean(),
  options: Type.Array(Type.String()),
  when: orNull(condition),
})
export const shownForm = Type.Array(shownField)

export const service = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  class: appointment,
  color: Type.Union([Type.String(), Type.Null()]),
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: 'With full=true' }),
  ),
  form: Type.Optional(
    Type.Array(shownField, {
      description: 'What is asked when it is booked; with full=true, if anything is',
      ...addition,
    }),
  ),
})

export const provider = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String({ format: 'email' }),
})

/** The schema of the slot properties, such as the price, that an override of a provider's hours sets. */
export const slotOverrides = Type.Object({
  price: Type.Optional(whole(0)),
  currency: Type.Optional(currency),
  capacity: Type.Optional(whole(1, 100_000)),
  location: Type.Optional(typed(1000)),
  title: Type.Optional(typed(200)),
  note: Type.Optional(typed(2000)),
  color: Type.Optional(typed(100, { format: 'color' })),
  approval: Type.Optional(approval),
})

export const slot = Type.Object({
  availabilityId: Type.String(),
  serviceId: Type.String(),
  providerId: Type.Integer(),
  start: instant,
  end: instant,
  bookable: Type.Boolean(),
  routingMode,
  eligibleProviderIds: Type.Array(Type.Integer()),
  reservationsCount: Type.Integer(),
  overrides: slotOverrides,
})

/** The schemas of the fields of a rule's verdict on a slot: whether the rule allows the slot, and why. */
export const verdictFields = {
  rule: oneOf<RuleName>({
    service_active: true,
    provider_eligible: true,
    lead_time: true,
    horizon: true,
    opening_hours: true,
    time_off: true,
    calendar: true,
    occupancy: true,
    capacity: true,
    limits: true,
  }),
  ok: Type.Boolean(),
  code: Type.Optional(Type.Unsafe<SlotRefusal>({ type: 'string', description: 'Why not; present when ok is false' })),
  sentence: Type.String(),
  value: Type.Unsafe<unknown>({ description: 'The value that decided' }),
  setting: Type.String({ description: 'Where it is set' }),
}

export const verdict = Type.Object(verdictFields)

/**
 * The schema of one slot, whether it can be booked, and for each booking rule, in order, whether it allows the slot.
 */
export const explanation = Type.Object({
  bookable: Type.Boolean(),
  serviceId: Type.String(),
  providerId: Type.Integer(),
  start: instant,
  end: instant,
  rules: Type.Array(verdict),
})

const objectOrNull = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
})

export const loggedEvent = Type.Object({
  id: Type.String(),
  seq: Type.String({ description: 'Sorts as text in the order of the log' }),
  type: Type.Unsafe<EventType>({ type: 'string' }),
  objectId: Type.String({ description: 'The id of what changed, also after its erasure' }),
  createdAt: instant,
  actor: Type.Object({ kind: Type.Unsafe<Actor['kind']>({ type: 'string' }), id: Type.String() }),
  object: objectOrNull,
  previous: objectOrNull,
})

const minutes = whole(1, maxAppointmentMinutes, { description: 'Minutes' })
const bufferMinutes = whole(0, maxBufferMinutes, { description: 'Minutes' })

/** The schema of the limits on reservations per day and on minutes per week; an absent or null limit does not apply. */
export const limits = Type.Object({
  perProviderDay: Type.Optional(orNull(whole(1, 100_000))),
  perServiceDay: Type.Optional(orNull(whole(1, 100_000))),
  minutesPerProviderWeek: Type.Optional(orNull(minutes)),
  perCustomerDay: Type.Optional(orNull(whole(1, 100_000))),
})

/**
 * The schema of the settings of a service that the panel and the site file (the JSON file that describes the site) can
 * change.
 */
export const serviceSettings = Type.Object({
  durationMinutes: Type.Optional(minutes),
  intervalMinutes: Type.Optional(orNull(minutes)),
  bufferBeforeMinutes: Type.Optional(bufferMinutes),
  bufferAfterMinutes: Type.Optional(bufferMinutes),
  capacity: Type.Optional(whole(1, 100_000)),
  leadTimeMinutes: Type.Optional(whole(0, 525_600)),
  horizonDays: Type.Optional(whole(0, 3660)),
  limits: Type.Optional(limits),
  approval: Type.Optional(approval),
  pendingBlocks: Type.Optional(Type.Boolean()),
  routingMode: Type.Optional(routingMode),
  price: Type.Optional(orNull(whole(0, largest, { description: 'Smallest unit of the currency' }))),
  currency: Type.Optional(orNull(currency)),
  payment: Type.Optional(orNull(paymentSettings)),
  notifications: Type.Optional(
    orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  ),
  online: Type.Optional(
    Type.Boolean({ description: 'Whether appointments take place online, at the meeting link of the provider' }),
  ),
  active: Type.Optional(Type.Boolean()),
})

/** The schema of a provider's settings for a service; null selects the service's value or, without one, a default. */
export const providerServiceSettings = Type.Object({
  participate: Type.Optional(orNull(Type.Boolean())),
  durationMinutes: Type.Optional(orNull(minutes)),
  intervalMinutes: Type.Optional(orNull(minutes)),
  bufferBeforeMinutes: Type.Optional(orNull(bufferMinutes)),
  bufferAfterMinutes: Type.Optional(orNull(bufferMinutes)),
  leadTimeMinutes: Type.Optional(orNull(whole(0, 525_600))),
  horizonDays: Type.Optional(orNull(whole(0, 3660))),
  capacity: Type.Optional(orNull(whole(1, 100_000))),
  price: Type.Optional(orNull(whole(0))),
  priority: Type.Optional(orNull(whole(-largest))),
  weight: Type.Optional(orNull(whole(0))),
})

const dayWindows = Type.Optional(windows)

/** The schema of the opening hours of a week; an absent day is closed. */
export const weekly = Type.Object({
  mon: dayWindows,
  tue: dayWindows,
  wed: dayWindows,
  thu: dayWindows,
  fri: dayWindows,
  sat: dayWindows,
  sun: dayWindows,
})

/**
 * The schema of an override, which sets opening hours, slot properties or both for local dates: one `date`, or all
 * dates from `from` to `to`.
 */
export const override = Type.Object({
  date: Type.Optional(localDate),
  from: Type.Optional(localDate),
  to: Type.Optional(localDate),
  hours: Type.Optional(windows),
  slot: Type.Optional(slotOverrides),
})

export const policies = Type.Object({
  removal: Type.Optional(oneOf<RemovalPolicy>({ any: true, cancelled: true, cancelled_or_past: true, never: true })),
  zoneChanges: Type.Optional(
    oneOf<ZoneChangePolicy>(
      { report: true, keep_local_time: true },
      { description: 'Coming reservations when the rules of their zone change: kept and reported, or moved along' },
    ),
  ),
  listFullSlots: Type.Optional(Type.Boolean()),
  cancelReasons: Type.Optional(
    Type.Array(typed(100, { minLength: 1 }), {
      maxItems: 20,
      description: 'Reasons that staff choose from when they cancel a reservation; empty for the default list',
    }),
  ),
  noShows: Type.Optional(
    orNull(
      Type.Object({
        count: whole(1, 50, { description: 'Missed visits from which on the policy applies' }),
        months: whole(1, 60, { description: 'How far back missed visits count, in months of 30 days' }),
        online: oneOf<NoShowPolicy['online']>(
          { allow: true, approve: true, refuse: true },
          { description: 'Bookings on the booking page: as usual, wait for approval, or are refused' },
        ),
      }),
    ),
  ),
  calendarPollMinutes: Type.Optional(
    whole(1, 1_440, { description: 'Minutes between two readings of a connected calendar; 5 unless set' }),
  ),
  calendarMaxAgeMinutes: Type.Optional(
    whole(5, 44_640, {
      description:
        'Minutes after which a connected calendar that could not be read again makes its provider unavailable; 120 unless set',
    }),
  ),
})
