import { useState } from 'react'
import { refetch, useWrite } from '../../data/queries.ts'
import { isNotFound } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import { createStore, useStore } from '../../data/store.ts'

/** A reservation that an absence affects, with free times to which it can move. */
export type AffectedReservation = Item<'GET /replanning/'>['items'][number]

/** A free time of a provider to which an affected reservation can move. */
export type SuggestedTime = AffectedReservation['suggestions'][number]

/** A move of an affected reservation to a suggested time. */
export interface ReservationMove {
  readonly reservation: AffectedReservation
  readonly to: SuggestedTime
  readonly notify: boolean
  /** Whether the customer gets a message about the move; otherwise staff must phone the customer. */
  readonly isTold: boolean
}

/** A move that was made. */
export interface CompletedMove extends ReservationMove {
  /** The id of the move in the history; null when the reservation was there already. */
  readonly change: string | null
}

/** The changes that were made for one absence since the panel was loaded. */
interface AbsenceChanges {
  readonly moved: readonly CompletedMove[]
  /** The id of the time off that was recorded for the absence since the panel was loaded; undefined when none was. */
  readonly timeOffId: string | undefined
  /** The ids of the reservations whose customers were phoned. */
  readonly phoned: ReadonlySet<string>
}

/**
 * The errors of the last series of moves: those of reservations that could not be moved or moved back, by reservation
 * id.
 */
export type Failures = ReadonlyMap<string, unknown>

const noChanges: AbsenceChanges = { moved: [], timeOffId: undefined, phoned: new Set() }
// The changes by absence. They are stored outside of the component, so that all of them can still be undone after the
// user has opened another page.
const changesByAbsence = createStore<ReadonlyMap<string, AbsenceChanges>>(new Map())

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

/**
 * Returns the changes made for one absence, and functions that make and undo them. Reservations move one at a time; a
 * refused move does not affect the others.
 */
export function useReplanning(absence: {
  readonly providerId: number
  readonly from: number
  readonly until: number
  readonly note: string
}) {
  const { providerId, from, until, note } = absence
  const key = `${providerId} ${from} ${until}`
  const done = useStore(changesByAbsence).get(key) ?? noChanges
  const write = useWrite('POST /replanning/move/')
  const undo = useWrite('POST /reservations/undo/')
  const addTimeOff = useWrite('POST /time-off/add/')
  const removeTimeOff = useWrite('POST /time-off/remove/')
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>()
  const [failures, setFailures] = useState<Failures>(new Map())

  const updateChanges = (change: (before: AbsenceChanges) => AbsenceChanges): void => {
    const all = changesByAbsence.get()
    changesByAbsence.set(new Map(all).set(key, change(all.get(key) ?? noChanges)))
  }

  /** Runs one request per item in sequence, and returns the number of successful requests. */
  const each = async <T extends { readonly reservation: AffectedReservation }>(
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
    /** Moves each reservation to its suggested time; resolves to the number of moved reservations. */
    move: (moves: readonly ReservationMove[]): Promise<number> =>
      each(moves, async (one) => {
        const { reservation, to, notify } = one
        const { change } = await write.mutateAsync({
          body: { id: reservation.id, from: placeOf(reservation), to: target(to), ...(!notify && { notify }) },
        })
        updateChanges((before) => ({ ...before, moved: [...before.moved, { ...one, change }] }))
      }),
    /**
     * Moves reservations back to their earlier provider and start; resolves to the number of reservations that have
     * these again. The move of a reservation that was removed in the meantime is forgotten.
     */
    async moveBack(moves: readonly CompletedMove[]): Promise<number> {
      let removed = 0
      const count = await each(moves, async (one) => {
        const { reservation, change, notify } = one
        if (change !== null)
          await undo
            .mutateAsync({ body: { id: reservation.id, change, ...(!notify && { notify }) } })
            .then(undefined, (error: unknown) => {
              if (!isNotFound(error)) throw error
              removed += 1
            })
        updateChanges((before) => ({ ...before, moved: before.moved.filter((other) => other !== one) }))
      })
      return count - removed
    },
    /**
     * Records whether the customer of a moved reservation was phoned. The record lasts until the page is reloaded,
     * since the service does not store it.
     */
    setPhoned(id: string, isPhoned: boolean): void {
      updateChanges((before) => {
        const phoned = new Set(before.phoned)
        if (isPhoned) phoned.add(id)
        else phoned.delete(id)
        return { ...before, phoned }
      })
    },
    async recordTimeOff(): Promise<void> {
      const body = { providerId, start: from, end: until, note, despite: true }
      const { id } = await addTimeOff.mutateAsync({ body })
      updateChanges((before) => ({ ...before, timeOffId: id }))
      await refetch(shown)
    },
    /** Removes the time off recorded for the absence; one that another user has removed counts as removed, too. */
    async removeTimeOff(id: string): Promise<void> {
      await removeTimeOff.mutateAsync({ body: { id } }).then(undefined, (error: unknown) => {
        if (!isNotFound(error)) throw error
      })
      updateChanges((before) => ({ ...before, timeOffId: undefined }))
      await refetch(shown)
    },
  }
}

/** The result of `useReplanning`: the changes made for an absence, and functions that make and undo them. */
export type Replanning = ReturnType<typeof useReplanning>

function placeOf({ provider, start }: AffectedReservation) {
  return { providerId: provider.id, start }
}

function target({ providerId, start }: SuggestedTime) {
  return { providerId, start }
}
