import { Switch, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { meetingFrom, meetingLinkFault } from '../../../../src/catalogue/providers/meeting-link.ts'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { providerRoutes, useCheckedWrite } from './checked-write.tsx'

/**
 * Shows the meeting link that an appointment would get from a template; renders nothing for an empty or invalid
 * template.
 */
function ExampleLink({ of }: { readonly of: string }) {
  const { t } = useTranslation()
  if (of === '' || meetingLinkFault(of)) return null
  const example = meetingFrom(of, { reservation: '4f1c9a72e05b', service: 's_1' })
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {t('meeting.example')} {example}
    </Text>
  )
}

type Provider = Item<'GET /providers/one/'>

interface ProviderDetailsProps {
  readonly provider: Provider
  readonly booking: NonNullable<Provider['booking']>
}

/** Edits a provider's name, e-mail address, time zone and meeting link, and whether double bookings are allowed. */
export function ProviderDetails({ provider, booking }: ProviderDetailsProps) {
  const { t } = useTranslation()
  const { id, name, email, timezone } = provider
  const { doubleBooking, meetingLink } = booking
  const edit = useWrite('POST /providers/edit/', providerRoutes)
  const { save, question } = useCheckedWrite(id)
  const form = useWriteForm({
    initialValues: { name, email, timezone, meetingLink, doubleBooking },
    stored: { name, email, timezone, meetingLink, doubleBooking },
    write: (values) => {
      const changed = { ...values, email: values.email || null }
      return save({
        check: { timezone: values.timezone },
        write: () => edit.mutateAsync({ body: { id, ...changed } }),
        undo: () =>
          edit.mutateAsync({ body: { id, name, email: email || null, timezone, meetingLink, doubleBooking } }),
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
        <TextInput
          label={t('meeting.link')}
          type="url"
          placeholder="https://meet.jit.si/{reservation}"
          maxLength={500}
          autoComplete="off"
          description={t('meeting.help')}
          {...form.fields.getInputProps('meetingLink')}
        />
        <ExampleLink of={form.fields.values.meetingLink} />
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
