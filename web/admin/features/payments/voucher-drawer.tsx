import { Anchor, Button, DataList, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats, useLocale, useSiteZone } from '../../data/dates/formats.ts'
import { formatNumericDate } from '../../data/dates/parse-date.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'

type Voucher = Item<'GET /payments/vouchers/one/'>

const changed = ['GET /payments/vouchers/', 'GET /payments/vouchers/one/', 'GET /history/'] as const

/** The drawer of one gift voucher: its balance, its validity and every change of the balance. */
export function VoucherDrawer({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { t } = useTranslation()
  const leads = useHasRole(leading)
  const [closing, setClosing] = useState(false)
  const { data, error, refetch } = useRead('GET /payments/vouchers/one/', { id })
  return (
    <Drawer
      opened
      onClose={close}
      title={data ? t('payments.vouchers.ends', { hint: data.hint }) : t('places.vouchers')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {data ? (
        <Stack>
          <Facts voucher={data} />
          {leads && <Validity voucher={data} />}
          {leads && data.balance > 0 && (
            <Button variant="default" size="xs" style={{ alignSelf: 'start' }} onClick={() => setClosing(true)}>
              {t('payments.vouchers.close')}
            </Button>
          )}
          <Entries entries={data.entries} />
          {closing && <Close voucher={data} close={() => setClosing(false)} />}
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Drawer>
  )
}

function Facts({ voucher: { balance, amount, currency, validUntil } }: { readonly voucher: Voucher }) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const locale = useLocale()
  const rows = [
    ['balance', money(balance, currency)],
    ['worth', money(amount, currency)],
    ['until', validUntil === null ? t('payments.vouchers.always') : formatNumericDate(validUntil, locale)],
  ] as const
  return (
    <DataList orientation="horizontal" labelWidth={140}>
      {rows.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{t(`payments.vouchers.${name}`)}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}

function Validity({ voucher: { id, validUntil } }: { readonly voucher: Voucher }) {
  const { t } = useTranslation()
  const zone = useSiteZone()
  const extend = useWrite('POST /payments/vouchers/extend/', changed)
  const form = useWriteForm<{ validUntil: string | null }>({
    initialValues: { validUntil },
    write: async (values) => {
      await extend.mutateAsync({ body: { id, validUntil: values.validUntil || null } })
      toast(t('common.saved'))
    },
  })
  return (
    <Form form={form} submitText={t('payments.vouchers.extend')}>
      <DateField
        label={t('payments.vouchers.until')}
        clearable
        zone={zone}
        {...form.fields.getInputProps('validUntil')}
      />
    </Form>
  )
}

function Entries({ entries }: Pick<Voucher, 'entries'>) {
  const { t } = useTranslation()
  const { money } = useFormats()
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('payments.vouchers.history')}
      </Title>
      {entries.length === 0 && <Text size="sm">{t('payments.vouchers.nothing')}</Text>}
      <Table verticalSpacing={4} aria-label={t('payments.vouchers.history')}>
        <Table.Tbody>
          {entries.map(({ at, kind, amount, currency, reservationId }, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended
            <Table.Tr key={position}>
              <Table.Td>
                <Timestamp at={at} />
              </Table.Td>
              <Table.Td>
                {reservationId === null ? (
                  t(`payments.desk.kinds.${kind}`)
                ) : (
                  <Anchor component={PanelLink} to={`/reservations?when=all&open=${reservationId}`} size="sm">
                    {t(`payments.desk.kinds.${kind}`)}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td ta="end">{money(amount, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

function Close({ voucher, close }: { readonly voucher: Voucher; readonly close: () => void }) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const { id, balance, currency } = voucher
  const write = useWrite('POST /payments/vouchers/close/', changed)
  const form = useWriteForm<Record<never, never>>({
    initialValues: {},
    write: async () => {
      await write.mutateAsync({ body: { id, balance } })
      toast(t('payments.vouchers.closed'))
      close()
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t('payments.vouchers.close')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={form} submitText={t('payments.vouchers.close')} beside={<CancelButton onClick={close} />}>
        <Group>
          <Text size="sm">{t('payments.vouchers.closeText', { amount: money(balance, currency) })}</Text>
        </Group>
      </Form>
    </Modal>
  )
}
