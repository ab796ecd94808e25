import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LeadOn, PanelLink } from '../../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useAddress } from '../../../data/address.ts'
import { beginSession, useSessionRead } from '../../../data/session.ts'
import { SignInForm } from '../components/sign-in-form.tsx'
import { Entrance } from './signed-out-page.tsx'

/** Where someone signs in; afterwards they are where they wanted to go. */
export default function SignIn() {
  const { t } = useTranslation()
  const { data: session, error, refetch } = useSessionRead()
  const [address] = useAddress()
  // A path of the panel and nothing else: a link from elsewhere leads nowhere else.
  const next = /^\/(?!\/)/.test(address.next ?? '') ? (address.next ?? '/') : '/'
  if (error && !session) return <ErrorState error={error} retry={() => void refetch()} />
  if (!session) return <LoadingState />
  if (session.person) return <LeadOn href={next} />
  if (session.setUpNeeded)
    return (
      <Entrance title={t('signIn.needLink')}>
        <Text size="sm">{t('signIn.needLinkText')}</Text>
      </Entrance>
    )
  return (
    <Entrance title={t('signIn.title')} text={t('signIn.to', { site: session.site.name })}>
      <SignInForm done={beginSession} />
      <Anchor component={PanelLink} to="/forgot-password" size="sm" ta="center">
        {t('signIn.forgot')}
      </Anchor>
    </Entrance>
  )
}
