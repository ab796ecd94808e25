import { Button, List, PasswordInput, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast, toastTrouble } from '../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { Copy } from '../access/components/secret.tsx'

type App = Item<'GET /calendar-apps/'>[number]

/** The credentials with which this site identifies itself to Google Calendar. */
export function GoogleApp() {
  const { t } = useTranslation()
  const { data } = useRead('GET /calendar-apps/', {})
  const app = data?.find(({ kind }) => kind === 'google')
  return (
    <Section anchor="google" title={t('google.title')} text={t('google.settingsText')}>
      {app && <AppForm key={app.clientId} app={app} />}
    </Section>
  )
}

function AppForm({ app: { isSet, clientId, redirectUri } }: { readonly app: App }) {
  const { t } = useTranslation()
  const set = useWrite('POST /calendar-apps/set/', ['GET /calendar-apps/', 'GET /history/'])
  const form = useWriteForm({
    initialValues: { clientId, clientSecret: '' },
    validate: (entered) => ({
      ...(entered.clientId.trim() === '' && { clientId: t('google.clientIdMissing') }),
      ...(!isSet && entered.clientSecret.trim() === '' && { clientSecret: t('google.clientSecretMissing') }),
    }),
    write: async (entered) => {
      const clientSecret = entered.clientSecret.trim()
      const secret = clientSecret === '' ? {} : { clientSecret }
      await set.mutateAsync({ body: { kind: 'google', clientId: entered.clientId.trim(), ...secret } })
      toast(t('common.saved'))
    },
  })
  const remove = (): void =>
    void set
      .mutateAsync({ body: { kind: 'google', clientId: '' } })
      .then(() => toast(t('google.removed')), toastTrouble)
  return (
    <Form
      form={form}
      submitText={t('common.save')}
      beside={
        isSet && (
          <Button variant="subtle" color="red" onClick={remove}>
            {t('common.remove')}
          </Button>
        )
      }
    >
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>{t('google.steps.project')}</List.Item>
        <List.Item>{t('google.steps.client')}</List.Item>
        <List.Item>{t('google.steps.enter')}</List.Item>
      </List>
      <TextInput
        label={t('google.redirectUri')}
        value={redirectUri}
        readOnly
        variant="filled"
        rightSection={<Copy text={redirectUri} />}
        rightSectionWidth={40}
      />
      <TextInput label={t('google.clientId')} autoComplete="off" {...form.fields.getInputProps('clientId')} />
      <PasswordInput
        label={t('google.clientSecret')}
        {...(isSet && { description: t('google.secretKept') })}
        autoComplete="off"
        {...form.fields.getInputProps('clientSecret')}
      />
      <Text size="xs" c="dimmed">
        {t('google.scopes')}
      </Text>
    </Form>
  )
}
