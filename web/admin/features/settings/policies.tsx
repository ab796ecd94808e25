import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { IconPlus, IconTrash, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { lastDayAfter } from '../../data/dates/dates.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { SecondFactorPolicyForm } from '../access/users/second-factor-policy.tsx'
import { useConflictCheck } from '../conflicts/conflict-check.tsx'
import { defaultCancelReasons } from '../reservations/visit/cancellation.ts'
import { GrantApps } from './grant-apps.tsx'
import { HolidayImport } from './holiday-import.tsx'
import { NoShowFields, type NoShowValues, noShowValues } from './no-show-fields.tsx'

type SiteSettings = Item<'GET /site/'>

interface FormValues extends NoShowValues {
  readonly removal: SiteSettings['policies']['removal']
  readonly listFullSlots: boolean
  readonly calendarPollMinutes: number
  readonly calendarMaxAgeMinutes: number
  /** The reasons of a cancellation that the panel suggests, one per line. */
  readonly cancelReasons: string
  /**
   * The holidays as form rows. Each row has a React key, so that removing one row does not mix up the fields of the
   * others.
   */
  readonly holidays: { key: string; from: string | null; to: string | null; name: string }[]
}

/** The screen of the site's policies and holidays; for administrators, also calendar systems and second factors. */
export default function Policies() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /site/', {})
  const { role } = useUser()
  return (
    <Screen title={t('policies.title')} text={t('policies.text')}>
      {data ? (
        <Stack maw={640}>
          <PoliciesForm site={data} />
          {role === 'admin' && <GrantApps />}
          {role === 'admin' && <SecondFactorPolicyForm />}
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

const maxReasons = 20
const maxReasonLength = 100

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function PoliciesForm({ site: { policies, holidays } }: { readonly site: SiteSettings }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /site/edit/', ['GET /site/', 'GET /session/', 'GET /conflicts/'])
  const conflicts = useConflictCheck()
  const form = useWriteForm<FormValues>({
    initialValues: {
      ...policies,
      ...noShowValues(policies.noShows),
      cancelReasons: policies.cancelReasons.join('\n'),
      holidays: holidays
        .toSorted((one, other) => (one.from < other.from ? -1 : 1))
        .map((one) => ({ name: '', ...one, key: crypto.randomUUID() })),
    },
    stored: [policies, holidays],
    validate: ({ holidays: entered, cancelReasons }) =>
      Object.fromEntries([
        ...(linesOf(cancelReasons).length > maxReasons ? [['cancelReasons', t('policies.reasonsTooMany')]] : []),
        ...(linesOf(cancelReasons).some(({ length }) => length > maxReasonLength)
          ? [['cancelReasons', t('policies.reasonTooLong')]]
          : []),
        ...entered.flatMap(({ from, to }, at) => [
          ...(from === null ? [[`holidays.${at}.from`, t('policies.dateMissing')]] : []),
          ...(from !== null && to !== null && to < from ? [[`holidays.${at}.to`, t('policies.datesSwapped')]] : []),
        ]),
      ]),
    // The service names a policy `policies.x` in errors, since the request body nests the policies; the form field is
    // `x`.
    fieldOf: (name) => name.replace(/^policies\./, ''),
    write: async ({ holidays: entered, cancelReasons: lines, noShowsApply, noShows, ...policy }): Promise<boolean> => {
      const cancelReasons = linesOf(lines)
      const dates = entered.flatMap(({ from, to, name }) =>
        from === null ? [] : [{ from, to: to ?? from, ...(name !== '' && { name }) }],
      )
      const isClosing = dates.some(({ from, to }) => !holidays.some((one) => one.from === from && one.to === to))
      const all = { ...policy, cancelReasons, noShows: noShowsApply ? noShows : null }
      const changed = form.changedOf(all, { noShows: 'noShowsApply' })
      const change = {
        ...(Object.keys(changed).length > 0 && { policies: changed }),
        ...form.changedOf({ holidays: dates }),
      }
      return conflicts.save('holidays' in change ? { holidays: dates } : {}, async (affected) => {
        await edit.mutateAsync({ body: change })
        form.fields.resetDirty()
        toast(t(isClosing && affected === 0 ? 'policies.savedFree' : 'common.saved'))
      })
    },
  })
  const { fields } = form
  // The key of the holiday row that was added last, whose first field takes the focus.
  const [added, setAdded] = useState<string>()
  const [importing, setImporting] = useState(false)
  return (
    <Paper>
      <Form form={form} submitText={t('common.save')}>
        <Select
          label={t('policies.removal')}
          description={t('policies.removalHelp')}
          data={(['any', 'cancelled', 'cancelled_or_past', 'never'] as const).map((value) => ({
            value,
            label: t(`policies.removals.${value}`),
          }))}
          allowDeselect={false}
          {...fields.getInputProps('removal')}
        />
        <Switch
          mt="xs"
          label={t('policies.listFullSlots')}
          description={t('policies.listFullSlotsHelp')}
          {...fields.getInputProps('listFullSlots', { type: 'checkbox' })}
        />
        <Textarea
          label={t('policies.cancelReasons')}
          description={t('policies.cancelReasonsHelp')}
          placeholder={defaultCancelReasons.map((one) => t(`cancellation.reasons.${one}`)).join('\n')}
          autosize
          minRows={4}
          maxRows={12}
          {...fields.getInputProps('cancelReasons')}
        />
        <NoShowFields fields={fields} />
        <Title order={2} mt="md">
          {t('policies.calendars')}
        </Title>
        <NumberInput
          label={t('policies.calendarPoll')}
          description={t('policies.calendarPollHelp')}
          min={1}
          max={1_440}
          allowDecimal={false}
          {...fields.getInputProps('calendarPollMinutes')}
        />
        <NumberInput
          label={t('policies.calendarMaxAge')}
          description={t('policies.calendarMaxAgeHelp')}
          min={5}
          max={44_640}
          allowDecimal={false}
          {...fields.getInputProps('calendarMaxAgeMinutes')}
        />
        <Title order={2} mt="md" id="holidays">
          {t('policies.holidays')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('policies.holidaysText')}
        </Text>
        <Stack gap="xs">
          {fields.values.holidays.map(({ key, from, to, name }, at) => (
            <Group key={key} gap="xs" align="flex-end" role="group" aria-label={name || t('policies.holiday')}>
              <DateField
                {...named(t('policies.from'), at)}
                flex="1 1 130px"
                autoFocus={key === added}
                {...fields.getInputProps(`holidays.${at}.from`)}
                onChange={(date) => {
                  fields.setFieldValue(`holidays.${at}.from`, date)
                  if (date) fields.setFieldValue(`holidays.${at}.to`, lastDayAfter(date, { from, to }))
                }}
              />
              <DateField
                {...named(t('policies.to'), at)}
                flex="1 1 130px"
                {...fields.getInputProps(`holidays.${at}.to`)}
              />
              <TextInput
                {...named(t('policies.name'), at)}
                flex="2 1 140px"
                {...fields.getInputProps(`holidays.${at}.name`)}
              />
              <ActionIcon
                size={36}
                aria-label={`${t('common.remove')}: ${name || t('policies.holiday')}`}
                onClick={() => fields.removeListItem('holidays', at)}
              >
                <IconTrash size={18} stroke={1.5} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              const key = crypto.randomUUID()
              setAdded(key)
              fields.insertListItem('holidays', { key, from: null, to: null, name: '' })
            }}
          >
            {t('policies.addHoliday')}
          </Button>
          <Button variant="default" leftSection={<IconWorld size={16} />} onClick={() => setImporting(true)}>
            {t('policies.importTitle')}
          </Button>
        </Group>
      </Form>
      <UnsavedGuard when={fields.isDirty()} />
      {conflicts.question}
      {importing && (
        <HolidayImport
          known={fields.values.holidays}
          add={(dates) => {
            for (const one of dates) fields.insertListItem('holidays', { key: crypto.randomUUID(), ...one })
          }}
          close={() => setImporting(false)}
        />
      )}
    </Paper>
  )
}

// The fields of the first row have visible labels, which serve as column headings; the fields of other rows have labels
// for screen readers only.
function named(label: string, at: number) {
  return at === 0 ? { label } : { 'aria-label': label }
}
