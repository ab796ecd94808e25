import { Anchor, Code, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useRead } from '../../../data/queries.ts'
import { request } from '../../../data/request.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/**
 * The page that mails a password link. Where the service sends no mail, the page says that an administrator creates
 * the link.
 */
export default function ForgotPassword() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /password/forgotten/', {})
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingState />
  return (
    <SignedOutPage title={t('forgot.title')}>
      {data.available ? (
        <MailLink />
      ) : (
        <>
          <Text size="sm">{t('forgot.text')}</Text>
          <Code block>daybook user link --email …</Code>
        </>
      )}
      <Anchor component={PanelLink} to="/sign-in" size="sm" ta="center">
        {t('forgot.toSignIn')}
      </Anchor>
    </SignedOutPage>
  )
}

function MailLink() {
  const { t } = useTranslation()
  const [sent, setSent] = useState(false)
  const form = useWriteForm({
    initialValues: { email: '' },
    write: async ({ email }) => {
      await request('POST /password/forgotten/', { body: { email } })
      setSent(true)
    },
  })
  if (sent)
    return (
      <>
        <Text size="sm" role="status">
          {t('forgot.sent')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('forgot.otherwise')}
        </Text>
      </>
    )
  return (
    <Form form={form} submitText={t('forgot.send')} wide>
      <Text size="sm">{t('forgot.mailText')}</Text>
      <TextInput
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        autoFocus
        {...form.fields.getInputProps('email')}
      />
    </Form>
  )
}
