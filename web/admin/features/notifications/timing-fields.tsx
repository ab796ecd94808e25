import { ActionIcon, Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/section.tsx'
import { parseTime } from '../../data/dates/parse-date.ts'
import { offsetUnits } from './mail-values.ts'
import type { MailFields } from './server-fields.tsx'

const maxReminders = 100

/**
 * Form fields for the times at which reminders, follow-up messages and the daily agenda are sent, and for the quiet
 * hours.
 */
export function TimingFields({ fields }: { readonly fields: MailFields }) {
  const { t } = useTranslation()
  const { reminders, followUp, quietHours, agenda } = fields.values
  return (
    <Section title={t('notifications.timing')}>
      <Stack gap={6} role="group" aria-label={t('notifications.reminders')}>
        <Text size="sm" fw={500}>
          {t('notifications.reminders')}
        </Text>
        <Text size="xs" c="dimmed">
          {t(reminders.length === 0 ? 'notifications.noReminders' : 'notifications.remindersHelp')}
        </Text>
        {reminders.map(({ key }, at) => (
          <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
            <OffsetFields
              fields={fields}
              name={`reminders.${at}`}
              label={t('notifications.reminder', { number: at + 1 })}
            />
            <ActionIcon
              size={36}
              aria-label={t('notifications.removeReminder', { number: at + 1 })}
              onClick={() => fields.removeListItem('reminders', at)}
            >
              <IconTrash size={18} stroke={1.5} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {reminders.length < maxReminders && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() =>
              fields.insertListItem('reminders', { key: crypto.randomUUID(), amount: 2, unit: 'hours' as const })
            }
          >
            {t('notifications.addReminder')}
          </Button>
        </div>
      )}
      <Switch label={t('notifications.followUp')} {...fields.getInputProps('followUp.on', { type: 'checkbox' })} />
      {followUp.on && <OffsetFields fields={fields} name="followUp" label={t('notifications.followUpTime')} />}
      <Switch
        label={t('notifications.quiet')}
        description={t('notifications.quietHelp')}
        {...fields.getInputProps('quietHours.on', { type: 'checkbox' })}
      />
      {quietHours.on && (
        <Group gap="xs" align="flex-start" role="group" aria-label={t('notifications.quiet')}>
          <TimeField fields={fields} name="quietHours.from" label={t('notifications.quietFrom')} />
          <TimeField fields={fields} name="quietHours.until" label={t('notifications.quietUntil')} />
        </Group>
      )}
      <Switch
        label={t('notifications.agenda')}
        description={t('notifications.agendaHelp')}
        {...fields.getInputProps('agenda.on', { type: 'checkbox' })}
      />
      {agenda.on && <TimeField fields={fields} name="agenda.at" label={t('notifications.agendaAt')} />}
    </Section>
  )
}

interface OffsetFieldsProps {
  readonly fields: MailFields
  /** The path of the form value, such as `reminders.0`: an amount and a unit of time before or after an appointment. */
  readonly name: string
  readonly label: string
}

function OffsetFields({ fields, name, label }: OffsetFieldsProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" role="group" aria-label={label} flex={1} maw={360}>
      <NumberInput
        aria-label={`${label}, ${t('notifications.amount')}`}
        flex="1 1 90px"
        min={1}
        allowDecimal={false}
        {...fields.getInputProps(`${name}.amount`)}
      />
      <Select
        aria-label={`${label}, ${t('notifications.unit')}`}
        flex="1 1 110px"
        data={offsetUnits.map((value) => ({ value, label: t(`notifications.units.${value}`) }))}
        allowDeselect={false}
        {...fields.getInputProps(`${name}.unit`)}
      />
    </Group>
  )
}

interface TimeFieldProps {
  readonly fields: MailFields
  readonly name: 'quietHours.from' | 'quietHours.until' | 'agenda.at'
  readonly label: string
}

function TimeField({ fields, name, label }: TimeFieldProps) {
  return (
    <TextInput
      label={label}
      w={120}
      placeholder="00:00"
      autoComplete="off"
      {...fields.getInputProps(name)}
      onBlur={(event) => {
        const read = parseTime(event.currentTarget.value)
        if (read !== undefined) fields.setFieldValue(name, read)
      }}
    />
  )
}
