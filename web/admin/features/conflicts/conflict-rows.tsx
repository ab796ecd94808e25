import { Anchor, Badge, Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import type { Item } from '../../data/request.ts'

/** An upcoming reservation in conflict: a change made it break scheduling rules. */
export type Conflict = Item<'GET /conflicts/'>['items'][number]

interface ConflictRowProps {
  readonly conflict: Conflict
  /** Actions beside the reservation. */
  readonly children?: ReactNode
}

/** One reservation in conflict, with the rules that it breaks. */
export function ConflictRow({ conflict, children }: ConflictRowProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { id, start, customer, service, provider, rules, holiday } = conflict
  return (
    <Group component="li" gap="xs" justify="space-between" className="plain">
      <Box flex="1 1 180px" miw={0} className="breakable">
        <Anchor component={PanelLink} to="/reservations" search={{ when: 'all', open: id }} size="sm">
          {customer.name || t('reservations.removed')}
        </Anchor>{' '}
        <Text size="sm" span className="tabular">
          {dateTime(start)}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {[service.name, provider.name].filter(Boolean).join(' · ')}
        </Text>
        <Group gap={4}>
          {rules.map((rule) => (
            <Badge key={rule} color="orange" size="sm">
              {rule === 'opening_hours' && holiday !== null
                ? t('calendar.closedFor', { name: holiday || t('calendar.holiday') })
                : t(`calendar.against.${rule}`)}
            </Badge>
          ))}
        </Group>
      </Box>
      {children}
    </Group>
  )
}
