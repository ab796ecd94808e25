import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { weekdays } from '../../../../src/catalogue/providers/provider.ts'
import { Form, formPathOf, useWriteForm } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { providerRoutes, useCheckedWrite } from './checked-write.tsx'
import { WeekFields } from './hours/week-fields.tsx'
import { validateWindows, type WeekValues, weeklyOf, weekValuesOf } from './hours/week-values.ts'

/** Edits the weekly opening hours of a provider. */
export function ProviderWeek({ provider }: { readonly provider: Item<'GET /providers/one/'> }) {
  const { t } = useTranslation()
  const { id, timezone, weekly } = provider
  const hours = useWrite('POST /providers/hours/', providerRoutes)
  const { save, question } = useCheckedWrite(id)
  // Each day is a field, so that the days that the user has not changed follow what another user saves meanwhile.
  const form = useWriteForm<WeekValues>({
    initialValues: weekValuesOf(weekly),
    stored: weekly,
    validate: (values) => validateWeek(values, ''),
    fieldOf: (name) => formPathOf(name.replace(/^weekly\./, '')),
    write: (values) => {
      const changed = weeklyOf(values)
      return save({
        check: { weekly: changed },
        write: () => hours.mutateAsync({ body: { id, weekly: changed, was: { weekly } } }),
        undo: () => hours.mutateAsync({ body: { id, weekly, was: { weekly: changed } } }),
        done: t('providers.weekSaved'),
      })
    },
  })
  return (
    <>
      <Form form={form} submitText={t('common.save')}>
        <Text size="sm" c="dimmed">
          {t('providers.weekText', { zone: timezone })}
        </Text>
        <WeekFields
          week={form.fields.values}
          onChange={(week) => {
            form.fields.clearErrors()
            form.fields.setValues(week)
          }}
          errorOf={(name) => windowErrorText(form.fields.errors[name], t)}
        />
      </Form>
      {question}
    </>
  )
}

/** Returns the errors of weekly opening hours by field path, such as `weekly.mon.0`, which begins with `prefix`. */
export function validateWeek(week: WeekValues, prefix = 'weekly.') {
  return Object.fromEntries(weekdays.flatMap((day) => Object.entries(validateWindows(`${prefix}${day}`, week[day]))))
}

interface WeekForm {
  readonly values: { readonly weekly: WeekValues }
  readonly errors: Readonly<Record<string, unknown>>
  setFieldValue(path: 'weekly', week: WeekValues): void
  clearErrors(): void
}

/** Returns the props of `WeekFields` for a form that has the field `weekly`. */
export function weekProps(fields: WeekForm, t: TFunction<'words'>) {
  return {
    week: fields.values.weekly,
    onChange: (week: WeekValues): void => {
      fields.clearErrors()
      fields.setFieldValue('weekly', week)
    },
    errorOf: (name: string) => windowErrorText(fields.errors[`weekly.${name}`], t),
  }
}

/** Returns the message for an error code of `windowErrorOf`; undefined for no error. */
export function windowErrorText(fault: unknown, t: TFunction<'words'>): string | undefined {
  if (fault === 'empty') return t('providers.sameTimes')
  return fault === undefined ? undefined : t('providers.noTime')
}
