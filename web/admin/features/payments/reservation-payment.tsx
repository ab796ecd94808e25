import {
  Alert,
  Badge,
  Button,
  DataList,
  Group,
  NumberInput,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { minorDigits } from '../../../../src/money.ts'
import type { Till } from '../../../../src/payments/desk/desk-payments.ts'
import { isUndecided } from '../../../../src/payments/disputes/dispute.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ReceiptLink } from '../../components/records/receipt-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { toMajorUnits, toMinorUnits } from '../../data/dates/money.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { useWriteOnce } from '../../data/write-once.ts'
import { ApplyCoupon } from './apply-coupon.tsx'
import { useDisputeText } from './dispute-text.ts'
import { NoShowFee } from './no-show-fee.tsx'
import { RedeemVoucher } from './redeem-voucher.tsx'

type PaymentData = Item<'GET /payments/reservation/'>

const changed = ['GET /payments/reservation/', 'GET /reservations/one/', 'GET /history/'] as const
// The payment is polled: background jobs make refunds, and changes that the event stream (`useLive`) reports do not
// refetch this route.
const pollMilliseconds = 5_000

/**
 * The section of a reservation with the amounts due and paid, the postings (entries of the ledger), and the actions of
 * staff; renders nothing without a payment.
 */
export default function ReservationPayment({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const heading = useId()
  const leads = useHasRole(leading)
  const [dialog, setDialog] = useState<'take' | 'refund' | 'write_off' | 'coupon' | 'voucher'>()
  const query = { id }
  const { data, error, refetch } = useRead('GET /payments/reservation/', query, {
    refetchAfter: () => pollMilliseconds,
  })
  const close = () => setDialog(undefined)
  if (data && !data.payment) return null
  // While a no-show fee is being charged to the card, the service refuses every other way to pay it.
  const payable = data?.payment?.noShowFee?.state === 'charging' ? 0 : (data?.due ?? 0)
  const mayTake = payable > 0 && !data?.waits
  return (
    <Stack gap="xs" component="section" aria-labelledby={heading}>
      <Group justify="space-between">
        <Title order={3} size="h5" id={heading}>
          {t('payments.desk.title')}
        </Title>
        {data && <StateBadge paid={data} />}
      </Group>
      {data?.payment ? (
        <>
          <Disputes disputes={data.disputes} />
          <PaymentTotals paid={data} />
          <NoShowFee id={id} paid={data} changed={changed} />
          <Entries entries={data.entries} />
          <Receipts receipts={data.receipts} />
          <Group gap="xs">
            {mayTake && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('take')}>
                {t('payments.desk.take')}
              </Button>
            )}
            {payable > 0 && data.payment.paid === 0 && !data.payment.coupon && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('coupon')}>
                {t('payments.coupons.apply')}
              </Button>
            )}
            {mayTake && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('voucher')}>
                {t('payments.vouchers.redeem')}
              </Button>
            )}
            {leads && mayTake && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('write_off')}>
                {t('payments.desk.writeOff')}
              </Button>
            )}
            {leads && data.voucher + data.processor + data.onSite > 0 && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog('refund')}>
                {t('payments.desk.refund')}
              </Button>
            )}
          </Group>
          {dialog === 'take' && <TakePayment id={id} paid={data} close={close} />}
          {dialog === 'coupon' && <ApplyCoupon id={id} changed={changed} close={close} />}
          {dialog === 'voucher' && (
            <RedeemVoucher id={id} due={data.due} currency={data.payment.currency} changed={changed} close={close} />
          )}
          {dialog === 'write_off' && <WriteOff id={id} paid={data} close={close} />}
          {dialog === 'refund' && <Refund id={id} paid={data} close={close} />}
        </>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState lines={2} />
      )}
    </Stack>
  )
}

/**
 * A badge with the state of the payment. If the price was not paid in full but nothing is due, the badge states instead
 * that the rest was written off, or that nothing is due.
 */
function StateBadge({ paid: { payment, due, writtenOff } }: { readonly paid: PaymentData }) {
  const { t } = useTranslation()
  if (!payment) return null
  const { state } = payment
  if (due > 0 || (state !== 'due' && state !== 'part_paid')) {
    return <Badge color={colours[state]}>{t(`payments.desk.states.${state}`)}</Badge>
  }
  return <Badge color="gray">{t(writtenOff > 0 ? 'payments.desk.writtenOff' : 'payments.desk.nothingDue')}</Badge>
}

