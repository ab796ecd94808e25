import { Anchor, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StackedModal } from '../../components/dialogs/stacked-modal.tsx'
import { sessionEnded } from '../../data/queries.ts'
import { beginSession, type SignInEntry, useUser } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { SignInForm } from '../../features/access/components/sign-in-form.tsx'

/**
 * Opens a sign-in dialog over the page when the session has ended. Values entered in the page are preserved if the same
 * user signs in again.
 */
export function SignInAgain() {
  const { t } = useTranslation()
  const ended = useStore(sessionEnded)
  const { id, email } = useUser()
  const signedIn = async (user: SignInEntry): Promise<void> => {
    // The page shows data that was loaded for the previous user, so it is reloaded when another user signs in.
    if (user.id !== id) return location.reload()
    await beginSession()
  }
  return (
    <StackedModal
      opened={ended}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      // Requests that the service refuses meanwhile may open further dialogs, which wait below this one.
      zIndex={399}
      title={t('signIn.againTitle')}
    >
      <Stack gap="md">
        <Text size="sm">{t('signIn.againText')}</Text>
        <SignInForm email={email} done={signedIn} />
        <Anchor size="sm" href="/admin/sign-in">
          {t('signIn.againOther')}
        </Anchor>
      </Stack>
    </StackedModal>
  )
}
