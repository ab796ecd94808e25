import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../components/panel-link.tsx'
import { Screen } from '../components/screen.tsx'
import { EmptyState } from '../components/states.tsx'

/** The page shown for a URL that matches no route. */
export default function NotFound() {
  const { t } = useTranslation()
  return (
    <Screen title={t('states.unknownTitle')}>
      <EmptyState icon={IconMapQuestion} text={t('states.unknownText')}>
        <Button component={PanelLink} to="/" variant="default" mt="xs">
          {t('states.toStart')}
        </Button>
      </EmptyState>
    </Screen>
  )
}
