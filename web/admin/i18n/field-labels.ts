import i18next from 'i18next'
import type { Message, Parameter } from '../../../src/messages/message.ts'

/** The keys of the labels of fields and rules, by the names that refusals use. */
const labels = {
  serviceId: 'reservations.service',
  providerId: 'reservations.provider',
  customerId: 'reservations.customer',
  start: 'calendar.start',
  end: 'calendar.end',
  status: 'reservations.status',
  attendance: 'attendance.title',
  price: 'reservations.price',
  note: 'note.title',
  name: 'customers.name',
  email: 'customers.email',
  phone: 'customers.phone',
  host_user: 'customers.hostUser',
  timezone: 'customers.timezone',
  language: 'customers.language',
  details: 'providers.details',
  weekly: 'providers.week',
  overrides: 'providers.dates',
  allowedServices: 'providers.services',
  restrictServices: 'providers.services',
  services: 'providers.differs',
  doubleBooking: 'providers.doubleBooking',
  meetingLink: 'meeting.link',
  description: 'services.description',
  color: 'services.color',
  form: 'services.form.title',
  siteUrl: 'site.siteUrl',
  currency: 'site.currency',
  holidays: 'policies.holidays',
  policies: 'policies.title',
  defaultWeekly: 'site.defaultWeekly',
  appearance: 'site.appearance.title',
  service_active: 'why.rules.service_active',
  provider_eligible: 'why.rules.provider_eligible',
  opening_hours: 'why.rules.opening_hours',
  time_off: 'why.rules.time_off',
  capacity: 'why.rules.capacity',
} as const

/** The settings of a service that have a label; refusals name them with `data.` before the name. */
const settings = [
  'active',
  'durationMinutes',
  'intervalMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'capacity',
  'leadTimeMinutes',
  'horizonDays',
  'limits',
  'approval',
  'pendingBlocks',
  'routingMode',
  'price',
  'currency',
] as const

/**
 * Returns a refusal of a change of something that was changed since, with the labels of the fields that it names, in
 * the language of the panel. A name remains if it has no label, or the text of the label has not loaded. Any other
 * message is returned unchanged.
 */
export function withFieldLabels(message: Message): Message {
  const fields = message.parameters?.fields
  if (message.code !== 'changed_since' || !isList(fields)) return message
  const named = fields.map((field) => (typeof field === 'string' ? labelOf(field) : field))
  return { ...message, parameters: { fields: [...new Set(named)] } }
}

function isList(parameter: Parameter | undefined): parameter is readonly (string | Message)[] {
  return Array.isArray(parameter)
}

function labelOf(field: string): string {
  const setting = settings.find((name) => field === `data.${name}`)
  const [name = field] = field.split('.')
  const label = Object.entries(labels).find(([known]) => known === name)?.[1]
  const key = setting ? (`services.fields.${setting}` as const) : label
  const isLoaded: boolean = key !== undefined && i18next.exists(key)
  return key !== undefined && isLoaded ? i18next.t(key) : field
}
