import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import {
  type BookingPageLanguage,
  type LocalisedTexts,
  localisedTextsOf,
  nonEmptyTexts,
  pageLanguages,
} from './local-texts.ts'
import { OwnTexts } from './own-texts.tsx'
import { Preview, type PreviewDraft } from './preview.tsx'

type Settings = Item<'GET /booking-page/'>['settings']

type FormValues = Omit<Settings, 'enabled' | 'intro' | 'consent' | 'allowedOrigins'> & {
  intro: LocalisedTexts
  consent: LocalisedTexts
  /** The origins of websites that may embed the booking page, one per line. */
  allowedOrigins: string
}

/** Whether a text is empty, or an http or https URL without white space, double quotation marks or angle brackets. */
export function isAddress(text: string): boolean {
  return text === '' || /^https?:\/\/[^\s"<>]+$/.test(text)
}

const originPattern = /^https?:\/\/[A-Za-z0-9.*-]+(:\d{1,5})?$/

/** Edits how the booking page looks, what it shows, and what it asks of customers. */
export function PageForm({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /booking-page/edit/', ['GET /booking-page/'])
  const { enabled: _, ...kept } = settings
  const form = useWriteForm<FormValues>({
    initialValues: {
      ...kept,
      intro: localisedTextsOf(settings.intro),
      consent: localisedTextsOf(settings.consent),
      allowedOrigins: settings.allowedOrigins.join('\n'),
    },
    stored: kept,
    validate: ({ termsUrl, afterUrl, allowedOrigins }) => ({
      ...(!isAddress(termsUrl) && { termsUrl: t('bookingPage.urlWrong') }),
      ...(!isAddress(afterUrl) && { afterUrl: t('bookingPage.urlWrong') }),
      ...(!originsOf(allowedOrigins).every((origin) => originPattern.test(origin)) && {
        allowedOrigins: t('bookingPage.originWrong'),
      }),
    }),
    write: async ({ intro, consent, allowedOrigins, ...rest }) => {
      const body = {
        ...rest,
        intro: nonEmptyTexts(intro),
        consent: nonEmptyTexts(consent),
        allowedOrigins: originsOf(allowedOrigins),
      }
      await edit.mutateAsync({ body })
      form.fields.resetDirty()
      toast(t('common.saved'), () => edit.mutateAsync({ body: kept }))
    },
    fieldOf: (name) => name.replace(/\[.*/, ''),
  })
  const { fields } = form
  const wishes = (['none', 'optional', 'required'] as const).map((value) => ({
    value,
    label: t(`bookingPage.wishes.${value}`),
  }))
  const languages = Object.entries(pageLanguages) as [BookingPageLanguage, string][]
  return (
    <Section title={t('bookingPage.settings')}>
      <UnsavedGuard when={fields.isDirty()} />
      <Form form={form} submitText={t('common.save')}>
        {languages.map(([language, name]) => (
          <Textarea
            key={language}
            label={t('bookingPage.intro', { language: name })}
            autosize
            maxLength={2_000}
            {...fields.getInputProps(`intro.${language}`)}
          />
        ))}
        <Select
          label={t('bookingPage.scheme')}
          data={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`bookingPage.schemes.${value}`),
          }))}
          allowDeselect={false}
          {...fields.getInputProps('scheme')}
        />
        <Select
          label={t('bookingPage.font')}
          data={(['system', 'inter', 'nunito', 'atkinson', 'serif'] as const).map((value) => ({
            value,
            label: t(`bookingPage.fonts.${value}`),
          }))}
          allowDeselect={false}
          {...fields.getInputProps('font')}
        />
        <NumberInput
          label={t('bookingPage.radius')}
          min={0}
          max={30}
          allowDecimal={false}
          {...fields.getInputProps('radius')}
        />
        <NumberInput
          label={t('bookingPage.maxSeats')}
          min={1}
          max={20}
          allowDecimal={false}
          {...fields.getInputProps('maxSeats')}
        />
        <Switch label={t('bookingPage.indexed')} {...fields.getInputProps('indexed', { type: 'checkbox' })} />
        <Switch
          label={t('bookingPage.verifyEmail')}
          description={t('bookingPage.verifyEmailHelp')}
          {...fields.getInputProps('verifyEmail', { type: 'checkbox' })}
        />
        <Switch
          label={t('bookingPage.proofOfWork')}
          description={t('bookingPage.proofOfWorkHelp')}
          {...fields.getInputProps('proofOfWork', { type: 'checkbox' })}
        />
        <Select label={t('bookingPage.phone')} data={wishes} allowDeselect={false} {...fields.getInputProps('phone')} />
        {languages.map(([language, name]) => (
          <TextInput
            key={language}
            label={t('bookingPage.consent', { language: name })}
            description={language === 'en' ? t('bookingPage.consentHelp') : undefined}
            maxLength={2_000}
            {...fields.getInputProps(`consent.${language}`)}
          />
        ))}
        <TextInput
          label={t('bookingPage.termsUrl')}
          description={t('bookingPage.termsHelp')}
          type="url"
          {...fields.getInputProps('termsUrl')}
        />
        <TextInput
          label={t('bookingPage.afterUrl')}
          description={t('bookingPage.afterHelp')}
          type="url"
          {...fields.getInputProps('afterUrl')}
        />
        {fields.values.afterUrl !== '' && (
          <Select
            label={t('bookingPage.afterMode')}
            data={(['button', 'redirect'] as const).map((value) => ({
              value,
              label: t(`bookingPage.afterModes.${value}`),
            }))}
            allowDeselect={false}
            {...fields.getInputProps('afterMode')}
          />
        )}
        <OwnTexts texts={fields.values.texts} change={(texts) => fields.setFieldValue('texts', texts)} />
        <Textarea
          label={t('bookingPage.origins')}
          description={t('bookingPage.originsHelp')}
          autosize
          minRows={2}
          {...fields.getInputProps('allowedOrigins')}
        />
      </Form>
      <Preview draft={draftOf(fields.values)} />
    </Section>
  )
}

/**
 * Returns the settings that the preview shows, from the values entered in the form; a corner radius that is not a whole
 * number from 0 to 30 is omitted.
 */
function draftOf({ radius, scheme, font, intro, texts }: FormValues): PreviewDraft {
  const number = Number(radius)
  const fitting = Number.isInteger(number) && number >= 0 && number <= 30
  return { scheme, font, texts, intro: nonEmptyTexts(intro), ...(fitting && { radius: number }) }
}

function originsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.replace(/\/+$/, ''))
    .filter((line) => line !== '')
}
