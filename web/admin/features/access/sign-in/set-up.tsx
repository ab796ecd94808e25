import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { PanelLink, Redirect } from '../../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useOneTimeSecret } from '../../../data/one-time-secret.ts'
import { request } from '../../../data/request.ts'
import { beginSession, useSessionRead } from '../../../data/session.ts'
import { NewPasswordFields, validateNewPassword } from '../components/new-password.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

/** The page that creates the first administrator from the set-up link, and signs them in. */
export default function SetUp() {
  const { t } = useTranslation()
  const { data: session, error, refetch } = useSessionRead()
  if (error && !session) return <ErrorState error={error} retry={() => void refetch()} />
  if (!session) return <LoadingState />
  if (session.user) return <Redirect href={session.user.role === 'admin' ? '/first-run' : '/'} />
  if (!session.setUpNeeded)
    return (
      <SignedOutPage title={t('setUp.closedTitle')} text={t('setUp.closedText')}>
        <Button component={PanelLink} to="/sign-in">
          {t('signIn.submit')}
        </Button>
      </SignedOutPage>
    )
  return (
    <SignedOutPage title={t('setUp.title')} text={t('setUp.text')}>
      <Administrator />
    </SignedOutPage>
  )
}

function Administrator() {
  const { t } = useTranslation()
  const secret = useOneTimeSecret()
  const form = useWriteForm({
    initialValues: { name: '', email: '', password: '', repeat: '' },
    validate: validateNewPassword,
    write: async ({ name, email, password }) => {
      await request('POST /set-up/', { body: { secret, name, email, password } })
      await beginSession()
    },
  })
  return (
    <Form form={form} submitText={t('setUp.submit')} wide>
      <TextInput label={t('setUp.name')} autoComplete="name" autoFocus {...form.fields.getInputProps('name')} />
      <TextInput
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        {...form.fields.getInputProps('email')}
      />
      <NewPasswordFields fields={form.fields} words={[form.fields.values.name, form.fields.values.email]} />
    </Form>
  )
}
