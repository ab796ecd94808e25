import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Screen } from '../components/screen.tsx'
import { EmptyState } from '../components/states.tsx'

/** The page shown in place of a screen that the user's role may not open. */
export function NotAllowed() {
  const { t } = useTranslation()
  return (
    <Screen title={t('states.notAllowedTitle')}>
      <EmptyState icon={IconLock} text={t('states.notAllowedText')} />
    </Screen>
  )
}
