import { Paper, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { CurrencySelect } from '../../components/fields/currency-select.tsx'
import { LanguageSelect } from '../../components/fields/language-select.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { CalendarFeeds } from '../providers/calendars/calendar-feeds.tsx'
import { WeekFields } from '../providers/hours/week-fields.tsx'
import { weeklyOf, weekValuesOf } from '../providers/hours/week-values.ts'
import { validateWeek, weekProps } from '../providers/provider-week.tsx'
import { Appearance } from './appearance.tsx'

/**
 * The screen of the site: name, time zone, website, language and currency; appearance, calendar feeds and default
 * hours.
 */
export default function Site() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /site/', {})
  return (
    <Screen title={t('site.title')} text={t('site.text')}>
      {data ? (
        <Stack>
          <SiteForm site={data} />
          <Appearance site={data} />
          <CalendarFeeds />
          <DefaultHours site={data} />
        </Stack>
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
    stored: { name, timezone, siteUrl, language, currency },
    write: async (values) => {
      await edit.mutateAsync({ body: form.changedOf(values) })
      form.fields.resetDirty()
      toast(t('common.saved'))
    },
  })
  return (
    <Paper maw={640}>
      <UnsavedGuard when={form.fields.isDirty()} />
      <Form form={form} submitText={t('common.save')}>
        <TextInput label={t('site.name')} {...form.fields.getInputProps('name')} />
        <WithHelp label={t('site.timezone')} help={t('site.timezoneHelp')}>
          <ZoneSelect label={t('site.timezone')} {...form.fields.getInputProps('timezone')} />
        </WithHelp>
        <WithHelp label={t('site.siteUrl')} help={t('site.siteUrlHelp')}>
          <TextInput label={t('site.siteUrl')} type="url" {...form.fields.getInputProps('siteUrl')} />
        </WithHelp>
        <WithHelp label={t('site.language')} help={t('site.languageHelp')}>
          <LanguageSelect label={t('site.language')} {...form.fields.getInputProps('language')} />
        </WithHelp>
        <WithHelp label={t('site.currency')} help={t('site.currencyHelp')}>
          <CurrencySelect label={t('site.currency')} {...form.fields.getInputProps('currency')} />
        </WithHelp>
      </Form>
    </Paper>
  )
}

/** Edits the opening hours with which new providers start; existing providers are not affected. */
function DefaultHours({ site: { defaultWeekly } }: { readonly site: Item<'GET /site/'> }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /site/edit/', ['GET /site/'])
  const form = useWriteForm({
    initialValues: { weekly: weekValuesOf(defaultWeekly) },
    stored: defaultWeekly,
    validate: ({ weekly }) => validateWeek(weekly),
    write: async ({ weekly }) => {
      await edit.mutateAsync({ body: { defaultWeekly: weeklyOf(weekly) } })
      toast(t('common.saved'), () => edit.mutateAsync({ body: { defaultWeekly } }))
    },
  })
  return (
    <Section title={t('site.defaultWeekly')} text={t('site.defaultWeeklyText')}>
      <UnsavedGuard when={form.fields.isDirty()} />
      <Form form={form} submitText={t('site.saveHours')}>
        <WeekFields {...weekProps(form.fields, t)} />
      </Form>
    </Section>
  )
}
