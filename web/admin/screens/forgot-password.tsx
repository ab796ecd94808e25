import { Anchor, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../components/panel-link.tsx'
import { Form, useWriteForm } from '../components/write-form.tsx'
import { ask } from '../data/ask.ts'
import { Entrance } from './entrance.tsx'

/** Asks for a link to set a new password; says the same whether the address is known or not. */
export default function ForgotPassword() {
  const { t } = useTranslation()
  const [by, setBy] = useState<'mail' | 'operator'>()
  const form = useWriteForm({
    initialValues: { email: '' },
    write: async (body) => setBy((await ask('POST /password/ask-reset/', { body })).by),
  })
  return (
    <Entrance title={t('forgot.title')} text={by ? undefined : t('forgot.text')}>
      {by ? (
        <Text size="sm" role="status">
          {t(by === 'mail' ? 'forgot.byMail' : 'forgot.byOperator')}
        </Text>
      ) : (
        <Form form={form} submitText={t('forgot.submit')} wide>
          <TextInput
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.fields.getInputProps('email')}
          />
        </Form>
      )}
      <Anchor component={PanelLink} to="/sign-in" size="sm" ta="center">
        {t('forgot.toSignIn')}
      </Anchor>
    </Entrance>
  )
}
