import { useEffect, useState } from 'react'
import { clockOf } from '../../../data/dates/clock.ts'
import { useZone } from '../../../data/dates/formats.ts'
import { useSession } from '../../../data/session.ts'
import styles from './calendar.module.css'
import { cssTopOf } from './scale.ts'

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

/** A horizontal line at the current time, rendered in the columns of today. */
export function NowIndicator() {
  const clock = clockOf(useZone())
  const now = useNow()
  return <div className={styles.now} style={{ top: cssTopOf(clock.minuteOf(now)) }} />
}
