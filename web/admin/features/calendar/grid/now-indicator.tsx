import { clockOf } from '../../../data/dates/clock.ts'
import { useZone } from '../../../data/dates/formats.ts'
import { useNow } from '../../../data/dates/now.ts'
import styles from './calendar.module.css'
import { cssTopOf } from './scale.ts'

/** A horizontal line at the current time, rendered in the columns of today. */
export function NowIndicator() {
  const clock = clockOf(useZone())
  const now = useNow()
  return <div className={styles.now} style={{ top: cssTopOf(clock.minuteOf(now)) }} />
}
