import { narrowed, ownProvider, type PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { conflictRoutes } from '../../contract/panel/calendar.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { type ConflictQuery, findConflicts } from './conflicts.operations.ts'

/** Returns the handlers of the panel's routes about conflicts: existing reservations that break rules. */
export function conflictHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof conflictRoutes, Operations> {
  const find = (query: ConflictQuery) => findConflicts(app.db, query)
  const list = oneAtATime((ofProvider: number | undefined) => find({ now: app.now(), ofProvider }))
  return {
    'GET /conflicts/': ({ session }) => list(ownProvider(session)),
    'POST /conflicts/check/': ({ body: { holidays, service }, now }) =>
      find({ now, ofProvider: undefined, change: { ...(holidays && { holidays }), ...(service && { service }) } }),
    'POST /conflicts/keep/': ({ body: { kept = true, ...body }, session, perform }) =>
      perform('reservations.conflicts.keep', { ...body, kept, ...narrowed(session) }),
  }
}

/**
 * Runs at most one scan per key at a time. All calls during a scan share one further scan, which starts when the
 * current scan ends, so that its result contains every write that was committed before the call.
 */
function oneAtATime<Key, Result>(scan: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const scans = new Map<Key, { readonly running: Promise<Result>; next?: Promise<Result> }>()
  const start = (key: Key): Promise<Result> => {
    const running = scan(key).finally(() => {
      if (scans.get(key)?.running === running && !scans.get(key)?.next) scans.delete(key)
    })
    scans.set(key, { running })
    return running
  }
  return (key) => {
    const known = scans.get(key)
    if (!known) return start(key)
    known.next ??= known.running.then(
      () => start(key),
      () => start(key),
    )
    return known.next
  }
}
