import { useEffect, useState } from 'react'
import { clockOf } from '../../../data/dates/clock.ts'
import { useZone } from '../../../data/dates/formats.ts'
import { useSession } from '../../../data/session.ts'
import styles from './calendar.module.css'
import { topOf } from './scale.ts'

const tick = 30_000

/** The server's clock, advanced locally since the last response. */
export function useNow(): number {
  const serverTime = useSession()?.now ?? 0
  const [now, setNow] = useState(serverTime)
  useEffect(() => {
    const since = performance.now()
    setNow(serverTime)
    const timer = setInterval(() => setNow(serverTime + Math.floor((performance.now() - since) / 1000)), tick)
    return () => clearInterval(timer)
  }, [serverTime])
  return now
}

/** A line at the current time in today's column. */
export function NowLine() {
  const clock = clockOf(useZone())
  const now = useNow()
  return <div className={styles.now} style={{ top: topOf(clock.minuteOf(now)) }} />
}
