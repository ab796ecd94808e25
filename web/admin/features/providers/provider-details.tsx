import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { providerRows, useCheckedWrite } from './unsaved-changes.tsx'

/** Edits a provider's name, e-mail address and time zone. */
export function ProviderDetails({ provider }: { readonly provider: Item<'GET /providers/one/'> }) {
  const { t } = useTranslation()
  const { id, name, email, timezone } = provider
  const edit = useWrite('POST /providers/edit/', providerRows)
  const { save, question } = useCheckedWrite(id)
  const form = useWriteForm({
    initialValues: { name, email, timezone },
    write: (values) => {
      const changed = { name: values.name, email: values.email || null, timezone: values.timezone }
      return save({
        check: { timezone: values.timezone },
        write: () => edit.mutateAsync({ body: { id, ...changed } }),
        undo: () => edit.mutateAsync({ body: { id, name, email: email || null, timezone } }),
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
      </Form>
      {question}
    </>
  )
}
