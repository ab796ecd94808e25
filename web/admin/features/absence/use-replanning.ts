import { useState } from 'react'
import { refetch, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { createStore, useStore } from '../../data/store.ts'

/** A reservation that an absence affects, with suggestions. */
export type Affected = Item<'GET /replanning/'>['items'][number]

/** A free time with a provider. */
export type Suggestion = Affected['suggestions'][number]

/** A reservation that was moved to a suggestion. */
export interface Moved {
  readonly reservation: Affected
  readonly to: Suggestion
  readonly notify: boolean
  /** Whether a message tells the customer; otherwise somebody has to phone. */
  readonly isTold: boolean
}

/** What was done about one absence since the panel was loaded. */
interface Done {
  readonly moved: readonly Moved[]
  /** The time off that was recorded on the screen; undefined for none. */
  readonly timeOffId: string | undefined
  /** The reservations whose customers were phoned. */
  readonly phoned: ReadonlySet<string>
}

/** Why a reservation could not be moved, or not be moved back. */
export type Failures = ReadonlyMap<string, unknown>

const nothingDone: Done = { moved: [], timeOffId: undefined, phoned: new Set() }
// Outside of the screen, so that everything can still be undone after another page was opened.
const doneByAbsence = createStore<ReadonlyMap<string, Done>>(new Map())

const shown = [
  'GET /replanning/',
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /today/',
  'GET /conflicts/',
  'GET /time-off/',
  'GET /history/',
] as const

/** Moves the reservations of one absence one by one; a refusal does not affect the others. */
export function useReplanning(absence: {
  readonly providerId: number
  readonly from: number
  readonly until: number
  readonly note: string
}) {
  const { providerId, from, until, note } = absence
  const key = `${providerId} ${from} ${until}`
  const done = useStore(doneByAbsence).get(key) ?? nothingDone
  const write = useWrite('POST /replanning/move/')
  const addTimeOff = useWrite('POST /time-off/add/')
  const removeTimeOff = useWrite('POST /time-off/remove/')
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>()
  const [failures, setFailures] = useState<Failures>(new Map())

  const keep = (change: (before: Done) => Done): void => {
    const all = doneByAbsence.get()
    doneByAbsence.set(new Map(all).set(key, change(all.get(key) ?? nothingDone)))
  }

  /** Runs one request per item, and returns how many succeeded. */
  const each = async <T extends { readonly reservation: Affected }>(
    items: readonly T[],
    run: (item: T) => Promise<unknown>,
  ): Promise<number> => {
    const failed = new Map<string, unknown>()
    for (const [index, item] of items.entries()) {
      setProgress({ done: index, all: items.length })
      await run(item).then(undefined, (error: unknown) => failed.set(item.reservation.id, error))
    }
    await refetch(shown)
    setFailures(failed)
    setProgress(undefined)
    return items.length - failed.size
  }

  return {
    done,
    progress,
    failures,
    /** Moves each reservation to its suggestion. */
    move: (moves: readonly Moved[]): Promise<number> =>
      each(moves, async (one) => {
        const { reservation, to, notify } = one
        await write.mutateAsync({
          body: { id: reservation.id, from: placeOf(reservation), to: target(to), ...(!notify && { notify }) },
        })
        keep((before) => ({ ...before, moved: [...before.moved, one] }))
      }),
    /** Moves reservations back to the absent provider. */
    moveBack: (moves: readonly Moved[]): Promise<number> =>
      each(moves, async (one) => {
        const { reservation, to, notify } = one
        const body = { id: reservation.id, from: target(to), to: placeOf(reservation), back: true }
        await write.mutateAsync({ body: { ...body, ...(!notify && { notify }) } })
        keep((before) => ({ ...before, moved: before.moved.filter((other) => other !== one) }))
      }),
    /** Notes on the screen whether the customer of a moved reservation was phoned. */
    setPhoned(id: string, isPhoned: boolean): void {
      keep((before) => {
        const phoned = new Set(before.phoned)
        if (isPhoned) phoned.add(id)
        else phoned.delete(id)
        return { ...before, phoned }
      })
    },
    async recordTimeOff(): Promise<void> {
      const body = { providerId, start: from, end: until, note, despite: true }
      const { id } = await addTimeOff.mutateAsync({ body })
      keep((before) => ({ ...before, timeOffId: id }))
      await refetch(shown)
    },
    async takeTimeOffBack(id: string): Promise<void> {
      await removeTimeOff.mutateAsync({ body: { id } })
      keep((before) => ({ ...before, timeOffId: undefined }))
      await refetch(shown)
    },
  }
}

/** The state of an absence with its actions. */
export type Replanning = ReturnType<typeof useReplanning>

function placeOf({ provider, start }: Affected) {
  return { providerId: provider.id, start }
}

function target({ providerId, start }: Suggestion) {
  return { providerId, start }
}
