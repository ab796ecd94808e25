import { Button } from '@mantine/core'
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { GrantKind } from '../../../../../src/calendars/oauth/oauth.ts'
import { toastError } from '../../../components/dialogs/toast.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { scrollToElement } from '../../../components/scroll-to-element.ts'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { useUser } from '../../../data/session.ts'

const icons = { google: IconBrandGoogle, microsoft: IconBrandWindows } as const

/**
 * The sign-in at a calendar system (Google or Microsoft). `begin` redirects the browser to the sign-in page of that
 * system, to connect a new account, or to renew the access to the account `accountId`.
 */
interface GrantSignIn {
  readonly isPending: boolean
  begin(kind: GrantKind, providerId: number, accountId?: string): void
}

/** Returns a function, `begin`, that redirects the browser to a calendar system, where the user grants access. */
export function useGrantSignIn(): GrantSignIn {
  const write = useWrite('POST /calendar-accounts/authorize/')
  return {
    isPending: write.isPending,
    begin(kind, providerId, accountId) {
      const body = { kind, providerId, ...(accountId !== undefined && { accountId }) }
      write.mutateAsync({ body }).then(({ url }) => location.assign(url), toastError)
    },
  }
}

interface ConnectGrantButtonProps {
  readonly app: Item<'GET /calendar-apps/'>[number]
  readonly providerId: number
  readonly signIn: GrantSignIn
}

/**
 * A button that connects an account of a calendar system. While the site has no OAuth credentials for that system,
 * administrators see a link to the settings instead, and other users see nothing.
 */
export function ConnectGrantButton({ app: { kind, isSet }, providerId, signIn }: ConnectGrantButtonProps) {
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
      onClick={() => scrollToElement(kind)}
    >
      {t('grants.setUp', { system })}
    </Button>
  )
}
