import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Awaited, ReservationStatus } from '../../../../src/reservations/reservation.ts'

const colors = { pending: 'yellow', confirmed: 'teal', cancelled: 'gray' } as const

interface StatusBadgeProps {
  readonly status: ReservationStatus
  readonly awaits?: Awaited | null
}

/** A badge with the status of a reservation, or with what a pending reservation awaits from the customer. */
export function StatusBadge({ status, awaits = null }: StatusBadgeProps) {
  const { t } = useTranslation()
  return (
    <Badge color={colors[status]}>
      {t(awaits ? `reservations.awaits.${awaits}` : `reservations.statuses.${status}`)}
    </Badge>
  )
}
