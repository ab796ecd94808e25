import { Alert, Checkbox, Fieldset, Stack, Switch, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isNotificationKind, propertiesOf } from '../../../../src/notifications/notification.ts'
import { switchableKinds } from '../../../../src/notifications/settings.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'
import { type MailValues, mailChangeOf, mailValuesOf, type ShownMailSettings, validateMail } from './mail-values.ts'
import { SuppressionNotice } from './recent-messages.tsx'
import { AddressFields, GivenServer, type MailFields, ServerFields } from './server-fields.tsx'
import { TestMessage } from './test-message.tsx'
import { TimingFields } from './timing-fields.tsx'

/** The form of the notification settings, with a test message; only administrators can change the settings. */
export function MailSettingsTab() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /notifications/settings/', {})
  const { role } = useUser()
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingState />
  return (
    <Stack maw={720}>
      {role !== 'admin' && (
        <Alert color="gray" icon={<IconInfoCircle />}>
          {t('notifications.readOnly')}
        </Alert>
      )}
      {/* Outside of the form, whose fields are disabled for managers, who may allow messages. */}
      <SuppressionNotice email={data.staffAddress} of="staff" />
      <SettingsForm settings={data} readOnly={role !== 'admin'} />
      {role === 'admin' && <TestMessage />}
    </Stack>
  )
}

interface SettingsFormProps {
  readonly settings: ShownMailSettings
  readonly readOnly: boolean
}

function SettingsForm({ settings, readOnly }: SettingsFormProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /notifications/settings/edit/', ['GET /notifications/settings/'])
  const before = mailValuesOf(settings, () => crypto.randomUUID())
  const form = useWriteForm<MailValues>({
    initialValues: before,
    stored: settings,
    validate: (values) =>
      Object.fromEntries(validateMail(values, settings).map(([field, error]) => [field, t(`notifications.${error}`)])),
    fieldOf,
    write: async (values) => {
      await edit.mutateAsync({ body: mailChangeOf(values, before) })
      form.fields.reset()
      toast(t('common.saved'))
    },
  })
  const { fields } = form
  const content = (
    <Stack>
      <Section title={t('notifications.sending')}>
        <Switch
          label={t('notifications.enabled')}
          description={t('notifications.enabledHelp')}
          {...fields.getInputProps('enabled', { type: 'checkbox' })}
        />
      </Section>
      {settings.smtpGiven ? <GivenServer /> : <ServerFields fields={fields} hasPassword={settings.hasPassword} />}
      <AddressFields fields={fields} />
      <TimingFields fields={fields} />
      <KindFields fields={fields} />
    </Stack>
  )
  if (readOnly)
    return (
      <Fieldset disabled variant="unstyled">
        {content}
      </Fieldset>
    )
  return (
    <>
      <UnsavedGuard when={fields.isDirty()} />
      <Form form={form} submitText={t('common.save')}>
        {content}
      </Form>
    </>
  )
}

/**
 * Returns the form field for a field name of the API. The form has two fields, amount and unit, for the time of a
 * reminder or a follow-up message; an error of that time is shown at the amount.
 */
function fieldOf(name: string): string {
  const reminder = /^reminders\[(\d+)\]$/.exec(name)
  if (reminder) return `reminders.${reminder[1]}.amount`
  if (name === 'agendaAt') return 'agenda.at'
  return name === 'followUp' ? 'followUp.amount' : name
}

function KindFields({ fields }: { readonly fields: MailFields }) {
  const { t } = useTranslation()
  return (
    <Section title={t('notifications.kindsTitle')}>
      <Checkbox.Group aria-label={t('notifications.kindsTitle')} {...fields.getInputProps('sent')}>
        <Stack gap="sm">
          {(['customer', 'provider', 'staff', 'users'] as const).map((audience) => (
            <Stack key={audience} gap={6} role="group" aria-label={t(`notifications.audiences.${audience}`)}>
              <Text size="sm" fw={500}>
                {t(`notifications.audiences.${audience}`)}
              </Text>
              {switchableKinds
                .filter((kind) => (isNotificationKind(kind) ? propertiesOf(kind).audience : 'users') === audience)
                .map((kind) => (
                  <Checkbox key={kind} value={kind} label={t(`notifications.kinds.${kind}`)} />
                ))}
            </Stack>
          ))}
        </Stack>
      </Checkbox.Group>
    </Section>
  )
}