const colours = { due: 'orange', part_paid: 'yellow', paid: 'teal', part_refunded: 'gray', refunded: 'gray' } as const

function PaymentTotals({ paid: { payment, due, overpaid, writtenOff } }: { readonly paid: PaymentData }) {
  const { t } = useTranslation()
  const { money } = useFormats()
  if (!payment) return null
  const { amount, paid, refunded, currency } = payment
  const rows = [
    ['price', amount],
    ['paid', paid],
    ...(refunded > 0 ? ([['refunded', refunded]] as const) : []),
    ...(writtenOff > 0 ? ([['writtenOff', writtenOff]] as const) : []),
    ...(due > 0 ? ([['due', due]] as const) : []),
    ...(overpaid > 0 ? ([['overpaid', overpaid]] as const) : []),
  ] as const
  return (
    <DataList orientation="horizontal" labelWidth={140}>
      {rows.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{t(`payments.desk.${name}`)}</DataList.ItemLabel>
          <DataList.ItemValue>{money(value, currency)}</DataList.ItemValue>
        </DataList.Item>
      ))}
      {payment.coupon && (
        <DataList.Item>
          <DataList.ItemLabel>{t('payments.coupons.code')}</DataList.ItemLabel>
          <DataList.ItemValue>
            {payment.coupon.code} ({money(-payment.coupon.reduction, currency)})
          </DataList.ItemValue>
        </DataList.Item>
      )}
    </DataList>
  )
}

function Disputes({ disputes }: Pick<PaymentData, 'disputes'>) {
  const text = useDisputeText()
  return disputes.map((dispute) => (
    <Alert key={dispute.at} color={isUndecided(dispute) ? 'orange' : 'gray'} icon={<IconGavel />}>
      {text(dispute)}
    </Alert>
  ))
}

