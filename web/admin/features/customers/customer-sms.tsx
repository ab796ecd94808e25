import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast, toastError, type Undo } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { SuppressionNotice } from '../notifications/recent-messages.tsx'

type Customer = Item<'GET /customers/one/'>

interface CustomerSmsProps {
  readonly customer: Pick<Customer, 'id' | 'phone'>
  readonly sms: NonNullable<Customer['more']>['sms']
}

/** Shows whether a customer agreed to short messages, and at which number; records and withdraws the consent. */
export function CustomerSms({ customer: { id, phone }, sms }: CustomerSmsProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const heading = useId()
  const leads = useHasRole(leading)
  const [asking, setAsking] = useState(false)
  const set = useWrite('POST /customers/sms/', ['GET /customers/one/'])
  const store = async (number: string | null, done: string, undo?: Undo): Promise<void> => {
    await set.mutateAsync({ body: { customerId: id, number } })
    toast(done, undo)
  }
  const withdraw = (number: string): void =>
    void store(null, t('sms.withdrawnDone'), () => store(number, t('sms.agreedDone'))).then(undefined, toastError)
  return (
    <Stack gap="xs" component="section" aria-labelledby={heading}>
      <Title order={3} size="h5" id={heading}>
        {t('sms.consent')}
      </Title>
      {leads && sms && <SuppressionNotice email={sms.number} of="customer" />}
      <Group justify="space-between">
        <Text size="sm" className="breakable">
          {sms
            ? `${t('sms.agreed', { number: sms.number })}, ${t('sms.agreedAt', { date: dateTime(sms.agreedAt) })}`
            : t('sms.notAgreed')}
        </Text>
        {sms ? (
          <Button variant="default" size="xs" loading={set.isPending} onClick={() => withdraw(sms.number)}>
            {t('sms.withdraw')}
          </Button>
        ) : (
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {t('sms.agree')}
          </Button>
        )}
      </Group>
      {asking && <RecordConsent {...{ id, phone }} close={() => setAsking(false)} />}
    </Stack>
  )
}

interface RecordConsentProps extends Pick<Customer, 'id' | 'phone'> {
  readonly close: () => void
}

function RecordConsent({ id, phone, close }: RecordConsentProps) {
  const { t } = useTranslation()
  const set = useWrite('POST /customers/sms/', ['GET /customers/one/'])
  const form = useWriteForm({
    initialValues: { number: phone },
    write: async ({ number }) => {
      await set.mutateAsync({ body: { customerId: id, number } })
      toast(t('sms.agreedDone'))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('sms.agreeTitle')}>
      <Form form={form} submitText={t('sms.agree')} beside={<CancelButton onClick={close} />}>
        <Text size="sm">{t('sms.agreeText')}</Text>
        <TextInput
          label={t('sms.number')}
          description={t('sms.numberHelp')}
          type="tel"
          autoComplete="off"
          data-autofocus
          {...form.fields.getInputProps('number')}
        />
      </Form>
    </Modal>
  )
}
