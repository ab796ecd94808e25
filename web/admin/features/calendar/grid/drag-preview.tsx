import { VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { minutesOfDay } from '../../../data/dates/clock.ts'
import { addDays } from '../../../data/dates/dates.ts'
import { useLocale } from '../../../data/dates/formats.ts'
import { timeOfDay } from '../../../data/dates/intl.ts'
import { useRead } from '../../../data/queries.ts'
import type { PanelRouteQuery } from '../../../data/request.ts'
import { type Store, useStore } from '../../../data/store.ts'
import { brokenRuleName } from '../../reservations/rule-name.ts'
import styles from './calendar.module.css'
import type { CalendarColumn } from './columns.ts'
import type { Drag } from './drag.ts'
import { cssTopOf } from './scale.ts'

interface DragPreviewProps {
  readonly drag: Store<Drag | undefined>
  readonly columns: readonly CalendarColumn[]
  readonly row: number
}

/** Shows a preview of the dragged item at its current target, and whether the target breaks a scheduling rule. */
export function DragPreview({ drag, columns, row }: DragPreviewProps) {
  const dragged = useStore(drag)
  const column = dragged && columns[dragged.place]
  return dragged && column ? <DragPreviewBlock drag={dragged} column={column} row={row} /> : null
}

const debounceMilliseconds = 120

function DragPreviewBlock({
  drag,
  column,
  row,
}: {
  readonly drag: Drag
  readonly column: CalendarColumn
  readonly row: number
}) {
  const { t } = useTranslation()
  const locale = useLocale()
  const place = useRef<HTMLDivElement>(null)
  const { reservation, top, height, byKeys } = drag
  const { verdict, said } = useVerdict(drag, column)
  useEffect(() => {
    if (byKeys) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  // An item that begins on an earlier day has a negative `top`, and is shown from midnight.
  const shownTop = Math.max(top, 0)
  const daysLater = Math.floor(top / minutesOfDay)
  const begins = top - daysLater * minutesOfDay
  const time = `${timeOfDay(begins, locale)}–${timeOfDay((begins + height) % minutesOfDay, locale)}`
  return (
    <>
      <div
        ref={place}
        className={styles.dragPreview}
        data-verdict={verdict}
        style={{
          gridColumn: `${drag.place + 2} / span 1`,
          gridRow: `${row} / span 1`,
          top: cssTopOf(shownTop),
          minHeight: `max(calc(${top + height - shownTop} * var(--minute) - 1px), 18px)`,
        }}
      >
        <span className="tabular">{time}</span>
        {said && <span>{said}</span>}
      </div>
      <VisuallyHidden role="status">
        {reservation &&
          byKeys &&
          t('calendar.staged', { time, provider: column.provider.name, date: addDays(column.date, daysLater) })}{' '}
        {said}
      </VisuallyHidden>
    </>
  )
}

/**
 * Asks the server whether the dragged reservation would break scheduling rules at the target, once the target has not
 * changed for 120 milliseconds. Does not ask for a cancelled reservation or a selected interval.
 */
function useVerdict({ reservation, mode, start, end }: Drag, { provider }: CalendarColumn) {
  const { t } = useTranslation()
  const resized = mode === 'resize'
  const query: PanelRouteQuery<'GET /calendar/verdict/'> = {
    ...(reservation && { id: reservation.id }),
    providerId: provider.id,
    start,
    ...(resized && { end }),
  }
  const key = JSON.stringify(query)
  const [rested] = useDebouncedValue(key, debounceMilliseconds)
  const asks = reservation !== undefined && reservation.status !== 'cancelled' && rested === key
  const { data, isPlaceholderData } = useRead('GET /calendar/verdict/', query, { enabled: asks })
  const verdict = asks && !isPlaceholderData ? data : undefined
  const first = verdict?.broken[0]
  return {
    verdict: verdict && (first ? 'no' : 'yes'),
    said: first ? brokenRuleName(first, t) : verdict ? t('calendar.fits') : '',
  }
}
