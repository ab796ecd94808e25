import { Button, Center, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../../components/dialogs/toast.tsx'
import { Screen } from '../../../components/screen.tsx'
import { endSession, useUser } from '../../../data/session.ts'
import { AuthenticatorApp } from '../profile/profile-app.tsx'
import { Passkeys } from '../profile/profile-passkeys.tsx'

interface EnrolmentProps {
  /** Called when the user continues to the rest of the panel. */
  readonly done: () => void
}

/**
 * Sets up a second factor. Users without a second factor whose role requires one can open only this page once the
 * deadline for the set-up has passed.
 */
export default function Enrolment({ done }: EnrolmentProps) {
  const { t } = useTranslation()
  const { totp, passkeys } = useUser()
  // The page remains open after a second factor was set up, with a button to continue, since the recovery codes are
  // shown only once.
  const enrolled = totp || passkeys > 0
  return (
    <Center component="main" p="md">
      <Stack w="100%" maw={720} mt="xl">
        <Screen
          title={t('security.notice.enrolTitle')}
          text={t('security.notice.enrolText')}
          actions={
            enrolled ? (
              <Button onClick={done}>{t('common.next')}</Button>
            ) : (
              <Button variant="default" onClick={() => void endSession().then(undefined, toastError)}>
                {t('shell.signOut')}
              </Button>
            )
          }
        >
          <AuthenticatorApp />
          <Passkeys />
        </Screen>
      </Stack>
    </Center>
  )
}
