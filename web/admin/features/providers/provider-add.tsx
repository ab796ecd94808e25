import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Weekly } from '../../../../src/catalogue/providers/provider.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { providerRoutes } from './checked-write.tsx'
import { WeekFields } from './hours/week-fields.tsx'
import { weeklyOf, weekValuesOf } from './hours/week-values.ts'
import { validateWeek, weekProps } from './provider-week.tsx'

interface AddProviderFormProps {
  readonly added: (id: number) => void
  /** Closes the form; when absent, the form has no cancel button. */
  readonly close?: () => void
  /** The label of the submit button; "Add provider" when absent. */
  readonly submitText?: string
}

/** The form that adds a provider, filled in with the site's default hours; other settings are edited afterwards. */
export function AddProviderForm(props: AddProviderFormProps) {
  const { data, error, refetch } = useRead('GET /site/', {})
  if (data) return <FilledForm {...props} zone={data.timezone} weekly={data.defaultWeekly} />
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingState />
}

interface FilledFormProps extends AddProviderFormProps {
  readonly zone: string
  readonly weekly: Weekly
}

function FilledForm({ added, close, submitText, zone, weekly: usual }: FilledFormProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /providers/add/', providerRoutes)
  const form = useWriteForm({
    initialValues: { name: '', email: '', timezone: zone, weekly: weekValuesOf(usual) },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: t('services.nameMissing') }),
      ...validateWeek(values.weekly),
    }),
    write: async ({ name, email, timezone, weekly }) => {
      const body = { name, email: email || null, timezone, weekly: weeklyOf(weekly) }
      const { id } = await add.mutateAsync({ body })
      toast(t('providers.added', { name: name.trim() }))
      added(id)
    },
  })
  return (
    <Form form={form} submitText={submitText ?? t('providers.add')} beside={close && <CancelButton onClick={close} />}>
      <TextInput
        label={t('providers.name')}
        autoComplete="off"
        autoFocus
        data-autofocus
        {...form.fields.getInputProps('name')}
      />
      <TextInput label={t('providers.email')} type="email" autoComplete="off" {...form.fields.getInputProps('email')} />
      <WithHelp label={t('providers.timezone')} help={t('providers.timezoneHelp')}>
        <ZoneSelect label={t('providers.timezone')} {...form.fields.getInputProps('timezone')} />
      </WithHelp>
      <Text size="sm" fw={500}>
        {t('providers.week')}
      </Text>
      <WeekFields {...weekProps(form.fields, t)} bare />
    </Form>
  )
}
