import { Alert, Button, CopyButton, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minorDigits } from '../../../../src/money.ts'
import { printedCode } from '../../../../src/payments/vouchers/voucher.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useSiteZone } from '../../data/dates/formats.ts'
import { toMinorUnits } from '../../data/dates/money.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { isLanguage, languages, type PanelLanguage } from '../../i18n/index.ts'

type IssuedVoucher = Item<'POST /payments/vouchers/issue/'>

interface Values {
  readonly amount: number | string
  readonly validUntil: string | null
  readonly language: string
}

/** The dialog that sells a gift voucher, then shows its code once. */
export function IssueVoucher({ close }: { readonly close: () => void }) {
  const { t, i18n } = useTranslation()
  const currency = useSession()?.site.currency ?? ''
  const zone = useSiteZone()
  const [issued, setIssued] = useState<IssuedVoucher>()
  const issue = useWrite('POST /payments/vouchers/issue/', ['GET /payments/vouchers/', 'GET /history/'])
  const form = useWriteForm<Values>({
    initialValues: { amount: '', validUntil: null, language: i18n.language },
    validate: ({ amount }) => (Number(amount) > 0 ? {} : { amount: t('payments.desk.amountMissing') }),
    write: async ({ amount, validUntil, language }) => {
      const chosen: PanelLanguage = isLanguage(language) ? language : 'en'
      const body = { amount: toMinorUnits(Number(amount), currency), currency, validUntil: validUntil || null }
      setIssued(await issue.mutateAsync({ body: { ...body, language: chosen } }))
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      showsOnce={issued !== undefined}
      title={t(issued ? 'payments.vouchers.done' : 'payments.vouchers.issue')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {issued ? (
        <Code issued={issued} close={close} />
      ) : (
        <Form form={form} submitText={t('payments.vouchers.issueNow')} beside={<CancelButton onClick={close} />}>
          <NumberInput
            label={t('payments.vouchers.amount')}
            description={t('payments.vouchers.paid')}
            min={0}
            decimalScale={minorDigits(currency)}
            suffix={` ${currency}`}
            data-autofocus
            {...form.fields.getInputProps('amount')}
          />
          <DateField
            label={t('payments.vouchers.until')}
            clearable
            zone={zone}
            {...form.fields.getInputProps('validUntil')}
          />
          <Select
            label={t('payments.vouchers.language')}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            {...form.fields.getInputProps('language')}
          />
        </Form>
      )}
    </Modal>
  )
}

function Code({ issued: { code, page }, close }: { readonly issued: IssuedVoucher; readonly close: () => void }) {
  const { t } = useTranslation()
  const url = usePageUrl(page)
  const printed = printedCode(code)
  return (
    <Stack>
      <Text ff="monospace" size="xl" fw={600} className="breakable">
        {printed}
      </Text>
      <Alert color="orange">{t('payments.vouchers.once')}</Alert>
      <Group gap="xs">
        <CopyButton value={printed}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<IconCopy size={16} />} onClick={copy}>
              {t(copied ? 'common.copied' : 'payments.vouchers.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={url}
          download="voucher.html"
          leftSection={<IconDownload size={16} />}
        >
          {t('payments.vouchers.print')}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={close}>{t('payments.vouchers.finish')}</Button>
      </Group>
    </Stack>
  )
}

function usePageUrl(page: string): string {
  const [url] = useState(() => URL.createObjectURL(new Blob([page], { type: 'text/html' })))
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return url
}
