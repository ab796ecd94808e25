import { useEffect, useRef, useState } from 'react'

/**
 * How many rows go to the service at once: to look at as many as it takes, to write so few that whoever books beside it
 * does not notice.
 */
const atOnce = { check: 200, import: 50, undo: 50 } as const

/** Work that goes on part by part. */
export interface ImportRun {
  readonly kind: 'check' | 'import' | 'undo'
  readonly done: number
  readonly total: number
  /** What a part came to grief with; the others before it are done. */
  readonly error?: unknown
  readonly going: boolean
}

/** Does something part by part, shows how far it is, and lets it be stopped between two parts. */
export function useRun() {
  const [run, setRun] = useState<ImportRun>()
  const stopped = useRef(false)
  const stop = (): void => {
    stopped.current = true
  }
  // Whoever leaves the page stops it.
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
      const part = items.slice(done, done + atOnce[kind])
      await work(part)
      await from(done + part.length)
    }
    await from(0).then(undefined, (error: unknown) =>
      setRun((was) => ({ kind, done: was?.done ?? 0, total, going: false, error })),
    )
  }
  return { run, start, stop, forget: () => setRun(undefined) }
}
