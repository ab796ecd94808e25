import { Alert, Button, Group, Loader, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { failureOf } from '../../data/refusal.ts'
import { useUser } from '../../data/session.ts'
import { FailureText } from './failure-text.tsx'

const pollMilliseconds = 500
// Milliseconds without an outcome after which a test message counts as slow: more than each timeout of an SMTP
// connection (at most 30,000) and of a request to the SMS gateway (15,000).
const slowMilliseconds = 45_000

/** Sends a test message with the saved settings, and shows whether the mail server accepted it. */
export function TestMessage() {
  const { t } = useTranslation()
  const { email } = useUser()
  const send = useWrite('POST /notifications/test/', ['GET /notifications/'])
  return (
    <TestForm
      title={t('notifications.test')}
      text={t('notifications.testText')}
      field={{ label: t('notifications.testTo'), type: 'email' }}
      initial={email}
      write={{ ...send, id: send.data?.id }}
      send={(to) => send.mutate({ body: { to } })}
    />
  )
}

/** Sends a short test message (SMS) with the saved settings, and shows whether the SMS gateway accepted it. */
export function TestSms() {
  const { t } = useTranslation()
  const send = useWrite('POST /notifications/sms/test/', ['GET /notifications/'])
  return (
    <TestForm
      title={t('sms.test')}
      text={t('sms.testText')}
      field={{ label: t('sms.testTo'), description: t('sms.testToHelp'), type: 'tel' }}
      initial=""
      write={{ ...send, id: send.data?.id }}
      send={(to) => send.mutate({ body: { to } })}
    />
  )
}

interface TestFormProps {
  readonly title: string
  readonly text: string
  readonly field: { readonly label: string; readonly description?: string; readonly type: string }
  readonly initial: string
  readonly write: { readonly error: unknown; readonly isPending: boolean; readonly id: string | undefined }
  readonly send: (to: string) => void
}

function TestForm({ title, text, field, initial, write: { error, isPending, id }, send }: TestFormProps) {
  const { t } = useTranslation()
  const [to, setTo] = useState(initial)
  const wrong = failureOf(error).fields.to
  return (
    <Section title={title} text={text}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send(to.trim())
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            {...field}
            autoComplete="off"
            error={wrong}
            flex="1 1 220px"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {t('notifications.testSend')}
          </Button>
        </Group>
      </form>
      {wrong === undefined && <ErrorAlert error={error} />}
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
        {t(entry.channel === 'sms' ? 'sms.testSent' : 'notifications.testSent', { to: entry.recipient })}
      </Alert>
    )
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" title={t('notifications.testFailed')}>
      <FailureText reason={entry.reason} />
    </Alert>
  )
}
