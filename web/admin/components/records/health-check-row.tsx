import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '../../data/request.ts'
import { translateMessage } from '../../i18n/index.ts'

const colors = { ok: 'teal', warn: 'yellow', fail: 'red' } as const

/** One health check of the system: its state and its message. */
export function HealthCheckRow({ check, state, message }: Item<'GET /system/'>['checks'][number]) {
  const { t } = useTranslation()
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Badge color={colors[state]} miw={92}>
        {t(`system.states.${state}`)}
      </Badge>
      <Text size="sm" className="breakable">
        <b>{translateMessage(check)}</b>: {translateMessage(message)}
      </Text>
    </Group>
  )
}
