import { ActionIcon, Badge, Button, NumberInput, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconBan, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../../components/data-table.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { WithHelp } from '../../../components/help.tsx'
import { Screen } from '../../../components/screen.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { clockOf } from '../../../data/dates/clock.ts'
import { addDays } from '../../../data/dates/dates.ts'
import { useZone } from '../../../data/dates/formats.ts'
import { useToday } from '../../../data/dates/now.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../../data/query-parameters.ts'
import type { Item } from '../../../data/request.ts'
import { Secret } from '../components/secret.tsx'

type Token = Item<'GET /tokens/'>

/** Lists the API tokens with scope, state, creation date, expiry and last use; creates and revokes them. */
export function Tokens() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const read = useRead('GET /tokens/', { page: pageOf(parameters), per_page: pageSize })
  const revoke = useWrite('POST /tokens/revoke/', ['GET /tokens/'])
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<Token>()
  useCommands([{ id: 'tokens.add', label: t('tokens.add'), icon: <IconPlus size={18} />, run: () => setAdding(true) }])
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('tokens.add')}
    </Button>
  )
  const columns: Column<Token>[] = [
    { title: t('tokens.name'), cell: ({ name }) => name },
    { title: t('tokens.scope'), cell: ({ scope }) => t(`tokens.${scope}`) },
    { title: t('tokens.state'), cell: ({ state }) => <Badge color={colors[state]}>{t(`tokens.${state}`)}</Badge> },
    { title: t('tokens.created'), cell: ({ createdAt }) => <Timestamp at={createdAt} as="ago" /> },
    {
      title: t('tokens.expires'),
      cell: ({ expiresAt }) => (expiresAt ? <Timestamp at={expiresAt} /> : t('common.never')),
    },
    { title: t('tokens.lastUsed'), cell: (token) => <LastUse token={token} /> },
  ]
  return (
    <Screen title={t('tokens.title')} text={t('tokens.text')} actions={add}>
      <DataTable
        label={t('tokens.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        empty={{ text: t('tokens.empty'), action: add }}
        rowActions={(token) =>
          token.state === 'active' && (
            <Tooltip label={t('tokens.revoke', { name: token.name })}>
              <ActionIcon aria-label={t('tokens.revoke', { name: token.name })} onClick={() => setRevoking(token)}>
                <IconBan size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      {adding && <AddToken close={() => setAdding(false)} />}
      <ConfirmDialog
        opened={revoking !== undefined}
        close={() => setRevoking(undefined)}
        title={t('tokens.revokeTitle', { name: revoking?.name })}
        text={t('tokens.revokeText')}
        action={t('tokens.revokeDo')}
        danger
        confirm={async () => {
          if (!revoking) return
          await revoke.mutateAsync({ body: { id: revoking.id } })
          toast(t('tokens.revokedDone', { name: revoking.name }))
        }}
      />
    </Screen>
  )
}

const colors = { active: 'teal', expired: 'gray', revoked: 'red' } as const

function LastUse({ token: { lastUsedAt, lastUsedAddress } }: { readonly token: Token }) {
  const { t } = useTranslation()
  if (lastUsedAt === null)
    return (
      <Text size="sm" c="dimmed">
        {t('tokens.neverUsed')}
      </Text>
    )
  return (
    <>
      <Timestamp at={lastUsedAt} as="ago" />
      {lastUsedAddress && (
        <Text size="xs" c="dimmed">
          {t('tokens.fromAddress', { address: lastUsedAddress })}
        </Text>
      )}
    </>
  )
}

function AddToken({ close }: { readonly close: () => void }) {
  const { t } = useTranslation()
  const add = useWrite('POST /tokens/add/', ['GET /tokens/'])
  const [secret, setSecret] = useState<string>()
  const initialValues: FormValues = { name: '', scope: 'read', expiresAt: null, rateLimit: '' }
  const clock = clockOf(useZone())
  const today = useToday(clock.zone)
  const form = useWriteForm<FormValues>({
    initialValues,
    write: async ({ name, scope, expiresAt, rateLimit }) => {
      const limit = rateLimit === '' ? null : Number(rateLimit)
      // The token is valid until the end of the chosen day in the time zone that the panel displays.
      const end = expiresAt === null ? null : clock.at(addDays(expiresAt, 1), 0)
      setSecret((await add.mutateAsync({ body: { name, scope, expiresAt: end, rateLimit: limit } })).secret)
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t(secret ? 'tokens.secretTitle' : 'tokens.addTitle')}
      showsOnce={secret !== undefined}
    >
      {secret ? (
        <Stack>
          <Secret label={t('tokens.secret')} text={t('tokens.secretText')}>
            {secret}
          </Secret>
          <Button onClick={close}>{t('common.close')}</Button>
        </Stack>
      ) : (
        <Form form={form} submitText={t('tokens.add')} beside={<CancelButton onClick={close} />}>
          <TextInput
            label={t('tokens.name')}
            description={t('tokens.nameHint')}
            data-autofocus
            autoComplete="off"
            {...form.fields.getInputProps('name')}
          />
          <WithHelp label={t('tokens.scope')} help={t('tokens.scopeHelp')}>
            <Select
              label={t('tokens.scope')}
              data={[
                { value: 'read', label: t('tokens.read') },
                { value: 'write', label: t('tokens.write') },
              ]}
              allowDeselect={false}
              {...form.fields.getInputProps('scope')}
            />
          </WithHelp>
          <WithHelp label={t('tokens.expires')} help={t('tokens.expiresHelp')}>
            <DateField
              label={t('tokens.expires')}
              clearable
              min={today}
              placeholder={t('common.never')}
              {...form.fields.getInputProps('expiresAt')}
            />
          </WithHelp>
          <WithHelp label={t('tokens.rateLimit')} help={t('tokens.rateLimitHelp')}>
            <NumberInput
              label={t('tokens.rateLimit')}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              {...form.fields.getInputProps('rateLimit')}
            />
          </WithHelp>
        </Form>
      )}
    </Modal>
  )
}

interface FormValues {
  readonly name: string
  readonly scope: 'read' | 'write'
  /** The last date on which the token is valid, such as 2026-12-31; null when the token never expires. */
  readonly expiresAt: string | null
  readonly rateLimit: number | string
}
