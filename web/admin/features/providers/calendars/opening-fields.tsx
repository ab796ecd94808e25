import { List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OpeningRule } from '../../../../../src/calendars/openings/opening-rule.ts'
import type { WriteForm } from '../../../components/fields/write-form.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import type { ShownCalendar } from './shown-calendar.ts'

/**
 * The form values of the rule by which events of a calendar open bookable time; `opens` is `none` when no event opens
 * time.
 */
export interface OpeningValues {
  readonly opens: OpeningRule['by'] | 'none'
  readonly openText: string
}

/**
 * Converts a calendar's opening rule, by which its events open bookable time, to form values; null stands for no rule.
 */
export function openingValuesOf(opening: OpeningRule | null): OpeningValues {
  return { opens: opening?.by ?? 'none', openText: opening?.text ?? '' }
}

/**
 * Converts form values to a calendar's opening rule, by which its events open bookable time; null when `opens` is
 * `none`.
 */
export function openingOf({ opens, openText }: OpeningValues): OpeningRule | null {
  return opens === 'none' ? null : { by: opens, text: openText.trim() }
}

/** Whether a rule by which events open bookable time was selected without the title or category that it needs. */
export function isTextMissing({ opens, openText }: OpeningValues): boolean {
  return opens !== 'none' && openText.trim() === ''
}

/** Form fields for the rule by which events of a calendar open bookable time. */
export function OpeningFields<Values extends OpeningValues>({
  form: { fields },
}: {
  readonly form: WriteForm<Values>
}) {
  const { t } = useTranslation()
  const { opens } = fields.getValues()
  return (
    <Stack gap="xs" role="group" aria-label={t('calendars.openings.title')}>
      <Select
        label={t('calendars.openings.title')}
        description={t('calendars.openings.text')}
        data={(['none', 'title', 'category'] as const).map((value) => ({
          value,
          label: t(`calendars.openings.by.${value}`),
        }))}
        allowDeselect={false}
        {...fields.getInputProps('opens')}
      />
      {opens !== 'none' && (
        <>
          <TextInput
            label={t(`calendars.openings.field.${opens as OpeningRule['by']}`)}
            placeholder={t('calendars.openings.example')}
            maxLength={200}
            autoComplete="off"
            {...fields.getInputProps('openText')}
          />
          <Text size="xs" c="dimmed">
            {t('calendars.openings.settings')}
          </Text>
        </>
      )}
    </Stack>
  )
}

/**
 * Shows how many events of a calendar open bookable time by the calendar's rule. Lists the events that match the rule
 * but cannot open time, with the reasons.
 */
export function OpeningsSummary({ calendar }: { readonly calendar: ShownCalendar }) {
  const { t } = useTranslation()
  const { opening, openings, openingFaults } = calendar
  if (!opening) return null
  return (
    <>
      <Text size="sm" c="dimmed" className="breakable">
        {t('calendars.openings.count', { count: openings, text: opening.text })}
      </Text>
      {openingFaults.length > 0 && (
        <Text size="sm" component="div" className="breakable">
          <b>{t('calendars.openings.faults')}</b>
          <List size="sm">
            {openingFaults.map(({ start, code, part }) => (
              <List.Item key={`${start} ${part}`}>
                <Timestamp at={start} />: {t(`calendars.openings.fault.${code}`, { part })}
              </List.Item>
            ))}
          </List>
        </Text>
      )}
    </>
  )
}
