import { useEffect, useState } from 'react'
import { useSession } from '../session.ts'
import { clockOf } from './clock.ts'

const updateMilliseconds = 30_000

/** Returns the server's time in Unix seconds, advanced locally since the last response; updated every 30 seconds. */
export function useNow(): number {
  const serverTime = useSession()?.now ?? 0
  const [now, setNow] = useState(serverTime)
  useEffect(() => {
    const since = performance.now()
    setNow(serverTime)
    const timer = setInterval(
      () => setNow(serverTime + Math.floor((performance.now() - since) / 1000)),
      updateMilliseconds,
    )
    return () => clearInterval(timer)
  }, [serverTime])
  return now
}

/**
 * Returns the present date in an IANA time zone, `YYYY-MM-DD`, by the server's time: the clock of the device may be
 * wrong.
 */
export function useToday(zone: string): string {
  return clockOf(zone).dateOf(useNow())
}
