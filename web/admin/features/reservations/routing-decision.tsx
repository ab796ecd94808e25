import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Message } from '../../../../src/messages/message.ts'
import { useFormats } from '../../data/dates/formats.ts'
import type { Item } from '../../data/request.ts'
import { translateMessage } from '../../i18n/index.ts'

type Reservation = Item<'GET /reservations/one/'>

interface RoutingDecisionProps {
  readonly choice: NonNullable<Reservation['choice']>
  /** The provider that the reservation is assigned to. */
  readonly provider: Reservation['provider']
}

const modes = ['direct', 'round_robin', 'least_busy', 'priority', 'weighted', 'random', 'collective'] as const

/**
 * Explains from the stored decision why a reservation was assigned to its provider, for services that choose among
 * several providers.
 */
export function RoutingDecision({ choice, provider }: RoutingDecisionProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { eligible, picked, because } = choice
  const mode = modes.find((one) => one === choice.mode)
  const nameOf = (of: Reservation['provider']): string => of.name || String(of.id)
  const names = new Map([provider, picked, ...eligible].map((one) => [one.id, nameOf(one)]))
  return (
    <>
      {mode && (
        <Text size="sm" className="breakable">
          {t(`reservations.because.${mode}`, { name: nameOf(picked) })}
        </Text>
      )}
      {picked.id !== provider.id && (
        <Text size="sm" className="breakable">
          {t('reservations.stillFree', { name: nameOf(provider) })}
        </Text>
      )}
      {eligible.length > 1 && (
        <Text size="sm" className="breakable">
          {t('reservations.eligible', { names: eligible.map(nameOf).join(', ') })}
        </Text>
      )}
      <Text size="xs" c="dimmed" className="breakable">
        {translateMessage(readableReason(because, names, dateTime))}
      </Text>
    </>
  )
}

const providerParameters = ['id', 'listed', 'picked']

/**
 * Returns the reason with the names of providers in place of their ids, and with times (Unix seconds) formatted by
 * `dateTime`.
 */
function readableReason(
  { code, parameters = {} }: Message,
  names: ReadonlyMap<number, string>,
  dateTime: (at: number) => string,
): Message {
  const readable = Object.entries(parameters).map(([name, value]) => {
    if (typeof value === 'number' && providerParameters.includes(name)) return [name, names.get(value) ?? value]
    if (typeof value === 'number' && name === 'time') return [name, dateTime(value)]
    if (typeof value === 'object' && 'code' in value) return [name, readableReason(value, names, dateTime)]
    return [name, value]
  })
  return { code, parameters: Object.fromEntries(readable) }
}
