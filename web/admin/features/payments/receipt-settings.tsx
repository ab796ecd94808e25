import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession, useUser } from '../../data/session.ts'

type Settings = Item<'GET /payments/receipts/settings/'>

/**
 * The settings of receipts: name, address and tax number of the seller, and the number of years for which receipts
 * are retained.
 */
export function ReceiptSettings() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /payments/receipts/settings/', {})
  return (
    <Section title={t('payments.receipts.title')} text={t('payments.receipts.text')}>
      {data ? (
        <Fields settings={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState lines={3} />
      )}
    </Section>
  )
}

function Fields({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation()
  const siteName = useSession()?.site.name ?? ''
  const readOnly = useUser().role !== 'admin'
  const save = useWrite('POST /payments/receipts/settings/', ['GET /payments/receipts/settings/', 'GET /history/'])
  const form = useWriteForm<{ name: string; address: string; taxNumber: string; years: number | string }>({
    initialValues: settings,
    stored: settings,
    validate: ({ years }) =>
      Number.isInteger(years) && Number(years) >= 1 && Number(years) <= 30
        ? {}
        : { years: t('payments.receipts.yearsWrong') },
    write: async ({ years, ...seller }) => {
      await save.mutateAsync({ body: { ...seller, years: Number(years) } })
      form.fields.resetDirty()
      toast(t('common.saved'))
    },
  })
  const { fields } = form
  const inputs = (
    <>
      <TextInput
        label={t('payments.receipts.name')}
        description={t('payments.receipts.nameHelp')}
        placeholder={siteName}
        maxLength={200}
        readOnly={readOnly}
        {...fields.getInputProps('name')}
      />
      <Textarea
        label={t('payments.receipts.address')}
        autosize
        minRows={2}
        maxLength={500}
        readOnly={readOnly}
        {...fields.getInputProps('address')}
      />
      <TextInput
        label={t('payments.receipts.taxNumber')}
        maxLength={50}
        readOnly={readOnly}
        {...fields.getInputProps('taxNumber')}
      />
      <NumberInput
        label={t('payments.receipts.years')}
        description={t('payments.receipts.yearsHelp')}
        min={1}
        max={30}
        allowDecimal={false}
        readOnly={readOnly}
        {...fields.getInputProps('years')}
      />
    </>
  )
  return readOnly ? (
    inputs
  ) : (
    <Form form={form} submitText={t('common.save')}>
      <UnsavedGuard when={fields.isDirty()} />
      {inputs}
    </Form>
  )
}
