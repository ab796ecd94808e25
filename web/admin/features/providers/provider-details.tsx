import { Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { providerRows, useCheckedWrite } from './unsaved-changes.tsx'

type Provider = Item<'GET /providers/one/'>

interface ProviderDetailsProps {
  readonly provider: Provider
  readonly booking: NonNullable<Provider['booking']>
}

/** Edits a provider's name, e-mail address and time zone, and whether the time may be booked twice. */
export function ProviderDetails({ provider, booking }: ProviderDetailsProps) {
  const { t } = useTranslation()
  const { id, name, email, timezone } = provider
  const { doubleBooking } = booking
  const edit = useWrite('POST /providers/edit/', providerRows)
  const { save, question } = useCheckedWrite(id)
  const form = useWriteForm({
    initialValues: { name, email, timezone, doubleBooking },
    write: (values) => {
      const changed = { ...values, email: values.email || null }
      return save({
        check: { timezone: values.timezone },
        write: () => edit.mutateAsync({ body: { id, ...changed } }),
        undo: () => edit.mutateAsync({ body: { id, name, email: email || null, timezone, doubleBooking } }),
        done: t('common.saved'),
      })
    },
  })
  return (
    <>
      <Form form={form} submitText={t('common.save')}>
        <TextInput label={t('providers.name')} autoComplete="off" {...form.fields.getInputProps('name')} />
        <TextInput
          label={t('providers.email')}
          type="email"
          autoComplete="off"
          {...form.fields.getInputProps('email')}
        />
        <WithHelp label={t('providers.timezone')} help={t('providers.timezoneHelp')}>
          <ZoneSelect label={t('providers.timezone')} {...form.fields.getInputProps('timezone')} />
        </WithHelp>
        <Switch
          label={t('providers.doubleBooking')}
          description={t('providers.doubleBookingText')}
          {...form.fields.getInputProps('doubleBooking', { type: 'checkbox' })}
        />
      </Form>
      {question}
    </>
  )
}
