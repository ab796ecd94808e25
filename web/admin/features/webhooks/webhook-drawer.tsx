import { Button, DataList, Group, Stack, Text } from '@mantine/core'
import { IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useZone } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import { Secret } from '../access/components/secret.tsx'
import { EditWebhook } from './webhook-form.tsx'
import { type Webhook, WebhookState } from './webhook-state.tsx'

interface DrawerProps {
  readonly webhook: Webhook
  readonly close: () => void
}

const changed = ['GET /webhooks/', 'GET /webhooks/deliveries/'] as const

/** The drawer of one webhook with its state, settings and actions. */
export function WebhookDrawer({ webhook, close }: DrawerProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const done = (): void => {
    toast(t('webhooks.saved'))
    setEditing(false)
  }
  return (
    <Drawer opened onClose={close} title={webhook.description || webhook.url} size="lg">
      {editing ? (
        <EditWebhook webhook={webhook} close={() => setEditing(false)} saved={done} />
      ) : (
        <Stack gap="lg">
          <Facts webhook={webhook} />
          <Actions webhook={webhook} edit={() => setEditing(true)} close={close} />
          {webhook.enabled && <Replay id={webhook.id} />}
        </Stack>
      )}
    </Drawer>
  )
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation()
  const { url, events, headerNames, failingSince, lastSuccessAt, previousSecretUntil, disabledBecause } = webhook
  return (
    <DataList orientation="vertical">
      <Fact label={t('webhooks.state')}>
        <WebhookState webhook={webhook} />
        {disabledBecause === 'gone' && <Text size="sm">{t('webhooks.gone')}</Text>}
        {disabledBecause === 'failing' && <Text size="sm">{t('webhooks.failingFor')}</Text>}
      </Fact>
      <Fact label={t('webhooks.address')}>{url}</Fact>
      <Fact label={t('webhooks.events')}>{events.join(', ')}</Fact>
      {headerNames.length > 0 && <Fact label={t('webhooks.headers')}>{headerNames.join(', ')}</Fact>}
      <Fact label={t('webhooks.lastSuccess')}>
        {lastSuccessAt === null ? t('common.never') : <Timestamp at={lastSuccessAt} />}
      </Fact>
      {failingSince !== null && (
        <Fact label={t('webhooks.failingSince')}>
          <Timestamp at={failingSince} />
        </Fact>
      )}
      {previousSecretUntil !== null && (
        <Fact label={t('webhooks.previousUntil')}>
          <Timestamp at={previousSecretUntil} />
        </Fact>
      )}
    </DataList>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
    </DataList.Item>
  )
}

interface ActionsProps extends DrawerProps {
  readonly edit: () => void
}

function Actions({ webhook: { id, enabled }, edit, close }: ActionsProps) {
  const { t } = useTranslation()
  const change = useWrite('POST /webhooks/edit/', changed)
  const remove = useWrite('POST /webhooks/remove/', changed)
  const test = useWrite('POST /webhooks/test/', changed)
  const rotate = useWrite('POST /webhooks/rotate/', changed)
  const [asking, setAsking] = useState<'disable' | 'remove' | 'rotate'>()
  const leave = (): void => setAsking(undefined)
  return (
    <Group gap="xs">
      <ErrorAlert error={test.error ?? change.error} />
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={edit}>
        {t('common.edit')}
      </Button>
      {enabled && (
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate({ body: { id } }, { onSuccess: () => toast(t('webhooks.testSent')) })}
        >
          {t('webhooks.test')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconKey size={16} />} onClick={() => setAsking('rotate')}>
        {t('webhooks.rotate')}
      </Button>
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => (enabled ? setAsking('disable') : change.mutate({ body: { id, enabled: true } }))}
      >
        {t(enabled ? 'webhooks.disable' : 'webhooks.enable')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking('remove')}>
        {t('common.remove')}
      </Button>
      <ConfirmDialog
        opened={asking === 'disable'}
        close={leave}
        title={t('webhooks.disableTitle')}
        text={t('webhooks.disableText')}
        action={t('webhooks.disable')}
        danger
        confirm={() => change.mutateAsync({ body: { id, enabled: false } })}
      />
      <ConfirmDialog
        opened={asking === 'remove'}
        close={leave}
        title={t('webhooks.removeTitle')}
        text={t('webhooks.removeText')}
        action={t('common.remove')}
        danger
        confirm={async () => {
          await remove.mutateAsync({ body: { id } })
          toast(t('webhooks.removed'))
          close()
        }}
      />
      <ConfirmDialog
        opened={asking === 'rotate'}
        close={leave}
        title={t('webhooks.rotateTitle')}
        text={t('webhooks.rotateText')}
        action={t('webhooks.rotate')}
        confirm={() => rotate.mutateAsync({ body: { id } })}
      />
      <Modal
        opened={rotate.data !== undefined}
        onClose={() => rotate.reset()}
        title={t('webhooks.secretTitle')}
        showsOnce
      >
        <Stack>
          <Secret label={t('webhooks.secret')} text={t('webhooks.secretText')}>
            {rotate.data?.secret ?? ''}
          </Secret>
          <Button onClick={() => rotate.reset()}>{t('common.close')}</Button>
        </Stack>
      </Modal>
    </Group>
  )
}

/**
 * Resends events to a webhook: all logged events since the start of a chosen date, in the panel's time zone, to which
 * the webhook subscribes.
 */
function Replay({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const replay = useWrite('POST /webhooks/replay/', changed)
  const [date, setDate] = useState<string | null>(null)
  const clock = clockOf(useZone())
  return (
    <Section title={t('webhooks.replay')} text={t('webhooks.replayText')}>
      <ErrorAlert error={replay.error} />
      <Group align="flex-end">
        <DateField label={t('webhooks.replay')} value={date} onChange={setDate} missingYear="nearest" />
        <Button
          variant="default"
          disabled={date === null}
          loading={replay.isPending}
          onClick={() =>
            replay.mutate(
              { body: { id, since: clock.at(date ?? '', 0) } },
              { onSuccess: () => toast(t('webhooks.replayBegun')) },
            )
          }
        >
          {t('webhooks.replayDo')}
        </Button>
      </Group>
    </Section>
  )
}
