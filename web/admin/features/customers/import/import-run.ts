import { useEffect, useRef, useState } from 'react'

/**
 * The number of rows, or of customers whose addition is undone, per request: the limits of the API. Writes have smaller
 * batches than checks, so that concurrent bookings are not delayed.
 */
const batchSizes = { check: 200, import: 50, undo: 50 } as const

/** The state of an operation that runs in batches; `done` and `total` count rows, or customers if `kind` is `undo`. */
export interface ImportRun {
  readonly kind: 'check' | 'import' | 'undo'
  readonly done: number
  readonly total: number
  /** The error of the batch that failed; all earlier batches are complete. */
  readonly error?: unknown
  readonly running: boolean
}

/** Runs an operation in sequential batches, with progress and a function that stops it after the current batch. */
export function useImportRun() {
  const [run, setRun] = useState<ImportRun>()
  const stopped = useRef(false)
  // The number of the operation that was started last. An operation that was reset, or after which another was started,
  // has an older number; it ends after its current batch.
  const newest = useRef(0)
  const stop = (): void => {
    stopped.current = true
  }
  // The operation ends after its current batch when the user leaves the page.
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  /**
   * Runs an operation: calls `work` with one batch of items after the other. Resolves to false when the operation was
   * reset, or another was started, before its end; otherwise to true, also after `stop` or an error of `work`.
   */
  const start = async <T>(
    kind: ImportRun['kind'],
    items: readonly T[],
    work: (part: readonly T[]) => Promise<void>,
  ): Promise<boolean> => {
    stopped.current = false
    newest.current += 1
    const own = newest.current
    const isNewest = () => newest.current === own
    const total = items.length
    const from = async (done: number): Promise<void> => {
      if (!isNewest()) return
      const running = done < total && !stopped.current
      setRun({ kind, done, total, running })
      if (!running) return
      const part = items.slice(done, done + batchSizes[kind])
      await work(part)
      await from(done + part.length)
    }
    await from(0).then(undefined, (error: unknown) => {
      if (isNewest()) setRun((was) => ({ kind, done: was?.done ?? 0, total, running: false, error }))
    })
    return isNewest()
  }
  const reset = (): void => {
    newest.current += 1
    setRun(undefined)
  }
  return { run, start, stop, reset }
}
