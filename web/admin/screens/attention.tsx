import { Anchor, Badge, Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../components/panel-link.tsx'
import { Section } from '../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx'
import { useRead } from '../data/queries.ts'

const colors = { warn: 'yellow', fail: 'red' } as const

/** What of the installation is not well, each with what to do about it. */
export function Attention() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /system/', {})
  const unwell = (data?.checks ?? []).flatMap(({ check, state, sentence }) =>
    state === 'ok' ? [] : [{ check, state, sentence }],
  )
  return (
    <Section
      title={t('today.attention')}
      actions={
        unwell.length > 0 && (
          <Anchor component={PanelLink} to="/settings/system" size="sm">
            {t('today.attentionAll')}
          </Anchor>
        )
      }
    >
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <LoadingState lines={1} />
      ) : unwell.length === 0 ? (
        <EmptyState icon={IconCircleCheck} text={t('today.attentionEmpty')} />
      ) : (
        unwell.map(({ check, state, sentence }) => (
          <Group key={check} gap="sm" wrap="nowrap" align="flex-start">
            <Badge color={colors[state]} miw={92}>
              {t(`system.states.${state}`)}
            </Badge>
            <Text size="sm" className="breakable">
              <b>{check}</b>: {sentence}
            </Text>
          </Group>
        ))
      )}
    </Section>
  )
}
