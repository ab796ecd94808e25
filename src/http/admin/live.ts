import type { liveRows } from '../../contract/admin/live.ts'
import { wordOf } from '../../domain/live.ts'
import type { SessionView } from '../../domain/session.ts'
import type { Commands, Daybook } from '../../operations/index.ts'
import { changesAfter, newestPlace } from '../../operations/live.ts'
import { listLiving } from '../../operations/sessions.ts'
import type { Handlers } from '../call.ts'
import { Unavailable } from '../refuse.ts'

type Word = NonNullable<ReturnType<typeof wordOf>>

/** Milliseconds between two looks at the log. */
const pause = 1_000
/** Looks between two signs of life on a quiet connection. */
const quietLooks = 15
const mostListeners = 200
/** Whoever is so far behind is let go, and reads everything anew. */
const mostWaiting = 50

interface Listener {
  readonly session: SessionView
  readonly waiting: (Word | null)[]
  wake: () => void
  ended: boolean
}

/** Tells open screens what others change, looking at the log only while somebody listens. */
export class Live {
  readonly #app: Daybook
  readonly #listeners = new Set<Listener>()
  #place: Awaited<ReturnType<typeof newestPlace>> | undefined
  #timer: NodeJS.Timeout | undefined
  #looks = 0

  constructor(app: Daybook) {
    this.#app = app
  }

  /** Refuses when so many listen that another one is too many. */
  admit(): void {
    if (this.#listeners.size >= mostListeners) throw new Unavailable('Too many screens listen for changes.')
  }

  /** What changes from now on, until the listener goes, the session ends or the service stops. */
  async *changes(session: SessionView, gone: AbortSignal): AsyncGenerator<Word | null> {
    const listener: Listener = { session, waiting: [null], wake: () => {}, ended: false }
    const end = () => leave(listener)
    gone.addEventListener('abort', end)
    this.#listeners.add(listener)
    this.#timer ??= setTimeout(() => this.#turn(), 0)
    while (!listener.ended && !gone.aborted) {
      const next = listener.waiting.shift()
      if (next !== undefined) yield next
      else await new Promise<void>((resolve) => Object.assign(listener, { wake: resolve }))
    }
    this.#listeners.delete(listener)
  }

  /** Ends all that listen: the service stops. */
  stop(): void {
    clearTimeout(this.#timer)
    for (const listener of this.#listeners) leave(listener)
  }

  #turn(): void {
    const again = () => {
      this.#timer = this.#listeners.size > 0 ? setTimeout(() => this.#turn(), pause) : undefined
      if (!this.#timer) this.#place = undefined
    }
    this.#look().then(again, (error: unknown) => {
      this.#app.log.error({ fault: error instanceof Error ? error.message : String(error) }, 'live')
      again()
    })
  }

  async #look(): Promise<void> {
    const { db } = this.#app
    this.#place ??= await newestPlace(db)
    const { changes, upTo } = await changesAfter(db, this.#place)
    this.#place = upTo
    this.#looks += 1
    const listeners = [...this.#listeners]
    const living = await listLiving(
      db,
      listeners.map(({ session }) => session.id),
      this.#app.now(),
    )
    for (const listener of listeners) {
      const { id, person } = listener.session
      if (!living.has(id) || listener.waiting.length > mostWaiting) leave(listener)
      const word = wordOf(changes, person.role === 'provider' ? person.providerId : 'all')
      if (word) listener.waiting.push(word)
      else if (this.#looks % quietLooks === 0) listener.waiting.push(null)
      listener.wake()
    }
  }
}

function leave(listener: Listener): void {
  listener.ended = true
  listener.wake()
}

/** Word of what others change. */
export function liveHandlers(live: Live): Handlers<typeof liveRows, Commands> {
  return {
    'GET /live/': ({ session }) => {
      live.admit()
      return { live: (gone) => live.changes(session, gone) }
    },
  }
}
