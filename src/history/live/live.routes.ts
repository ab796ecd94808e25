import type { SessionView } from '../../access/sessions/session.ts'
import { listLiving } from '../../access/sessions/sessions.operations.ts'
import type { liveRoutes } from '../../contract/panel/live.ts'
import type { Handlers } from '../../http/call.ts'
import { tooMany } from '../../http/response/errors.ts'
import { message } from '../../messages/message.ts'
import type { Daybook, Operations } from '../../operations.ts'
import { listLiveHolds } from '../../reservations/holds/holds.sql.ts'
import { changesAfter, newestCursor } from './live.operations.ts'
import { holdChanges, type LiveHold, wordOf } from './live-change.ts'

type Word = NonNullable<ReturnType<typeof wordOf>>

/** Milliseconds between two polls of the event log. */
const pause = 1_000
/** At every 15th poll, each client without a change gets a heartbeat, so that proxies do not close the connection. */
const quietLooks = 15
const maxListeners = 200
/**
 * The maximum number of holds (slots temporarily reserved for open booking forms) that are compared at each poll: those
 * that expire last. Changes of other holds are not sent.
 */
const maxHolds = 500
/** The maximum number of open streams of one user, which suffices for a browser with many tabs. */
const maxPerUser = 20
/**
 * The maximum number of queued messages of a client. Beyond it the client is disconnected; after reconnecting it
 * refetches everything.
 */
const maxWaiting = 50

interface Listener {
  readonly session: SessionView
  readonly waiting: (Word | null)[]
  /** Whether the first heartbeat is sent or queued. */
  begun: boolean
  wake: () => void
  ended: boolean
}

/**
 * Sends committed changes to open screens of the panel. It polls the event log and the holds about once a second, and
 * only while there are listeners.
 */
export class Live {
  readonly #app: Daybook
  readonly #listeners = new Set<Listener>()
  #place: Awaited<ReturnType<typeof newestCursor>> | undefined
  /**
   * The unexpired holds at the last poll, at most `maxHolds`; undefined before the first poll and without listeners.
   */
  #holds: readonly LiveHold[] | undefined
  #timer: NodeJS.Timeout | undefined
  #looks = 0

  constructor(app: Daybook) {
    this.#app = app
  }

  /** Throws a 429 refusal for a stream beyond the limit per user or in total. */
  admit({ user }: SessionView): void {
    const own = [...this.#listeners].filter(({ session }) => session.user.id === user.id).length
    if (own >= maxPerUser) throw tooMany(message('too_many_screens'), 60)
    if (this.#listeners.size >= maxListeners) throw tooMany(message('too_many_listeners'), 60)
  }

  /**
   * Yields null at the start and as a heartbeat, and every change that the user may see and that is committed after the
   * first heartbeat. Ends when the client disconnects or has more than `maxWaiting` queued messages, when the session
   * ends or when the service stops.
   */
  async *changes(session: SessionView, gone: AbortSignal): AsyncGenerator<Word | null> {
    // Before the first poll, no position in the log is known from which changes could be read, so that poll sends the
    // first heartbeat. The response begins with it, and a client loads its data again once the response has begun.
    const begun = this.#holds !== undefined
    const listener: Listener = { session, waiting: begun ? [null] : [], begun, wake: () => {}, ended: false }
    const end = () => leave(listener)
    gone.addEventListener('abort', end)
    this.#listeners.add(listener)
    this.#timer ??= setTimeout(() => this.#turn(), 0)
    try {
      while (!listener.ended && !gone.aborted) {
        const next = listener.waiting.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => Object.assign(listener, { wake: resolve }))
      }
    } finally {
      // This block also runs when the consumer stops iterating at a `yield`, as after a client has disconnected.
      gone.removeEventListener('abort', end)
      this.#listeners.delete(listener)
    }
  }

  /** Ends all streams when the service stops. */
  stop(): void {
    clearTimeout(this.#timer)
    for (const listener of this.#listeners) leave(listener)
  }

  #turn(): void {
    const again = () => {
      this.#timer = this.#listeners.size > 0 ? setTimeout(() => this.#turn(), pause) : undefined
      if (this.#timer) return
      this.#place = undefined
      this.#holds = undefined
    }
    this.#look().then(again, (error: unknown) => {
      this.#app.log.error({ fault: error instanceof Error ? error.message : String(error) }, 'live')
      again()
    })
  }

  async #look(): Promise<void> {
    const { db } = this.#app
    this.#place ??= await newestCursor(db)
    const { changes: logged, upTo } = await changesAfter(db, this.#place)
    // Slots held for open booking forms are polled separately, since these holds are not in the event log and expire
    // without a write.
    const holds = await listLiveHolds(db, this.#app.now(), maxHolds)
    const changes = [...logged, ...holdChanges(this.#holds ?? holds, holds)]
    const listeners = [...this.#listeners]
    const living = await listLiving(
      db,
      listeners.map(({ session }) => session.id),
      this.#app.now(),
    )
    // If one of these queries fails, the next poll reads the same changes again.
    this.#holds = holds
    this.#place = upTo
    this.#looks += 1
    for (const listener of listeners) {
      const { id, user } = listener.session
      if (!living.has(id) || listener.waiting.length > maxWaiting) leave(listener)
      const word = wordOf(changes, user.role === 'provider' ? user.providerId : 'all')
      if (word) listener.waiting.push(word)
      else if (!listener.begun || this.#looks % quietLooks === 0) listener.waiting.push(null)
      listener.begun = true
      listener.wake()
    }
  }
}

function leave(listener: Listener): void {
  listener.ended = true
  listener.wake()
}

/** Returns the handler of the panel's route that streams changes to an open screen. */
export function liveHandlers(live: Live): Handlers<typeof liveRoutes, Operations> {
  return {
    'GET /live/': ({ session }) => {
      live.admit(session)
      return { live: (gone) => live.changes(session, gone) }
    },
  }
}
