import { Type } from 'typebox'
import type { PanelContract } from '../endpoint.ts'
import { localDate, providerIds } from '../resources.ts'
import { everyone } from './row.ts'

const seconds = Type.Integer({ description: 'Seconds' })
const taken = {
  reserved: Type.Integer({ description: 'Reserved seconds; a slot with several seats counts once' }),
  open: seconds,
}

/** The routes of the figures of a day; the role provider gets those of their own calendar only. */
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
      incomes: Type.Array(
        Type.Object({
          currency: Type.String(),
          amount: Type.Integer({ description: 'Sum of the prices of confirmed reservations, in the smallest unit' }),
        }),
      ),
      providers: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), ...taken })),
    }),
    ok: 200,
  },
} as const satisfies PanelContract
