import { Anchor, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../data/queries.ts'
import type { Affected, Suggestion } from './use-replanning.ts'

/** One reservation with the suggestion that would be accepted. */
export interface PlannedMove {
  readonly reservation: Affected
  readonly to: Suggestion
}

/** Whether customers with an e-mail address get a message when their reservation moves; true until that is known. */
export function useSendsMessages(affected: readonly Affected[]): boolean {
  const first = affected.find(({ customer, suggestions }) => customer.hasEmail && suggestions.length > 0)
  const [to] = first?.suggestions ?? []
  const query = { ...(first && { id: first.id }), ...(to && { providerId: to.providerId, start: to.start }) }
  const { data } = useRead('GET /notifications/announcement/', query, { when: first !== undefined })
  return data?.message !== null
}

/** Says whom a message reaches when the suggestions are accepted, and whom somebody has to phone. */
export function Notice({ moves, sends }: { readonly moves: readonly PlannedMove[]; readonly sends: boolean }) {
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

/** A phone number to dial, or that there is none. */
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
