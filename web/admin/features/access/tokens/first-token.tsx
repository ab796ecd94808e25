import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { useSession } from '../../../data/session.ts'
import { Secret } from '../components/secret.tsx'

const days = 14

/** Creates an API token with the scope `write`, and shows its secret once with a ready-made first request. */
export function FirstToken() {
  const { t } = useTranslation()
  const now = useSession()?.now ?? 0
  const tokens = useRead('GET /tokens/', { per_page: 100 })
  const add = useWrite('POST /tokens/add/', ['GET /tokens/'])
  const [secret, setSecret] = useState('')
  const form = useWriteForm({
    initialValues: { name: t('firstRun.tokenDefault') },
    write: async ({ name }) => setSecret((await add.mutateAsync({ body: { name, scope: 'write' } })).secret),
  })
  if (secret !== '')
    return (
      <Stack gap="sm">
        <Secret label={t('tokens.secret')} text={t('firstRun.secretText')}>
          {secret}
        </Secret>
        <Secret label={t('firstRun.curl')}>{firstRequest(secret, now)}</Secret>
        <Text size="sm" c="dimmed">
          {t('firstRun.curlText')}{' '}
          <Anchor href="/api/docs/" underline="always">
            {t('firstRun.docs')}
          </Anchor>
        </Text>
        <Group justify="flex-end">
          <Button component={PanelLink} to="/start">
            {t('firstRun.finish')}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <>
      {tokens.data?.items.some(({ state }) => state === 'active') && <Text size="sm">{t('firstRun.hasToken')}</Text>}
      <Form form={form} submitText={t('firstRun.make')}>
        <TextInput
          label={t('firstRun.tokenName')}
          autoComplete="off"
          autoFocus
          {...form.fields.getInputProps('name')}
        />
      </Form>
    </>
  )
}

/** Returns a curl command that lists the available slots of the next 14 days. */
function firstRequest(secret: string, now: number): string {
  const query = `min_timestamp=${now}&max_timestamp=${now + days * 86_400}`
  return `curl -s -w "\\n" -H "Authorization: Bearer ${secret}" "${location.origin}/api/v1/availability/get/?${query}"`
}
