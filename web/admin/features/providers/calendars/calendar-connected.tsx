import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Screen } from '../../../components/screen.tsx'
import { ErrorMessage, LoadingState } from '../../../components/states.tsx'
import { refetch } from '../../../data/queries.ts'
import { useQueryParameters } from '../../../data/query-parameters.ts'
import { request } from '../../../data/request.ts'
import { useUser } from '../../../data/session.ts'

/** The page to which a calendar system redirects the browser after the user granted or refused access. */
export default function CalendarConnected() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { role } = useUser()
  const [{ state = '', code = '', error: refused }] = useQueryParameters()
  const [error, setError] = useState<unknown>()
  const sent = useRef(false)
  const back = (providerId?: number): void => {
    const part = { part: 'calendars' }
    if (role === 'provider') void navigate({ to: '/hours', search: part, replace: true })
    else
      void navigate({
        to: '/providers',
        search: providerId === undefined ? {} : { open: String(providerId), ...part },
        replace: true,
      })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an authorization code can be used only once
  useEffect(() => {
    if (sent.current || code === '' || state === '') return
    sent.current = true
    request('POST /calendar-accounts/authorized/', { body: { state, code } }).then(async ({ providerId }) => {
      await refetch(['GET /calendar-accounts/'])
      back(providerId)
    }, setError)
  }, [])
  const isRefused = refused !== undefined || code === '' || state === ''
  return (
    <Screen title={t('grants.connected')} text={t('grants.connecting')}>
      {error === undefined && !isRefused ? (
        <LoadingState lines={3} />
      ) : (
        <Stack align="flex-start">
          <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert">
            {error === undefined ? t('grants.refused') : <ErrorMessage error={error} />}
          </Alert>
          <Button variant="default" onClick={() => back()}>
            {t('grants.back')}
          </Button>
        </Stack>
      )}
    </Screen>
  )
}
