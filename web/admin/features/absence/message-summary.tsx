import { Anchor, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../data/queries.ts'
import type { AffectedReservation, SuggestedTime } from './use-replanning.ts'

/** One reservation that an absence affects, with the free time to which it would move. */
export interface PlannedMove {
  readonly reservation: AffectedReservation
  readonly to: SuggestedTime
}

/**
 * Whether a customer with an e-mail address gets a message when their reservation moves. The hook asks the service
 * about one move only: the first reservation whose customer has an e-mail address and that has a suggested time.
 * Returns true until the service has first answered, and when there is no such reservation.
 */
export function useSendsMessages(affected: readonly AffectedReservation[]): boolean {
  const first = affected.find(({ customer, suggestions }) => customer.hasEmail && suggestions.length > 0)
  const [to] = first?.suggestions ?? []
  const query = { ...(first && { id: first.id }), ...(to && { providerId: to.providerId, start: to.start }) }
  const { data } = useRead('GET /notifications/announcement/', query, { enabled: first !== undefined })
  return data?.message !== null
}

/**
 * Shows how many customers the service notifies when the planned moves are accepted, unless the user then declines
 * notifications. Lists the other customers with their phone numbers, because staff must phone them.
 */
export function MessageSummary({ moves, sends }: { readonly moves: readonly PlannedMove[]; readonly sends: boolean }) {
  const { t } = useTranslation()
  const unreached = moves.filter((move) => !(sends && move.reservation.customer.hasEmail))
  const told = moves.length - unreached.length
  return (
    <>
      {told > 0 && <Text size="sm">{t('absence.told', { count: told })}</Text>}
      {unreached.length > 0 && (
        <Text size="sm" component="div">
          {t(sends ? 'absence.toPhone' : 'absence.toPhoneAll', { count: unreached.length })}
          <List size="sm">
            {unreached.map(({ reservation: { id, customer } }) => (
              <List.Item key={id}>
                {customer.name || t('reservations.removed')} <PhoneNumber phone={customer.phone} />
              </List.Item>
            ))}
          </List>
        </Text>
      )}
    </>
  )
}

/** A phone number as a link that dials it; when `phone` is empty, a note that the customer has no number. */
export function PhoneNumber({ phone }: { readonly phone: string }) {
  const { t } = useTranslation()
  if (phone === '')
    return (
      <Text span size="sm" c="dimmed">
        {t('absence.noPhone')}
      </Text>
    )
  return (
    <Anchor size="sm" href={`tel:${phone.replace(/[^+\d]/g, '')}`} className="tabular">
      {phone}
    </Anchor>
  )
}
