import { Alert, Button, Group, Loader, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { failureOf } from '../../data/refusal.ts'
import { useUser } from '../../data/session.ts'
import { FailureText } from './failure-text.tsx'

const pollMilliseconds = 500
// Longer than the timeouts of a connection that the server never answers.
const slowMilliseconds = 45_000

/** Sends a test message with the saved settings, and shows whether the mail server accepted it. */
export function TestMessage() {
  const { t } = useTranslation()
  const { email } = useUser()
  const [to, setTo] = useState(email)
  const send = useWrite('POST /notifications/test/', ['GET /notifications/'])
  const id = send.data?.id
  const wrong = failureOf(send.error).fields.to
  return (
    <Section title={t('notifications.test')} text={t('notifications.testText')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate({ body: { to: to.trim() } })
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t('notifications.testTo')}
            type="email"
            error={wrong}
            flex="1 1 220px"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={send.isPending}>
            {t('notifications.testSend')}
          </Button>
        </Group>
      </form>
      {wrong === undefined && <Problem error={send.error} />}
      {id !== undefined && <TestResult key={id} id={id} />}
    </Section>
  )
}

function TestResult({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  const { data, error } = useRead(
    'GET /notifications/',
    { id },
    { refetchAfter: (list) => (list?.items.length ? false : pollMilliseconds) },
  )
  const entry = data?.items.find((one) => one.id === id)
  if (error) return <ErrorState error={error} />
  if (!entry)
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm" flex={1}>
          {t(slow ? 'notifications.testSlow' : 'notifications.testing')}
        </Text>
      </Group>
    )
  if (entry.state === 'sent')
    return (
      <Alert color="teal" icon={<IconCheck />} role="status">
        {t('notifications.testSent', { to: entry.recipient })}
      </Alert>
    )
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" title={t('notifications.testFailed')}>
      <FailureText reason={entry.reason} />
    </Alert>
  )
}