function Entries({ entries }: Pick<PaymentData, 'entries'>) {
  const { t } = useTranslation()
  const { money } = useFormats()
  if (entries.length === 0) return null
  return (
    <Table verticalSpacing={4} aria-label={t('payments.desk.entries')}>
      <Table.Tbody>
        {entries.map(({ at, kind, amount, currency }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended
          <Table.Tr key={position}>
            <Table.Td>
              <Timestamp at={at} />
            </Table.Td>
            <Table.Td>{t(`payments.desk.kinds.${kind}`)}</Table.Td>
            <Table.Td ta="end">{money(amount, currency)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Receipts({ receipts }: Pick<PaymentData, 'receipts'>) {
  const { t } = useTranslation()
  if (receipts.length === 0) return null
  return (
    <Group gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('payments.receipts.title')}>
      {receipts.map(({ id, kind, number }) => (
        <li key={id}>
          <ReceiptLink id={id}>{t(`payments.receipts.${kind}`, { number })}</ReceiptLink>
        </li>
      ))}
    </Group>
  )
}

interface DialogProps {
  readonly id: string
  readonly paid: PaymentData
  readonly close: () => void
}

function TakePayment({ id, paid, close }: DialogProps) {
  const { t } = useTranslation()
  const currency = paid.payment?.currency ?? ''
  const amountError = useAmountError(currency)
  const take = useWriteOnce('POST /payments/on-site/', changed)
  const form = useWriteForm<{ amount: number | string }>({
    initialValues: { amount: toMajorUnits(paid.due, currency) },
    validate: ({ amount }) => amountError(amount, paid.due),
    write: async ({ amount }) => {
      await take.mutateAsync({ body: { reservationId: id, amount: toMinorUnits(Number(amount), currency) } })
      toast(t('payments.desk.taken'))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('payments.desk.take')}>
      <Form form={form} submitText={t('payments.desk.record')} beside={<CancelButton onClick={close} />}>
        <Amount currency={currency} {...form.fields.getInputProps('amount')} />
      </Form>
    </Modal>
  )
}

function Refund({ id, paid, close }: DialogProps) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const currency = paid.payment?.currency ?? ''
  const amountError = useAmountError(currency)
  const refund = useWriteOnce('POST /payments/refund/', changed)
  const sources = (['voucher', 'processor', 'on_site'] as const).filter((source) => maxRefund(paid, source) > 0)
  const first = sources[0] ?? 'processor'
  const form = useWriteForm<{ from: Till; amount: number | string; reason: string }>({
    // After a move to a cheaper time, staff usually refund the difference (`overpaid`), which is therefore the initial
    // amount.
    initialValues: {
      from: first,
      amount: toMajorUnits(Math.min(paid.overpaid || maxRefund(paid, first), maxRefund(paid, first)), currency),
      reason: '',
    },
    validate: ({ from, amount, reason }) => ({
      ...amountError(amount, maxRefund(paid, from)),
      ...(reason.trim() === '' && { reason: t('payments.desk.reasonMissing') }),
    }),
    write: async ({ from, amount, reason }) => {
      const body = { reservationId: id, from, amount: toMinorUnits(Number(amount), currency), reason }
      await refund.mutateAsync({ body })
      toast(t(from === 'processor' ? 'payments.desk.refundBegun' : 'payments.desk.refundDone'))
      close()
    },
  })
  const { from } = form.fields.values
  return (
    <Modal opened onClose={close} title={t('payments.desk.refund')}>
      <Form form={form} submitText={t('payments.desk.refund')} beside={<CancelButton onClick={close} />}>
        {sources.length > 1 && (
          <Select
            label={t('payments.desk.from')}
            data={sources.map((value) => ({ value, label: t(`payments.desk.tills.${value}`) }))}
            allowDeselect={false}
            {...form.fields.getInputProps('from')}
          />
        )}
        <Amount
          currency={currency}
          description={t('payments.desk.most', { amount: money(maxRefund(paid, from), currency) })}
          {...form.fields.getInputProps('amount')}
        />
        <TextInput label={t('payments.desk.reason')} maxLength={200} {...form.fields.getInputProps('reason')} />
        <Text size="xs" c="dimmed">
          {t(refundTexts[from])}
        </Text>
      </Form>
    </Modal>
  )
}

function WriteOff({ id, paid, close }: DialogProps) {
  const { t } = useTranslation()
  const currency = paid.payment?.currency ?? ''
  const amountError = useAmountError(currency)
  const give = useWriteOnce('POST /payments/write-off/', changed)
  const form = useWriteForm<{ amount: number | string; reason: string }>({
    initialValues: { amount: toMajorUnits(paid.due, currency), reason: '' },
    validate: ({ amount, reason }) => ({
      ...amountError(amount, paid.due),
      ...(reason.trim() === '' && { reason: t('payments.desk.reasonMissing') }),
    }),
    write: async ({ amount, reason }) => {
      const body = { reservationId: id, amount: toMinorUnits(Number(amount), currency), reason }
      await give.mutateAsync({ body })
      toast(t('payments.desk.writeOffDone'))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('payments.desk.writeOff')}>
      <Form form={form} submitText={t('payments.desk.writeOff')} beside={<CancelButton onClick={close} />}>
        <Amount currency={currency} {...form.fields.getInputProps('amount')} />
        <TextInput label={t('payments.desk.reason')} maxLength={200} {...form.fields.getInputProps('reason')} />
        <Text size="xs" c="dimmed">
          {t('payments.desk.writeOffText')}
        </Text>
      </Form>
    </Modal>
  )
}

/** Returns a function that checks an amount typed in major units; it must be positive and at most `max` minor units. */
function useAmountError(currency: string): (amount: number | string, max: number) => { amount?: string } {
  const { t } = useTranslation()
  const { money } = useFormats()
  return (amount, max) => {
    if (!(Number(amount) > 0)) return { amount: t('payments.desk.amountMissing') }
    if (toMinorUnits(Number(amount), currency) <= max) return {}
    return { amount: t('payments.desk.most', { amount: money(max, currency) }) }
  }
}

const refundTexts = {
  voucher: 'payments.desk.voucherText',
  processor: 'payments.desk.processorText',
  on_site: 'payments.desk.onSiteText',
} as const

// Returns the maximum refund in minor currency units from `source`: a voucher, the payment processor (online payments)
// or payments on site. What a voucher paid must be refunded first, to the voucher.
function maxRefund({ voucher, processor, onSite }: PaymentData, source: Till): number {
  if (source === 'voucher' || voucher > 0) return source === 'voucher' ? voucher : 0
  return source === 'processor' ? processor : onSite
}

function Amount({ currency, ...props }: { readonly currency: string; readonly description?: string }) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={t('payments.desk.amount')}
      min={0}
      decimalScale={minorDigits(currency)}
      suffix={` ${currency}`}
      data-autofocus
      {...props}
    />
  )
}
