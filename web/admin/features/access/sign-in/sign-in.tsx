import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink, Redirect } from '../../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useQueryParameters } from '../../../data/query-parameters.ts'
import { beginSession, useSessionRead } from '../../../data/session.ts'
import { SignInForm } from '../components/sign-in-form.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

/**
 * The sign-in page. After the sign-in, the page redirects to the path in the query parameter `next`, or to the start
 * page.
 */
export default function SignIn() {
  const { t } = useTranslation()
  const { data: session, error, refetch } = useSessionRead()
  const [parameters] = useQueryParameters()
  // Only paths of the panel are accepted, so that the page is not an open redirect.
  const next = /^\/(?!\/)/.test(parameters.next ?? '') ? (parameters.next ?? '/') : '/'
  if (error && !session) return <ErrorState error={error} retry={() => void refetch()} />
  if (!session) return <LoadingState />
  if (session.user) return <Redirect href={next} />
  if (session.setUpNeeded)
    return (
      <SignedOutPage title={t('signIn.needLink')}>
        <Text size="sm">{t('signIn.needLinkText')}</Text>
      </SignedOutPage>
    )
  return (
    <SignedOutPage title={t('signIn.title')} text={t('signIn.to', { site: session.site.name })}>
      <SignInForm done={beginSession} />
      <Anchor component={PanelLink} to="/forgot-password" size="sm" ta="center">
        {t('signIn.forgot')}
      </Anchor>
    </SignedOutPage>
  )
}
