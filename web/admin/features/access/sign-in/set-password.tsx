import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { useOneTimeSecret } from '../../../data/one-time-secret.ts'
import { request } from '../../../data/request.ts'
import { NewPasswordFields, validateNewPassword } from '../components/new-password.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

/** The page that sets a user's password with the secret of a one-time link. */
export default function SetPasswordScreen() {
  const { t } = useTranslation()
  const secret = useOneTimeSecret()
  const [email, setEmail] = useState<string>()
  const form = useWriteForm({
    initialValues: { password: '', repeat: '' },
    validate: validateNewPassword,
    write: async ({ password }) => {
      setEmail((await request('POST /password/set/', { body: { secret, password } })).email)
    },
  })
  if (email !== undefined)
    return (
      <SignedOutPage title={t('setPassword.title')}>
        <Text size="sm" role="status">
          {t('setPassword.done')}
        </Text>
        <TextInput label={t('signIn.email')} value={email} readOnly />
        <Button component={PanelLink} to="/sign-in">
          {t('signIn.submit')}
        </Button>
      </SignedOutPage>
    )
  return (
    <SignedOutPage title={t('setPassword.title')}>
      <Form form={form} submitText={t('setPassword.submit')} wide>
        <NewPasswordFields fields={form.fields} autoFocus />
      </Form>
    </SignedOutPage>
  )
}
