import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { useWrite } from '../../../data/queries.ts'
import { useUser } from '../../../data/session.ts'
import { NewPasswordFields, validateNewPassword } from '../components/new-password.tsx'

/** Changes the user's password; the service then ends the user's other sessions. */
export function ChangePassword() {
  const { t } = useTranslation()
  const { name, email } = useUser()
  const change = useWrite('POST /password/change/', ['GET /sessions/'])
  const form = useWriteForm({
    initialValues: { password: '', repeat: '' },
    validate: validateNewPassword,
    write: async ({ password }) => {
      await change.mutateAsync({ body: { password } })
      form.fields.reset()
      toast(t('profile.passwordChanged'))
    },
  })
  return (
    <Section title={t('profile.passwordTitle')} text={t('profile.passwordText')}>
      <Form form={form} submitText={t('profile.changePassword')}>
        {/* The hidden e-mail address tells password managers to which account the new password belongs. */}
        <VisuallyHidden>
          <input
            type="text"
            readOnly
            autoComplete="username"
            value={email}
            tabIndex={-1}
            aria-label={t('signIn.email')}
          />
        </VisuallyHidden>
        <NewPasswordFields fields={form.fields} words={[name, email]} />
      </Form>
    </Section>
  )
}
