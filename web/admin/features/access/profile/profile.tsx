import { DataList, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Screen } from '../../../components/screen.tsx'
import { Section } from '../../../components/section.tsx'
import { useUser } from '../../../data/session.ts'
import { OwnSecurityEvents } from '../users/security-events.tsx'
import { AuthenticatorApp, RecoveryCodes } from './profile-app.tsx'
import { Passkeys } from './profile-passkeys.tsx'
import { ChangePassword } from './profile-password.tsx'
import { Sessions } from './profile-sessions.tsx'

/** The page of the user's own account: password, second factors, sessions and security history. */
export default function Profile() {
  const { t } = useTranslation()
  const { name, email, role } = useUser()
  return (
    <Screen title={t('profile.title')}>
      <Stack maw={720}>
        <Section title={t('profile.you')}>
          <DataList orientation="horizontal" labelWidth={120}>
            <Fact label={t('profile.name')}>{name || '–'}</Fact>
            <Fact label={t('signIn.email')}>{email}</Fact>
            <Fact label={t('profile.role')}>{t(`roles.${role}`)}</Fact>
          </DataList>
        </Section>
        <ChangePassword />
        <AuthenticatorApp />
        <Passkeys />
        <RecoveryCodes />
        <Sessions />
        <Section title={t('security.ownTitle')} text={t('security.ownText')}>
          <OwnSecurityEvents />
        </Section>
      </Stack>
    </Screen>
  )
}

interface FactProps {
  readonly label: string
  readonly children: string
}

function Fact({ label, children }: FactProps) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
    </DataList.Item>
  )
}
