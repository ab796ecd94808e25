import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { addPasskey, supportsPasskeys } from '../../../data/passkeys.ts'
import { refetch, useRead, useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { useSession } from '../../../data/session.ts'
import { RecoveryCodesDialog } from '../components/recovery-codes.tsx'

type Passkey = Item<'GET /second-factor/passkeys/'>

/** Lists the user's passkeys, and adds and removes them. */
export function Passkeys() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /second-factor/passkeys/', {})
  const remove = useWrite('POST /second-factor/passkeys/remove/', ['GET /second-factor/passkeys/', 'GET /session/'])
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const [codes, setCodes] = useState<readonly string[]>([])
  return (
    <Section
      title={t('profile.passkeysTitle')}
      text={t('profile.passkeysText')}
      actions={
        supportsPasskeys() && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('profile.passkeyAdd')}
          </Button>
        )
      }
    >
      {error && !data ? <ErrorState error={error} retry={() => void refetch()} /> : !data && <LoadingState lines={1} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(supportsPasskeys() ? 'profile.passkeysNone' : 'signIn.noPasskeys')}
        </Text>
      )}
      {data?.items.map((passkey) => (
        <PasskeyLine key={passkey.id} passkey={passkey} remove={() => setRemoving(passkey)} />
      ))}
      {adding && <AddPasskey close={() => setAdding(false)} done={setCodes} />}
      <ConfirmDialog
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={t('profile.passkeyRemove', { name: removing?.name })}
        text={t('profile.passkeyRemoveText', { name: removing?.name })}
        action={t('common.remove')}
        danger
        confirm={async () => {
          if (!removing) return
          await remove.mutateAsync({ body: { id: removing.id } })
          toast(t('profile.passkeyRemoved'))
        }}
      />
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} close={() => setCodes([])} />}
    </Section>
  )
}

interface PasskeyLineProps {
  readonly passkey: Passkey
  readonly remove: () => void
}

function PasskeyLine({ passkey: { name, createdAt, lastUsedAt }, remove }: PasskeyLineProps) {
  const { t } = useTranslation()
  const { ago } = useFormats()
  const now = useSession()?.now ?? createdAt
  const facts = [
    t('profile.added', { when: ago(createdAt, now) }),
    ...(lastUsedAt === null ? [] : [t('profile.lastUsed', { when: ago(lastUsedAt, now) })]),
  ]
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {facts.join(', ')}
        </Text>
      </div>
      <Tooltip label={t('profile.passkeyRemove', { name })}>
        <ActionIcon aria-label={t('profile.passkeyRemove', { name })} onClick={remove}>
          <IconTrash size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

interface AddPasskeyProps {
  readonly close: () => void
  readonly done: (recoveryCodes: readonly string[]) => void
}

function AddPasskey({ close, done }: AddPasskeyProps) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const form = useWriteForm({
    initialValues: { name: '' },
    write: async ({ name }) => {
      setFailed(false)
      const recoveryCodes = await addPasskey(name)
      if (!recoveryCodes) return setFailed(true)
      await refetch(['GET /second-factor/passkeys/', 'GET /session/'])
      done(recoveryCodes)
      close()
      toast(t('profile.passkeyAdded'))
    },
  })
  return (
    <Modal opened onClose={close} title={t('profile.passkeyAdd')}>
      <Form form={form} submitText={t('common.next')} beside={<CancelButton onClick={close} />}>
        <TextInput
          label={t('profile.passkeyName')}
          description={t('profile.passkeyNameHint')}
          data-autofocus
          autoComplete="off"
          {...form.fields.getInputProps('name')}
          {...(failed && { error: t('profile.passkeyFailed') })}
        />
      </Form>
    </Modal>
  )
}
