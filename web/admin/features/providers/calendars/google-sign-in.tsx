import { Button } from '@mantine/core'
import { IconBrandGoogle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toastTrouble } from '../../../components/dialogs/toast.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { showPart } from '../../../components/show-part.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import { useUser } from '../../../data/session.ts'

/** Returns a function that leads to Google, where the user grants access, for a new account or one to sign in to again. */
export function useGoogleSignIn(): {
  readonly isPending: boolean
  begin(providerId: number, accountId?: string): void
} {
  const write = useWrite('POST /calendar-accounts/authorize/')
  return {
    isPending: write.isPending,
    begin(providerId, accountId) {
      const body = { kind: 'google', providerId, ...(accountId !== undefined && { accountId }) } as const
      write.mutateAsync({ body }).then(({ url }) => location.assign(url), toastTrouble)
    },
  }
}

/** Connects an account with Google Calendar; for administrators of a site that is not registered there, leads to the settings. */
export function ConnectGoogle({ providerId }: { readonly providerId: number }) {
  const { t } = useTranslation()
  const { role } = useUser()
  const { data } = useRead('GET /calendar-apps/', {})
  const { isPending, begin } = useGoogleSignIn()
  const app = data?.find(({ kind }) => kind === 'google')
  if (!app) return null
  if (app.isSet)
    return (
      <Button
        variant="default"
        leftSection={<IconBrandGoogle size={16} />}
        loading={isPending}
        onClick={() => begin(providerId)}
      >
        {t('google.connect')}
      </Button>
    )
  if (role !== 'admin') return null
  return (
    <Button
      variant="default"
      leftSection={<IconBrandGoogle size={16} />}
      component={PanelLink}
      to="/settings/policies"
      onClick={() => showPart('google')}
    >
      {t('google.setUp')}
    </Button>
  )
}
