import { desk, staff } from '../../../../src/access/users/role-groups.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LoadingState } from '../../components/states.tsx'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { CalendarWriteErrors } from '../providers/calendars/calendar-write-errors.tsx'

const ReservationPayment = lazyPart(() => import('../payments/reservation-payment.tsx'), {
  fallback: () => <LoadingState lines={2} />,
})

/**
 * The sections of the reservation drawer that load last: the payment, and calendars to which the reservation could
 * not be written.
 */
export default function DeferredSections({ id, paid }: Pick<Item<'GET /reservations/one/'>, 'id' | 'paid'>) {
  const servesDesk = useHasRole(desk)
  const changes = useHasRole(staff)
  return (
    <>
      {changes && <CalendarWriteErrors id={id} />}
      {paid && servesDesk && <ReservationPayment id={id} />}
    </>
  )
}
