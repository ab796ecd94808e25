import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReservationStatus } from '../../../../src/reservations/reservation.ts'

const colors = { pending: 'yellow', confirmed: 'teal', cancelled: 'gray' } as const

/** A badge with the status of a reservation. */
export function StatusBadge({ status }: { readonly status: ReservationStatus }) {
  const { t } = useTranslation()
  return <Badge color={colors[status]}>{t(`reservations.statuses.${status}`)}</Badge>
}
