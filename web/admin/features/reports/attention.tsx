import { Anchor } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CheckLine } from '../../components/fields/check-line.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'

/** The failed health checks of the installation, each with its remedy. */
export function Attention() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /system/', {})
  const unwell = (data?.checks ?? []).filter(({ state }) => state !== 'ok')
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
        unwell.map((one) => <CheckLine key={one.check.code} {...one} />)
      )}
    </Section>
  )
}
