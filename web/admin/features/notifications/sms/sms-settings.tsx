import {
  Alert,
  Checkbox,
  Fieldset,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { smsPresetIds, smsPresets } from '../../../../../src/notifications/sms/presets.ts'
import { smsContentTypes, smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../../components/dialogs/unsaved-guard.tsx'
import { Form, useWriteForm, type WriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { useUser } from '../../../data/session.ts'
import { TestSms } from '../test-message.tsx'
import {
  type ShownSmsSettings,
  type SmsValues,
  smsChangeOf,
  smsValuesOf,
  validateSms,
  withPreset,
} from './sms-values.ts'

/** The form of the settings of the SMS gateway, with a test message; only administrators can change the settings. */
export function SmsSettingsTab() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /notifications/sms/', {})
  const { role } = useUser()
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingState />
  return (
    <Stack maw={720}>
      {role !== 'admin' && (
        <Alert color="gray" icon={<IconInfoCircle />}>
          {t('notifications.readOnly')}
        </Alert>
      )}
      {!data.sending && (
        <Alert color="gray" icon={<IconInfoCircle />}>
          {t('sms.sendingOff')}
        </Alert>
      )}
      <SmsForm settings={data} readOnly={role !== 'admin'} />
      {role === 'admin' && <TestSms />}
    </Stack>
  )
}

interface SmsFormProps {
  readonly settings: ShownSmsSettings
  readonly readOnly: boolean
}

function SmsForm({ settings, readOnly }: SmsFormProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /notifications/sms/edit/', ['GET /notifications/sms/'])
  const before = smsValuesOf(settings)
  const form = useWriteForm<SmsValues>({
    initialValues: before,
    stored: settings,
    validate: (values) => Object.fromEntries(validateSms(values).map(([field, error]) => [field, t(`sms.${error}`)])),
    write: async (values) => {
      await edit.mutateAsync({ body: smsChangeOf(values, before) })
      form.fields.reset()
      toast(t('common.saved'))
    },
  })
  const { fields } = form
  const content = (
    <Stack>
      <Section title={t('sms.sending')} text={t('sms.text')}>
        <Switch label={t('sms.enabled')} {...fields.getInputProps('enabled', { type: 'checkbox' })} />
      </Section>
      <GatewayFields form={form} settings={settings} />
      <Section title={t('sms.kinds')} text={t('sms.kindsHelp')}>
        <Checkbox.Group aria-label={t('sms.kinds')} {...fields.getInputProps('kinds')}>
          <Stack gap={6}>
            {smsKinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={t(`notifications.kinds.${kind}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Section>
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

interface GatewayFieldsProps {
  readonly form: WriteForm<SmsValues>
  readonly settings: ShownSmsSettings
}

function GatewayFields({ form: { fields }, settings: { hasPassword, headerNames } }: GatewayFieldsProps) {
  const { t } = useTranslation()
  const kept = headerNames.length > 0 ? ` ${t('sms.headersKept', { names: headerNames.join(', ') })}` : ''
  return (
    <Section title={t('sms.gateway')} text={t('sms.gatewayText')}>
      <Select
        label={t('sms.preset')}
        description={t('sms.presetHelp')}
        placeholder={t('sms.presetNone')}
        data={smsPresetIds.map((value) => ({ value, label: smsPresets[value].name }))}
        value={null}
        onChange={(chosen) => {
          const id = smsPresetIds.find((one) => one === chosen)
          if (id) fields.setValues(withPreset(fields.values, id))
        }}
      />
      <TextInput
        label={t('sms.url')}
        description={t('sms.urlHelp')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...fields.getInputProps('url')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('sms.method')}
          data={['POST', 'PUT', 'GET']}
          allowDeselect={false}
          {...fields.getInputProps('method')}
        />
        <Select
          label={t('sms.contentType')}
          data={[...smsContentTypes]}
          allowDeselect={false}
          {...fields.getInputProps('contentType')}
        />
      </SimpleGrid>
      <TextInput
        label={t('sms.sender')}
        description={t('sms.senderHelp')}
        autoComplete="off"
        {...fields.getInputProps('sender')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('sms.user')}
          description={t('sms.userHelp')}
          autoComplete="off"
          spellCheck={false}
          {...fields.getInputProps('user')}
        />
        <PasswordInput
          label={t('notifications.password')}
          description={t(hasPassword ? 'sms.passwordKept' : 'sms.passwordHelp')}
          autoComplete="new-password"
          {...fields.getInputProps('password')}
        />
      </SimpleGrid>
      <Textarea
        label={t('sms.headers')}
        description={`${t('sms.headersHelp')}${kept}`}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...fields.getInputProps('headers')}
      />
      <Textarea
        label={t('sms.body')}
        description={t('sms.bodyHelp')}
        autosize
        minRows={4}
        maxRows={24}
        spellCheck={false}
        {...fields.getInputProps('body')}
      />
      <Textarea
        label={t('sms.refusals')}
        description={t('sms.refusalsHelp')}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...fields.getInputProps('refusals')}
      />
    </Section>
  )
}
