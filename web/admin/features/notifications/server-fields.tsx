import { Button, Group, NumberInput, PasswordInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/section.tsx'
import type { MailValues } from './mail-values.ts'

/** The form fields of the notification settings. */
export type MailFields = UseFormReturnType<MailValues>

interface ServerFieldsProps {
  readonly fields: MailFields
  readonly hasPassword: boolean
}

/** Fields for the SMTP server and its credentials. */
export function ServerFields({ fields, hasPassword }: ServerFieldsProps) {
  const { t } = useTranslation()
  const { security } = fields.values.smtp
  return (
    <Section title={t('notifications.server')} text={t('notifications.serverText')}>
      <TextInput
        label={t('notifications.host')}
        description={t('notifications.hostHelp')}
        autoComplete="off"
        spellCheck={false}
        {...fields.getInputProps('smtp.host')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={t('notifications.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          thousandSeparator=""
          {...fields.getInputProps('smtp.port')}
        />
        <Select
          label={t('notifications.security')}
          data={(['tls', 'starttls', 'none'] as const).map((value) => ({
            value,
            label: t(`notifications.securities.${value}`),
          }))}
          allowDeselect={false}
          {...fields.getInputProps('smtp.security')}
        />
      </SimpleGrid>
      {security === 'none' && (
        <Text size="sm" role="status">
          {t('notifications.unencrypted')}
        </Text>
      )}
      <TextInput
        label={t('notifications.user')}
        description={t('notifications.userHelp')}
        autoComplete="off"
        spellCheck={false}
        {...fields.getInputProps('smtp.user')}
      />
      <PasswordFields fields={fields} hasPassword={hasPassword} />
    </Section>
  )
}

/** Explains that the environment variable `DAYBOOK_SMTP_URL` sets the SMTP server; rendered instead of `ServerFields`. */
export function GivenServer() {
  const { t } = useTranslation()
  return (
    <Section title={t('notifications.server')}>
      <Text size="sm">{t('notifications.serverGiven')}</Text>
    </Section>
  )
}

function PasswordFields({ fields, hasPassword }: ServerFieldsProps) {
  const { t } = useTranslation()
  const { passwordChoice } = fields.values
  const choose = (choice: MailValues['passwordChoice']) => () => {
    fields.setFieldValue('passwordChoice', choice)
    fields.setFieldValue('password', '')
  }
  const keep = (
    <Button variant="default" onClick={choose('keep')}>
      {t('notifications.passwordKeep')}
    </Button>
  )
  if (passwordChoice === 'replace')
    return (
      <>
        <PasswordInput
          label={t('notifications.password')}
          autoComplete="new-password"
          {...fields.getInputProps('password')}
        />
        {hasPassword && <Group>{keep}</Group>}
      </>
    )
  return (
    <Group gap="xs" role="group" aria-label={t('notifications.password')}>
      <Text size="sm" role="status" flex="1 1 200px">
        {t(passwordChoice === 'keep' ? 'notifications.passwordStored' : 'notifications.passwordGoes')}
      </Text>
      {passwordChoice === 'remove' ? (
        keep
      ) : (
        <>
          <Button variant="default" onClick={choose('replace')}>
            {t('notifications.passwordReplace')}
          </Button>
          <Button variant="default" onClick={choose('remove')}>
            {t('notifications.passwordRemove')}
          </Button>
        </>
      )}
    </Group>
  )
}

/** Fields for the sender, the address for replies and the address for notices to staff. */
export function AddressFields({ fields }: { readonly fields: MailFields }) {
  const { t } = useTranslation()
  return (
    <Section title={t('notifications.addresses')}>
      <TextInput
        label={t('notifications.fromName')}
        description={t('notifications.fromNameHelp')}
        autoComplete="off"
        {...fields.getInputProps('from.name')}
      />
      <TextInput
        label={t('notifications.fromAddress')}
        type="email"
        autoComplete="off"
        {...fields.getInputProps('from.address')}
      />
      <TextInput
        label={t('notifications.replyTo')}
        description={t('notifications.replyToHelp')}
        type="email"
        autoComplete="off"
        {...fields.getInputProps('replyTo')}
      />
      <TextInput
        label={t('notifications.staffAddress')}
        description={t('notifications.staffAddressHelp')}
        type="email"
        autoComplete="off"
        {...fields.getInputProps('staffAddress')}
      />
    </Section>
  )
}
