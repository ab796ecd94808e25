import { sql } from 'kysely'
import type { Database, SnapshotDatabase, TextSource } from '../../db/database.ts'
import type { JsonField } from '../../db/dialects.ts'
import { prepared } from '../../db/query/prepared.ts'
import { filtered, maxLength } from '../reservations.sql.ts'
import type { ReservationFilter, ReservationList } from './reservation-filter.ts'

// The fields of `shownReservation`, serialised by the database: creating a hundred thousand objects only to serialise
// them took four times as long.
const shownFields: readonly JsonField[] = [
  { name: 'id', column: 'id' },
  { name: 'serviceId', column: 'service_id' },
  { name: 'customerId', column: 'customer_id' },
  { name: 'providerId', column: 'provider_id' },
  { name: 'availabilityId', column: 'availability_id' },
  { name: 'start', column: 'start_at' },
  { name: 'end', column: 'end_at' },
  { name: 'status', column: 'status' },
]
const shownInFull: readonly JsonField[] = [
  ...shownFields,
  { name: 'data', column: 'data', json: true },
  { name: 'created', column: 'created_at' },
  { name: 'updated', column: 'updated_at' },
  { name: 'source', column: 'source', json: true, optional: true },
  { name: 'attendance', column: 'attendance_record', json: true, optional: true },
  { name: 'expires', column: 'expires_at', optional: true },
  { name: 'awaits', column: 'awaits', optional: true },
  { name: 'meeting', column: 'meeting', optional: true },
  { name: 'payment', column: 'payment', json: true, optional: true },
]

interface Stretch {
  readonly from: number
  readonly until: number
  readonly endsAfter: number
  /** The status of the reservations to list; `''` for reservations of every status. */
  readonly status: string
}

const edge = prepared<{ from: number }, { start_at: number }>((db, p) =>
  db
    .selectFrom('reservation')
    .select('start_at')
    .where('start_at', '>=', p.from)
    .orderBy('start_at')
    .limit(1)
    .offset(rowsAtOnce),
)

const stretch = (fields: readonly JsonField[]) =>
  prepared<Stretch, { items: string | null }>((db, p, dialect) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('reservation')
          .select(dialect.jsonText(fields).as('item'))
          .where('start_at', '>=', p.from)
          .where('start_at', '<', p.until)
          .where('end_at', '>', p.endsAfter)
          .where((e) => e.or([e(p.status, '=', ''), e('status', '=', p.status)]))
          .orderBy('start_at')
          .orderBy('id')
          .as('part'),
      )
      .select(dialect.joinedTexts(sql.ref('item')).as('items')),
  )
const shownStretch = stretch(shownFields)
const fullStretch = stretch(shownInFull)

const rowsAtOnce = 500

/**
 * Streams a list of reservations as the JSON of `shownReservation`, in batches; each item is preceded by a comma. A
 * list that is filtered by customers, services or providers is read by one query, which sorts it as a whole. Any other
 * list is read in ranges of starts, so that it need not be sorted as a whole.
 */
export const textSource: TextSource<ReservationList> = { module: import.meta.url, texts: reservationTexts }

function reservationTexts(at: SnapshotDatabase, { filter, full }: ReservationList): AsyncIterable<string> {
  const { customerIds, serviceIds, providerIds } = filter
  if (!customerIds && !serviceIds && !providerIds) return stretches(at, filter, full)
  const texts = filtered(at, filter)
    .select(at.dialect.jsonText(full ? shownInFull : shownFields).as('item'))
    .orderBy('start_at')
    .orderBy('id')
    .compile()
  return joined(at.stream(texts))
}

async function* stretches(db: Database, filter: ReservationFilter, full: boolean): AsyncGenerator<string> {
  const { endsAfter = Number.MIN_SAFE_INTEGER } = filter
  const status = filter.status ?? ''
  let from = Math.max(endsAfter - maxLength, Number.MIN_SAFE_INTEGER)
  for (;;) {
    const [next] = await db.run(edge, { from })
    // All reservations with one start belong to one range, however many there are.
    const until = next ? Math.max(next.start_at, from + 1) : Number.MAX_SAFE_INTEGER
    const [part] = await db.run(full ? fullStretch : shownStretch, { from, until, endsAfter, status })
    if (part?.items) yield part.items
    if (!next) return
    from = until
  }
}

async function* joined(parts: AsyncIterable<readonly { readonly item: string }[]>): AsyncGenerator<string> {
  for await (const part of parts) yield `,${part.map(({ item }) => item).join(',')}`
}
