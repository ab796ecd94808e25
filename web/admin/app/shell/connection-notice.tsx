import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { liveConnected } from '../../data/live.ts'
import { sessionEnded } from '../../data/queries.ts'
import { useStore } from '../../data/store.ts'

/**
 * Warns that the screen may be out of date: the browser is offline, or live updates are interrupted. Renders nothing
 * once the session has ended, when a sign-in dialog is open instead.
 */
export function ConnectionNotice() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const connected = useStore(liveConnected)
  const ended = useStore(sessionEnded)
  if ((online && connected) || ended) return null
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX />} mb="md" role="status">
      {online ? t('shell.reconnecting') : t('shell.offline')}
    </Alert>
  )
}
