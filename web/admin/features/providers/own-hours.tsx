import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Screen } from '../../components/screen.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useUser } from '../../data/session.ts'
import { ProviderEditor } from './provider-editor.tsx'

/**
 * The screen on which a user with the role `provider` edits their own weekly hours, exceptions on particular dates,
 * time off and calendars.
 */
export default function OwnHours() {
  const { t } = useTranslation()
  const { providerId } = useUser()
  return (
    <Screen title={t('providers.ownTitle')} text={t('providers.ownHoursText')}>
      <Paper>
        {providerId === null ? <EmptyState text={t('providers.ownNone')} /> : <ProviderEditor id={providerId} />}
      </Paper>
    </Screen>
  )
}
