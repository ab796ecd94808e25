import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Trouble } from '../components/states.tsx'
import { useFormats } from '../data/formats.ts'
import type { StatusChange } from './status-change.ts'

/** The reservations that the service left as they were, each with what it said. */
export function Refusals({ change: { refused, forget } }: { readonly change: StatusChange }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  if (refused.length === 0) return null
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      title={t('reservations.refused', { count: refused.length })}
      role="alert"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={forget}
    >
      <List size="sm" spacing="xs">
        {refused.map(({ reservation, error }) => (
          <List.Item key={reservation.id}>
            <Text size="sm" fw={500}>
              {reservation.customer.name || reservation.customer.id}, {dateTime(reservation.start)}
            </Text>
            <Trouble error={error} />
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
