const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Returns opening hours that are the same on every day of the week. */
export function everyDay(...hours: readonly string[]): Record<(typeof weekdays)[number], readonly string[]> {
  const week = { mon: hours, tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours }
  return week
}

/**
 * Services whose available slots change with the clock or with other reservations, because of lead time, horizon,
 * buffers, capacity, approval, limits or routing mode (how a slot gets one or all of several providers). Only the
 * routing mode `priority` is missing.
 */
export const services = [
  { key: 'direct', name: 'Direct', durationMinutes: 30, horizonDays: 4 },
  { key: 'lead', name: 'Lead', durationMinutes: 45, leadTimeMinutes: 95, horizonDays: 3, bufferBeforeMinutes: 15 },
  { key: 'group', name: 'Group', durationMinutes: 60, capacity: 3, horizonDays: 5, bufferAfterMinutes: 30 },
  { key: 'hopeful', name: 'Hopeful', durationMinutes: 60, approval: 'admin', pendingBlocks: false, horizonDays: 4 },
  {
    key: 'limited',
    name: 'Limited',
    durationMinutes: 60,
    horizonDays: 6,
    limits: { perProviderDay: 2, perServiceDay: 4 },
  },
  { key: 'weekly', name: 'Weekly', durationMinutes: 90, horizonDays: 9, limits: { minutesPerProviderWeek: 270 } },
  { key: 'turns', name: 'Round robin', durationMinutes: 60, routingMode: 'round_robin', horizonDays: 5 },
  { key: 'weighted', name: 'Weighted', durationMinutes: 120, routingMode: 'weighted', horizonDays: 5, capacity: 2 },
  { key: 'least', name: 'Least', durationMinutes: 60, routingMode: 'least_busy', horizonDays: 4 },
  { key: 'lot', name: 'Lot', durationMinutes: 60, routingMode: 'random', horizonDays: 4 },
  {
    key: 'all',
    name: 'All',
    durationMinutes: 60,
    routingMode: 'collective',
    horizonDays: 6,
    limits: { perProviderDay: 3 },
  },
] as const

/**
 * The site file of a site with three providers in three time zones. Two of them have settings of their own for some
 * services, and one of these has opening hours past midnight.
 */
export const pagesSite = {
  site: { name: 'Pages', timezone: 'Europe/Berlin', siteUrl: 'https://pages.example', currency: 'EUR' },
  services,
  providers: [
    {
      id: 1,
      name: 'Ana',
      email: 'a@x.example',
      timezone: 'Europe/Berlin',
      weekly: everyDay('09:00-12:00', '13:00-17:00'),
    },
    {
      id: 2,
      name: 'Ben',
      email: 'b@x.example',
      timezone: 'America/New_York',
      weekly: everyDay('08:00-14:00'),
      services: {
        direct: { leadTimeMinutes: 200 },
        lead: { durationMinutes: 60, horizonDays: 5 },
        turns: { leadTimeMinutes: 45 },
      },
    },
    {
      id: 3,
      name: 'Cleo',
      email: 'c@x.example',
      timezone: 'Australia/Lord_Howe',
      weekly: everyDay('20:00-03:00'),
      services: { turns: { durationMinutes: 90 }, weighted: { weight: 3 }, least: { horizonDays: 2 } },
    },
  ],
  customers: [{ key: 'jo', name: 'Jo', email: 'jo@x.example' }],
}
