import { lazy, Suspense } from 'react'
import { desk, staff } from '../../../../src/access/users/role-groups.ts'
import { LoadingState } from '../../components/states.tsx'
import type { Item } from '../../data/request.ts'
import { useMay } from '../../data/session.ts'
import { CalendarTrouble } from '../providers/calendars/calendar-trouble.tsx'

const PaymentOf = lazy(() => import('../payments/payment-of.tsx'))

/** The parts of a reservation that are not needed at once: its payment, and calendars that it could not be written to. */
export default function LaterParts({ id, paid }: Pick<Item<'GET /reservations/one/'>, 'id' | 'paid'>) {
  const servesDesk = useMay(desk)
  const changes = useMay(staff)
  return (
    <>
      {changes && <CalendarTrouble id={id} />}
      {paid && servesDesk && (
        <Suspense fallback={<LoadingState lines={2} />}>
          <PaymentOf id={id} />
        </Suspense>
      )}
    </>
  )
}
