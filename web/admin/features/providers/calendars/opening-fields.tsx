import { List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OpeningRule } from '../../../../../src/calendars/openings/opening-rule.ts'
import type { WriteForm } from '../../../components/fields/write-form.tsx'
import { When } from '../../../components/when.tsx'
import type { ShownCalendar } from './shown-calendar.ts'

/** What is entered about the events of a calendar that open time; `none` when all events block. */
export interface EnteredOpening {
  readonly opens: OpeningRule['by'] | 'none'
  readonly openText: string
}

/** Returns what a form shows for a rule. */
export function enteredOpening(opening: OpeningRule | null): EnteredOpening {
  return { opens: opening?.by ?? 'none', openText: opening?.text ?? '' }
}

/** Returns the rule that was entered; null for none. */
export function openingOf({ opens, openText }: EnteredOpening): OpeningRule | null {
  return opens === 'none' ? null : { by: opens, text: openText.trim() }
}

/** Whether a rule was chosen without the title or category that it needs. */
export function lacksText({ opens, openText }: EnteredOpening): boolean {
  return opens !== 'none' && openText.trim() === ''
}

/** The fields of which events open time. */
export function OpeningFields<Entered extends EnteredOpening>({
  form: { fields },
}: {
  readonly form: WriteForm<Entered>
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

/** How many events of a calendar open time, and those that cannot, with the reason. */
export function ShownOpenings({ calendar }: { readonly calendar: ShownCalendar }) {
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
                <When at={start} />: {t(`calendars.openings.fault.${code}`, { part })}
              </List.Item>
            ))}
          </List>
        </Text>
      )}
    </>
  )
}
