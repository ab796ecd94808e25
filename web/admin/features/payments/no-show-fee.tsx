import { Alert, Button, DataList, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'

type PaymentData = Item<'GET /payments/reservation/'>

interface NoShowFeeProps {
  readonly id: string
  readonly paid: PaymentData
  readonly changed: readonly ['GET /payments/reservation/', 'GET /reservations/one/', 'GET /history/']
}

const claimable = ['agreed', 'declined', 'authentication']

/**
 * Shows the card that a customer saved, and lets managers and administrators charge the no-show fee to the card or send
 * a payment link for the fee. Renders nothing when the reservation has no no-show fee.
 */
export function NoShowFee({ id, paid, changed }: NoShowFeeProps) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const leads = useHasRole(leading)
  const cardText = useCardText()
  const [by, setBy] = useState<'card' | 'link'>()
  const fee = paid.payment?.noShowFee
  if (!fee || !paid.payment) return null
  const { currency } = paid.payment
  const { state } = fee
  const mayClaim = leads && paid.missed && (state === 'agreed' || paid.due > 0)
  return (
    <>
      <DataList orientation="horizontal" labelWidth={140}>
        <DataList.Item>
          <DataList.ItemLabel>{t('payments.noShow.card')}</DataList.ItemLabel>
          <DataList.ItemValue>{paid.card ? cardText(paid.card) : t('payments.noShow.noCard')}</DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel>{t('payments.noShow.fee')}</DataList.ItemLabel>
          <DataList.ItemValue>{money(fee.amount, currency)}</DataList.ItemValue>
        </DataList.Item>
      </DataList>
      {state !== 'agreed' && state !== 'charged' && (
        <Alert color={state === 'declined' || state === 'authentication' ? 'orange' : 'gray'}>
          {t(`payments.noShow.states.${state}`)}
        </Alert>
      )}
      {mayClaim && (
        <Group gap="xs">
          {paid.card && claimable.includes(state) && (
            <Button variant="default" size="compact-sm" onClick={() => setBy('card')}>
              {t('payments.noShow.claim')}
            </Button>
          )}
          {claimable.includes(state) && (state !== 'agreed' || !paid.card) && (
            <Button variant="default" size="compact-sm" onClick={() => setBy('link')}>
              {t('payments.noShow.link')}
            </Button>
          )}
        </Group>
      )}
      {by && <Claim id={id} by={by} changed={changed} close={() => setBy(undefined)} />}
    </>
  )
}

interface ClaimProps extends Pick<NoShowFeeProps, 'id' | 'changed'> {
  readonly by: 'card' | 'link'
  readonly close: () => void
}

/**
 * The dialog that shows the amount of a no-show fee, the card, and the message to the customer; when the user confirms,
 * it charges the card or sends the payment link.
 */
function Claim({ id, by, changed, close }: ClaimProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /payments/no-show/', { id, by })
  const title = t(by === 'card' ? 'payments.noShow.claim' : 'payments.noShow.link')
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      {data ? (
        <Preview id={id} by={by} data={data} changed={changed} close={close} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState lines={4} />
      )}
    </Modal>
  )
}

function Preview({ id, by, data, changed, close }: ClaimProps & { readonly data: Item<'GET /payments/no-show/'> }) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const cardText = useCardText()
  const charge = useWrite('POST /payments/no-show/charge/', changed)
  const send = useWrite('POST /payments/no-show/link/', changed)
  const amount = money(data.amount, data.currency)
  const card = data.card ? cardText(data.card) : ''
  const form = useWriteForm<Record<never, never>>({
    initialValues: {},
    write: async () => {
      const body = { reservationId: id, amount: data.amount }
      await (by === 'card' ? charge : send).mutateAsync({ body })
      toast(t(by === 'card' ? 'payments.noShow.claimed' : 'payments.noShow.linked'))
      close()
    },
  })
  return (
    <Form
      form={form}
      submitText={by === 'card' ? t('payments.noShow.claimNow', { amount }) : t('payments.noShow.linkNow')}
      beside={<CancelButton onClick={close} />}
    >
      <Text size="sm">
        {by === 'card' ? t('payments.noShow.claimText', { amount, card }) : t('payments.noShow.linkText', { amount })}
      </Text>
      {data.mail ? (
        <Paper withBorder p="sm">
          <Text size="xs" c="dimmed" className="breakable">
            {t('payments.noShow.mail', data.mail)}
          </Text>
          <Text size="sm" fw={600}>
            {data.mail.subject}
          </Text>
          <Text size="sm" className="breakable" style={{ whiteSpace: 'pre-line' }}>
            {data.mail.text}
          </Text>
        </Paper>
      ) : (
        <Text size="sm" c="dimmed">
          {t('payments.noShow.noMail')}
        </Text>
      )}
    </Form>
  )
}

function useCardText(): (card: { readonly brand: string; readonly last4: string }) => string {
  const { t } = useTranslation()
  return ({ brand, last4 }) =>
    t('payments.noShow.cardOf', { brand: brand.charAt(0).toUpperCase() + brand.slice(1), last4 })
}
