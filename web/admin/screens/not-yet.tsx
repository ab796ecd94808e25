import { IconHammer } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Screen } from '../components/screen.tsx'
import { EmptyState } from '../components/states.tsx'
import { places } from '../shell/places.ts'

/** A place of the navigation that has no screen yet, and says so. */
export default function NotYet() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const place = places.find(({ to }) => to === pathname)
  return (
    <Screen title={place ? t(`places.${place.word}`) : t('shell.panel')}>
      <EmptyState icon={IconHammer} title={t('states.notYetTitle')} text={t('states.notYetText')} />
    </Screen>
  )
}
