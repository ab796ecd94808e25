import { Paper, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { WithHelp } from '../components/help.tsx'
import { Screen } from '../components/screen.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { toast } from '../components/toast.tsx'
import { Form, useWriteForm } from '../components/write-form.tsx'
import type { Item } from '../data/ask.ts'
import { useRead, useWrite } from '../data/queries.ts'

/** What the site is called, where it is and in what zone, language and currency it works. */
export default function Site() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /site/', {})
  return (
    <Screen title={t('site.title')} text={t('site.text')}>
      {data ? (
        <SiteForm site={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

function SiteForm({ site }: { readonly site: Item<'GET /site/'> }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /site/edit/', ['GET /site/', 'GET /session/'])
  const { name, timezone, siteUrl, language, currency } = site
  const form = useWriteForm({
    initialValues: { name, timezone, siteUrl, language, currency },
    // Only what was changed: someone else may have changed the rest meanwhile.
    write: async (values) => {
      const body = Object.fromEntries(Object.entries(values).filter(([field]) => form.fields.isDirty(field)))
      await edit.mutateAsync({ body })
      form.fields.resetDirty()
      toast(t('common.saved'))
    },
  })
  const zones = useMemo(() => [...new Set([timezone, ...Intl.supportedValuesOf('timeZone')])].sort(), [timezone])
  return (
    <Paper maw={640}>
      <Form form={form} submitText={t('common.save')}>
        <TextInput label={t('site.name')} {...form.fields.getInputProps('name')} />
        <WithHelp label={t('site.timezone')} help={t('site.timezoneHelp')}>
          <Select
            label={t('site.timezone')}
            data={zones}
            searchable
            allowDeselect={false}
            limit={50}
            {...form.fields.getInputProps('timezone')}
          />
        </WithHelp>
        <WithHelp label={t('site.siteUrl')} help={t('site.siteUrlHelp')}>
          <TextInput label={t('site.siteUrl')} type="url" {...form.fields.getInputProps('siteUrl')} />
        </WithHelp>
        <WithHelp label={t('site.language')} help={t('site.languageHelp')}>
          <TextInput label={t('site.language')} maw={160} {...form.fields.getInputProps('language')} />
        </WithHelp>
        <WithHelp label={t('site.currency')} help={t('site.currencyHelp')}>
          <TextInput label={t('site.currency')} maw={160} maxLength={3} {...form.fields.getInputProps('currency')} />
        </WithHelp>
      </Form>
    </Paper>
  )
}
