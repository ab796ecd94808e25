import { Anchor } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { HealthCheckRow } from '../../components/records/health-check-row.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'

/** Lists the health checks of the installation whose state is not `ok`, with their messages. */
export function FailingChecks() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /system/', {})
  const failing = (data?.checks ?? []).filter(({ state }) => state !== 'ok')
  return (
    <Section
      title={t('today.attention')}
      actions={
        failing.length > 0 && (
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
      ) : failing.length === 0 ? (
        <EmptyState icon={IconCircleCheck} text={t('today.attentionEmpty')} />
      ) : (
        failing.map((one) => <HealthCheckRow key={one.check.code} {...one} />)
      )}
    </Section>
  )
}
