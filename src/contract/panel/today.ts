import type { ReportDimension } from '../../reports/report.ts'
import type { PanelContract } from '../endpoint.ts'
import { localDate, oneOf, orNull, providerIds } from '../fields.ts'
import { Type } from '../schema.ts'
import { everyone, leadingAndProviders } from './row.ts'

const seconds = Type.Integer({ description: 'Seconds' })
const taken = {
  reserved: Type.Integer({ description: 'Reserved seconds; a slot with several seats counts once' }),
  open: seconds,
}

const income = Type.Array(
  Type.Object({
    currency: Type.String(),
    amount: Type.Integer({ description: 'Paid less what went back, in the smallest unit' }),
  }),
)

const counts = {
  bookings: Type.Integer({ description: 'Pending and confirmed ones' }),
  cancelled: Type.Integer(),
  noShows: Type.Integer({ description: 'Confirmed ones whose customer did not come' }),
  attended: Type.Integer({ description: 'Confirmed ones whose customer was marked as arrived or later' }),
  seconds: Type.Integer({
    description: 'Seconds of the slots with a pending or confirmed one; a slot with several seats counts once',
  }),
}
const customers = Type.Object({
  customers: Type.Integer({ description: 'Customers with a booking in the period' }),
  returning: Type.Integer({ description: 'Those of them who had an earlier booking' }),
})

/**
 * The routes that return the numbers of reservations, booked time and income of a day or another period; a user with
 * the role `provider` gets those of their own calendar only.
 */
export const todayRoutes = {
  'GET /today/': {
    summary: 'Return figures of a period of at most 92 days, by date in the site’s zone',
    admits: everyone,
    query: Type.Object({ from: localDate, to: localDate, providers: providerIds }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      days: Type.Array(
        Type.Object({
          date: localDate,
          pending: Type.Integer(),
          confirmed: Type.Integer(),
          cancelled: Type.Integer(),
          ...taken,
        }),
      ),
      /**
       * The prices of the period's confirmed reservations by currency; empty for users whose role has no access to
       * income.
       */
      incomes: Type.Array(
        Type.Object({
          currency: Type.String(),
          amount: Type.Integer({ description: 'Sum of the prices of confirmed reservations, in the smallest unit' }),
        }),
      ),
      /**
       * The income recorded in the period (payments less refunds and disputes), by currency; empty for users whose role
       * has no access to income.
       */
      received: income,
      providers: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), ...taken })),
    }),
    ok: 200,
  },
  'GET /reports/': {
    summary:
      'Return figures of a period of at most 366 days by provider, service, month, weekday or hour, beside the previous one',
    admits: leadingAndProviders,
    query: Type.Object({
      from: localDate,
      to: localDate,
      by: oneOf<ReportDimension>({ provider: true, service: true, month: true, weekday: true, hour: true }),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      rows: Type.Array(
        Type.Object({
          key: Type.String({
            description:
              'Id of the provider or service (empty for the income of removed reservations), month as YYYY-MM, weekday from 0 (Monday), or hour from 0 to 23',
          }),
          name: Type.String({ description: 'Empty for months, weekdays, hours and what was removed' }),
          ...counts,
          income,
          previous: Type.Object({ ...counts, income }),
          open: orNull(Type.Integer({ description: 'Open seconds of a provider' })),
        }),
      ),
      customers,
      previousCustomers: customers,
    }),
    ok: 200,
  },
} as const satisfies PanelContract
