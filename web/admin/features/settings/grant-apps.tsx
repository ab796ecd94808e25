import { Button, List, PasswordInput, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { grantKinds } from '../../../../src/calendars/oauth/oauth.ts'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { CopyValueButton } from '../access/components/secret.tsx'

type App = Item<'GET /calendar-apps/'>[number]

/**
 * Edits the OAuth client credentials with which this site identifies itself to calendar systems at which users sign
 * in.
 */
export function GrantApps() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /calendar-apps/', {})
  return grantKinds.map((kind) => {
    const app = data?.find((one) => one.kind === kind)
    return (
      <Section key={kind} anchor={kind} title={t(`grants.systems.${kind}`)} text={t('grants.settingsText')}>
        {app ? (
          <AppForm key={app.clientId} app={app} />
        ) : error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <LoadingState lines={8} />
        )}
      </Section>
    )
  })
}

function AppForm({ app: { kind, isSet, clientId, redirectUri } }: { readonly app: App }) {
  const { t } = useTranslation()
  const set = useWrite('POST /calendar-apps/set/', ['GET /calendar-apps/', 'GET /history/'])
  const form = useWriteForm({
    initialValues: { clientId, clientSecret: '' },
    validate: (entered) => ({
      ...(entered.clientId.trim() === '' && { clientId: t('grants.clientIdMissing') }),
      ...(!isSet && entered.clientSecret.trim() === '' && { clientSecret: t('grants.clientSecretMissing') }),
    }),
    write: async (entered) => {
      const clientSecret = entered.clientSecret.trim()
      const secret = clientSecret === '' ? {} : { clientSecret }
      await set.mutateAsync({ body: { kind, clientId: entered.clientId.trim(), ...secret } })
      toast(t('common.saved'))
    },
  })
  const remove = (): void =>
    void set
      .mutateAsync({ body: { kind, clientId: '' } })
      .then(() => toast(t('grants.removed', { system: t(`grants.systems.${kind}`) })), toastError)
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
        <List.Item>{t(`grants.steps.${kind}.register`)}</List.Item>
        <List.Item>{t(`grants.steps.${kind}.allow`)}</List.Item>
        <List.Item>{t(`grants.steps.${kind}.enter`)}</List.Item>
      </List>
      <TextInput
        label={t('grants.redirectUri')}
        value={redirectUri}
        readOnly
        variant="filled"
        rightSection={<CopyValueButton text={redirectUri} />}
        rightSectionWidth={40}
      />
      <TextInput label={t('grants.clientId')} autoComplete="off" {...form.fields.getInputProps('clientId')} />
      <PasswordInput
        label={t('grants.clientSecret')}
        {...(isSet && { description: t('grants.secretKept') })}
        autoComplete="off"
        {...form.fields.getInputProps('clientSecret')}
      />
      <Text size="xs" c="dimmed">
        {t('grants.scopes')}
      </Text>
    </Form>
  )
}
