import { useEffect, useState } from 'react'
import { clockOf } from '../../../data/dates/clock.ts'
import { useZone } from '../../../data/dates/formats.ts'
import { useSession } from '../../../data/session.ts'
import styles from './calendar.module.css'
import { minuteHeight } from './drag.ts'

const tick = 30_000

/** The service's clock, going on from when it was last heard. */
export function useNow(): number {
  const heard = useSession()?.now ?? 0
  const [now, setNow] = useState(heard)
  useEffect(() => {
    const since = performance.now()
    setNow(heard)
    const timer = setInterval(() => setNow(heard + Math.floor((performance.now() - since) / 1000)), tick)
    return () => clearInterval(timer)
  }, [heard])
  return now
}

/** Where today stands now. */
export function NowLine() {
  const clock = clockOf(useZone())
  const now = useNow()
  return <div className={styles.now} style={{ top: clock.minuteOf(now) * minuteHeight }} />
}
