import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { weekdays } from '../../../../src/catalogue/providers/provider.ts'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { WeekFields } from './hours/week-fields.tsx'
import { type TypedWeek, typedWeek, weeklyOf, windowFaults } from './hours/week-values.ts'
import { providerRows, useCheckedWrite } from './unsaved-changes.tsx'

/** The regular weekly hours of a provider. */
export function ProviderWeek({ provider }: { readonly provider: Item<'GET /providers/one/'> }) {
  const { t } = useTranslation()
  const { id, timezone, weekly } = provider
  const hours = useWrite('POST /providers/hours/', providerRows)
  const { save, question } = useCheckedWrite(id)
  const form = useWriteForm<{ readonly weekly: TypedWeek }>({
    initialValues: { weekly: typedWeek(weekly) },
    validate: (values) => weekFaults(values.weekly),
    write: (values) => {
      const changed = weeklyOf(values.weekly)
      return save({
        check: { weekly: changed },
        write: () => hours.mutateAsync({ body: { id, weekly: changed } }),
        undo: () => hours.mutateAsync({ body: { id, weekly } }),
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
        <WeekFields {...weekProps(form.fields, t)} />
      </Form>
      {question}
    </>
  )
}

/** Returns the errors of a week by field path. */
export function weekFaults(week: TypedWeek) {
  return Object.fromEntries(weekdays.flatMap((day) => Object.entries(windowFaults(`weekly.${day}`, week[day]))))
}

interface WeekForm {
  readonly values: { readonly weekly: TypedWeek }
  readonly errors: Readonly<Record<string, unknown>>
  setFieldValue(path: 'weekly', week: TypedWeek): void
  clearErrors(): void
}

/** Returns the props of `WeekFields` for a form. */
export function weekProps(fields: WeekForm, t: TFunction<'words'>) {
  return {
    week: fields.values.weekly,
    onChange: (week: TypedWeek): void => {
      fields.clearErrors()
      fields.setFieldValue('weekly', week)
    },
    faultOf: (name: string) => faultText(fields.errors[`weekly.${name}`], t),
  }
}

/** The message of an error of `windowFault`. */
export function faultText(fault: unknown, t: TFunction<'words'>): string | undefined {
  if (fault === 'empty') return t('providers.sameTimes')
  return fault === undefined ? undefined : t('providers.noTime')
}
