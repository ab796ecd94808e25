import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { hearing } from '../../data/live.ts'
import { sessionEnded } from '../../data/queries.ts'
import { useStore } from '../../data/store.ts'

/** Says when what is on screen may be out of date: no connection, or live updates that are interrupted. */
export function ConnectionNotice() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const connected = useStore(hearing)
  const ended = useStore(sessionEnded)
  if ((online && connected) || ended) return null
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX />} mb="md" role="status">
      {online ? t('shell.reconnecting') : t('shell.offline')}
    </Alert>
  )
}
