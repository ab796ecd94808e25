import { useEffect, useRef, useState } from 'react'

/**
 * Rows per request. Checking uses the limit of the API; writing uses batches so small that concurrent bookings are not
 * delayed.
 */
const batchSizes = { check: 200, import: 50, undo: 50 } as const

/** The state of a batched operation. */
export interface ImportRun {
  readonly kind: 'check' | 'import' | 'undo'
  readonly done: number
  readonly total: number
  /** The error of the failed batch; earlier batches are complete. */
  readonly error?: unknown
  readonly going: boolean
}

/** Runs an operation in batches, with progress and a way to stop after the current batch. */
export function useRun() {
  const [run, setRun] = useState<ImportRun>()
  const stopped = useRef(false)
  const stop = (): void => {
    stopped.current = true
  }
  // Leaving the page stops the operation.
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const start = async <T>(
    kind: ImportRun['kind'],
    items: readonly T[],
    work: (part: readonly T[]) => Promise<void>,
  ): Promise<void> => {
    stopped.current = false
    const total = items.length
    const from = async (done: number): Promise<void> => {
      const going = done < total && !stopped.current
      setRun({ kind, done, total, going })
      if (!going) return
      const part = items.slice(done, done + batchSizes[kind])
      await work(part)
      await from(done + part.length)
    }
    await from(0).then(undefined, (error: unknown) =>
      setRun((was) => ({ kind, done: was?.done ?? 0, total, going: false, error })),
    )
  }
  return { run, start, stop, forget: () => setRun(undefined) }
}
