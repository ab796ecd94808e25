import { Alert, Badge, Button, Code, CopyButton, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconCopy, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { Coupons } from './coupons.tsx'
import { ReceiptSettings } from './receipt-settings.tsx'
import { Reconciliation } from './reconciliation.tsx'

type Settings = Item<'GET /payments/settings/'>

const changed = ['GET /payments/settings/'] as const
const checkMilliseconds = 2_000
// The payment processor (Stripe) reports payments by events. Events are considered missing if the last payment is more
// than this many seconds after the last event.
const eventSeconds = 600

/**
 * Returns the polling interval in milliseconds while the service checks whether the API keys of the payment processor
 * work; false otherwise.
 */
function waitForCheck(settings: Settings | undefined): number | false {
  return settings?.connected && settings.checkedAt === null ? checkMilliseconds : false
}

/**
 * The payment settings: the keys of the payment processor (Stripe), whether they work and whether its events arrive;
 * the comparison of the ledger with the processor, coupons and receipts.
 */
export default function PaymentSettings() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /payments/settings/', {}, { refetchAfter: waitForCheck })
  const isAdmin = useUser().role === 'admin'
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingState />
  return (
    <Screen title={t('places.payments')} text={t('payments.text')}>
      <Stack maw={720}>
        <Section title={t('payments.processor')} actions={<Mode settings={data} />}>
          <Stack gap="sm">
            <State settings={data} />
            {isAdmin && <Keys settings={data} />}
            {isAdmin && data.connected && <Actions />}
          </Stack>
        </Section>
        {data.connected && <Events settings={data} />}
        {data.connected && <Reconciliation />}
        <Coupons />
        <ReceiptSettings />
      </Stack>
    </Screen>
  )
}

interface SettingsProps {
  readonly settings: Settings
}

function Mode({ settings: { connected, live } }: SettingsProps) {
  const { t } = useTranslation()
  if (!connected) return null
  return <Badge color={live ? 'teal' : 'gray'}>{t(live ? 'payments.live' : 'payments.test')}</Badge>
}

function State({ settings: { connected, account, fault, checkedAt, live } }: SettingsProps) {
  const { t } = useTranslation()
  const known = ['unauthorized', 'unavailable', 'refused', 'no_key'] as const
  if (!connected) return <Text size="sm">{t('payments.none')}</Text>
  if (fault !== '')
    return (
      <Alert color="red" icon={<IconInfoCircle />}>
        {t(`payments.faults.${known.find((one) => one === fault) ?? 'other'}`)}
      </Alert>
    )
  return (
    <Text size="sm" role="status">
      {checkedAt === null ? t('payments.checking') : t('payments.account', { name: account })}{' '}
      {!live && t('payments.testText')}
    </Text>
  )
}

function Keys({ settings: { connected, hasWebhookSecret } }: SettingsProps) {
  const { t } = useTranslation()
  const connect = useWrite('POST /payments/connect/', changed)
  const form = useWriteForm<{ readonly secretKey: string; readonly webhookSecret: string }>({
    initialValues: { secretKey: '', webhookSecret: '' },
    write: async ({ secretKey, webhookSecret }) => {
      await connect.mutateAsync({
        body: { ...(secretKey !== '' && { secretKey }), ...(webhookSecret !== '' && { webhookSecret }) },
      })
      form.fields.reset()
      toast(t('payments.saved'))
    },
  })
  const { fields } = form
  return (
    <Form form={form} submitText={t(connected ? 'payments.replace' : 'payments.connect')}>
      <PasswordInput
        label={t('payments.secretKey')}
        description={[
          t('payments.secretKeyHelp'),
          ...(connected ? [t('payments.kept'), t('payments.sameAccount')] : []),
        ].join(' ')}
        autoComplete="off"
        required={!connected}
        {...fields.getInputProps('secretKey')}
      />
      <PasswordInput
        label={t('payments.webhookSecret')}
        description={`${t('payments.webhookSecretHelp')}${hasWebhookSecret ? ` ${t('payments.kept')}` : ''}`}
        autoComplete="off"
        {...fields.getInputProps('webhookSecret')}
      />
    </Form>
  )
}

function Actions() {
  const { t } = useTranslation()
  const check = useWrite('POST /payments/test/', changed)
  const disconnect = useWrite('POST /payments/disconnect/', changed)
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Group gap="xs">
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate({ body: {} })}>
          {t('payments.check')}
        </Button>
        <Button variant="default" onClick={() => setAsked(true)}>
          {t('payments.disconnect')}
        </Button>
      </Group>
      <ErrorAlert error={check.error} />
      <ConfirmDialog
        opened={asked}
        close={() => setAsked(false)}
        title={t('payments.disconnect')}
        text={t('payments.disconnectText')}
        action={t('payments.disconnect')}
        danger
        confirm={() => disconnect.mutateAsync({ body: {} })}
      />
    </>
  )
}

function Events({ settings: { webhookUrl, lastEventAt, lastPaidAt } }: SettingsProps) {
  const { t } = useTranslation()
  const { longDate } = useFormats()
  const silent = lastPaidAt !== null && lastPaidAt - (lastEventAt ?? 0) > eventSeconds
  return (
    <Section title={t('payments.webhook')} text={t('payments.webhookText')}>
      <Group gap="xs">
        <Code className="breakable">{webhookUrl}</Code>
        <CopyButton value={webhookUrl}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" leftSection={<IconCopy size={16} />} onClick={copy}>
              {copied ? t('common.copied') : t('common.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm">
        {lastEventAt === null ? t('payments.noEvent') : t('payments.lastEvent', { date: longDate(lastEventAt) })}
      </Text>
      {silent && (
        <Alert color="yellow" icon={<IconInfoCircle />}>
          {t('payments.missing')}
        </Alert>
      )}
    </Section>
  )
}
