import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Operation } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'
import { loadSettings } from '../notifications.sql.ts'
import { dueAgenda } from './agenda.ts'

/** The kind of the jobs that mail an agenda, a provider's list of appointments of one day. */
export const agendaJobKind = 'agenda'

/**
 * The payload of a job that mails a provider the agenda (the list of appointments) of one date, `YYYY-MM-DD` in the
 * provider's zone.
 */
export interface AgendaJob {
  readonly providerId: number
  readonly date: string
}

/**
 * Queues the agendas (a provider's appointments of one day) that are due, at most one for each provider and date;
 * returns their number.
 */
export const planAgendas: Operation<Record<never, never>, { readonly count: number }> = async (tx) => {
  const { settings } = await loadSettings(tx.db)
  const { enabled, agendaAt } = settings
  if (!enabled || agendaAt === null) return { count: 0 }
  await tx.lock(['agendas'])
  const { providers } = await loadCatalogue(tx.db)
  const rows = await tx.db.build.selectFrom('provider_agenda').selectAll().execute()
  const sent = new Map(rows.map(({ provider_id: id, last_date: date }) => [id, date]))
  const due = providers.flatMap(({ id: providerId, email, timezone }): AgendaJob[] => {
    const found = email === '' ? undefined : dueAgenda(timezone, agendaAt, tx.now)
    return found && (sent.get(providerId) ?? '') < found.date ? [{ providerId, date: found.date }] : []
  })
  if (due.length === 0) return { count: 0 }
  await tx.db.build
    .insertInto('provider_agenda')
    .values(due.map(({ providerId, date }) => ({ provider_id: providerId, last_date: date })))
    .onConflict((conflict) =>
      conflict.column('provider_id').doUpdateSet((row) => ({ last_date: row.ref('excluded.last_date') })),
    )
    .execute()
  await enqueue(
    tx,
    due.map((payload) => ({ kind: agendaJobKind, key: `${payload.providerId} ${payload.date}`, payload })),
  )
  return { count: due.length }
}
