import { Select, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MovePolicy } from '../../../../../src/calendars/destinations/destination.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { translateMessage } from '../../../i18n/index.ts'
import type { ShownAccount } from './connect-account.tsx'

interface DestinationProps {
  readonly accounts: readonly ShownAccount[]
  readonly destination: Item<'GET /calendar-accounts/'>['destination']
}

/**
 * Selects the calendar to which a provider's reservations are written, and the policy for events that are moved in
 * that calendar.
 */
export function CalendarDestination({ accounts, destination }: DestinationProps) {
  const { t } = useTranslation()
  const set = useWrite('POST /calendar-accounts/destination/', ['GET /calendar-accounts/'])
  const calendars = accounts.flatMap((account) =>
    account.calendars.map((calendar) => ({ ...calendar, account, value: optionOf(account.id, calendar.ref) })),
  )
  const initial: { calendar: string; policy: MovePolicy; names: boolean; meetings: boolean } = {
    calendar: destination ? optionOf(destination.accountId, destination.ref) : '',
    policy: destination?.policy ?? 'restore',
    names: destination?.names ?? false,
    meetings: destination?.meetings ?? false,
  }
  const form = useWriteForm({
    initialValues: initial,
    stored: initial,
    write: async ({ calendar, policy, names, meetings }) => {
      const choice = choiceOf(calendar) ?? (destination && { id: destination.accountId, calendar: null })
      if (choice) await set.mutateAsync({ body: { ...choice, policy, names, meetings } })
      const name = calendars.find(({ value }) => value === calendar)?.name ?? ''
      toast(calendar === '' ? t('accounts.chosenNone') : t('accounts.chosen', { name }))
    },
  })
  const choices = [
    { value: '', label: t('accounts.none') },
    ...calendars.map(({ value, name, writable, listed, account: { user, host } }) => ({
      value,
      label: [name, user, writable ? host : t(listed ? 'accounts.readOnly' : 'accounts.unlisted')]
        .filter((part) => part !== '')
        .join(' · '),
      disabled: !writable,
    })),
  ]
  const { calendar } = form.fields.getValues()
  const hasChosen = calendar !== ''
  const kind = calendars.find(({ value }) => value === calendar)?.account.kind ?? 'caldav'
  return (
    <Form form={form} submitText={t('common.save')}>
      <Select
        label={t('accounts.destination')}
        description={t('accounts.destinationText')}
        data={choices}
        allowDeselect={false}
        {...form.fields.getInputProps('calendar')}
      />
      {destination && <State {...destination} />}
      {hasChosen && (
        <>
          <Select
            label={t('accounts.policy')}
            data={(['restore', 'reschedule'] as const).map((value) => ({ value, label: t(`accounts.${value}`) }))}
            allowDeselect={false}
            {...form.fields.getInputProps('policy')}
          />
          <Switch
            label={t('accounts.names')}
            description={t('accounts.namesHelp')}
            {...form.fields.getInputProps('names', { type: 'checkbox' })}
          />
          {kind !== 'caldav' && (
            <Switch
              label={t(`accounts.meetings.${kind}`)}
              description={t('accounts.meetings.help')}
              {...form.fields.getInputProps('meetings', { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </Form>
  )
}

/**
 * Returns the value of the option for a calendar. Two accounts can have the same calendar, such as one that is shared,
 * so its id alone does not identify the option.
 */
function optionOf(accountId: string, ref: string): string {
  return `${accountId} ${ref}`
}

/** Returns the account and the calendar of an option; undefined for the option without a calendar. */
function choiceOf(value: string): { readonly id: string; readonly calendar: string } | undefined {
  const [, id, calendar] = /^(\S+) (.+)$/s.exec(value) ?? []
  return id === undefined || calendar === undefined ? undefined : { id, calendar }
}

/**
 * Shows when the calendar to which reservations are written was last compared with the reservations, when it will be
 * compared next, the error of the last comparison, and the number of reservations that could not be written.
 */
function State({ readAt, nextAt, fault, failing }: NonNullable<DestinationProps['destination']>) {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="sm">
        {t('accounts.compared')} {readAt === null ? t('common.never') : <Timestamp at={readAt} as="ago" />} ·{' '}
        {t('accounts.next')} <Timestamp at={nextAt} />
      </Text>
      {fault && (
        <Text size="sm" className="breakable">
          <b>{t('calendars.fault')}</b> {translateMessage(fault)}
        </Text>
      )}
      {failing > 0 && <Text size="sm">{t('accounts.failing', { count: failing })}</Text>}
    </div>
  )
}
