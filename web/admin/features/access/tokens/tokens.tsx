import { ActionIcon, Badge, Button, Modal, NumberInput, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconBan, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../../app/shell/commands.tsx'
import { type Column, DataTable, pageSize } from '../../../components/data-table.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { WithHelp } from '../../../components/help.tsx'
import { Screen } from '../../../components/screen.tsx'
import { When } from '../../../components/when.tsx'
import { pageOf, useAddress } from '../../../data/address.ts'
import { clockOf } from '../../../data/dates/clock.ts'
import { deviceZone } from '../../../data/dates/formats.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { Secret } from '../components/secret.tsx'

type Token = Item<'GET /tokens/'>

/** The API tokens with scope, creation date and last use. */
export function Tokens() {
  const { t } = useTranslation()
  const [address] = useAddress()
  const read = useRead('GET /tokens/', { page: pageOf(address), per_page: pageSize })
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
    { title: t('tokens.created'), cell: ({ createdAt }) => <When at={createdAt} as="ago" /> },
    { title: t('tokens.expires'), cell: ({ expiresAt }) => (expiresAt ? <When at={expiresAt} /> : t('common.never')) },
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
      <When at={lastUsedAt} as="ago" />
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
  const initialValues: Entered = { name: '', scope: 'read', expiresAt: null, rateLimit: '' }
  const today = clockOf(deviceZone).dateOf(Date.now() / 1000)
  const form = useWriteForm<Entered>({
    initialValues,
    write: async ({ name, scope, expiresAt, rateLimit }) => {
      const limit = rateLimit === '' ? null : Number(rateLimit)
      const body = { name, scope, expiresAt: expiresAt === null ? null : endOfDay(expiresAt), rateLimit: limit }
      setSecret((await add.mutateAsync({ body })).secret)
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t(secret ? 'tokens.secretTitle' : 'tokens.addTitle')}
      closeOnClickOutside={!secret}
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

interface Entered {
  readonly name: string
  readonly scope: 'read' | 'write'
  /** A date such as 2026-12-31. */
  readonly expiresAt: string | null
  readonly rateLimit: number | string
}

// The token expires at the end of the day in the user's zone, which the list names.
function endOfDay(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return Math.floor(new Date(year, month - 1, day + 1).getTime() / 1000)
}
