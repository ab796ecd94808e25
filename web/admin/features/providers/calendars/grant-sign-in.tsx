import { Button } from '@mantine/core'
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { GrantKind } from '../../../../../src/calendars/oauth/oauth.ts'
import { toastTrouble } from '../../../components/dialogs/toast.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { showPart } from '../../../components/show-part.ts'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { useUser } from '../../../data/session.ts'

const icons = { google: IconBrandGoogle, microsoft: IconBrandWindows } as const

/** A sign-in at a calendar system, for a new account or for one to sign in to again. */
interface GrantSignIn {
  readonly isPending: boolean
  begin(kind: GrantKind, providerId: number, accountId?: string): void
}

/** Returns what leads to a calendar system, where the user grants access. */
export function useGrantSignIn(): GrantSignIn {
  const write = useWrite('POST /calendar-accounts/authorize/')
  return {
    isPending: write.isPending,
    begin(kind, providerId, accountId) {
      const body = { kind, providerId, ...(accountId !== undefined && { accountId }) }
      write.mutateAsync({ body }).then(({ url }) => location.assign(url), toastTrouble)
    },
  }
}

interface ConnectGrantedProps {
  readonly app: Item<'GET /calendar-apps/'>[number]
  readonly providerId: number
  readonly signIn: GrantSignIn
}

/** A button that connects an account; for administrators of a site that is not registered there, it leads to the settings. */
export function ConnectGranted({ app: { kind, isSet }, providerId, signIn }: ConnectGrantedProps) {
  const { t } = useTranslation()
  const { role } = useUser()
  const Icon = icons[kind]
  const system = t(`grants.systems.${kind}`)
  if (isSet)
    return (
      <Button
        variant="default"
        leftSection={<Icon size={16} />}
        loading={signIn.isPending}
        onClick={() => signIn.begin(kind, providerId)}
      >
        {t('grants.connect', { system })}
      </Button>
    )
  if (role !== 'admin') return null
  return (
    <Button
      variant="subtle"
      leftSection={<Icon size={16} />}
      component={PanelLink}
      to="/settings/policies"
      onClick={() => showPart(kind)}
    >
      {t('grants.setUp', { system })}
    </Button>
  )
}
