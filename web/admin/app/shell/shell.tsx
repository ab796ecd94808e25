import { ActionIcon, AppShell, Burger, Group, Kbd, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { openSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Redirect } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useLive } from '../../data/live.ts'
import { useWrite } from '../../data/queries.ts'
import { type PanelSession, type SignedInUser, useSessionRead } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { isLanguage, withDeferredTexts } from '../../i18n/index.ts'
import icon from '../../icon.svg'
import { AccountNotices } from './account-notices.tsx'
import CommandPalette from './command-palette.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { UserMenu, ViewMenu } from './menus.tsx'
import { BottomNavigation, Navigation } from './navigation.tsx'
import { QuestionDialogs } from './question-dialogs.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'
import styles from './shell.module.css'
import { shortcutsOpened } from './shortcuts.ts'
import { SignInAgain } from './sign-in-again.tsx'

/** The layout of every page for signed-in users; redirects other visitors to the sign-in page. */
export function Shell() {
  const { data, error, refetch } = useSessionRead()
  const { href } = useLocation()
  // The stream is requested together with the session, so that it is usually open before the screen requests its data:
  // whatever is requested earlier is requested again when the stream opens.
  useLive(data ? data.user !== null && !mustEnrol(data) : !error)
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingState />
  if (!data.user) return <Redirect href={href === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(href)}`} />
  return <SignedInShell session={data} user={data.user} />
}

const Enrolment = lazyPart(() => import('../../features/access/sign-in/enrolment.tsx'), {
  fallback: () => <LoadingState />,
})

const ShortcutsDialog = lazyPart(
  withDeferredTexts(() => import('./shortcuts-dialog.tsx')),
  {
    closeOf: ({ close }) => close,
  },
)

interface SignedInShellProps {
  readonly session: PanelSession
  readonly user: SignedInUser
}

function SignedInShell({ session, user }: SignedInShellProps) {
  useStoredLanguage(user)
  const [enrolling, setEnrolling] = useState(false)
  const isDue = mustEnrol(session)
  if (isDue && !enrolling) setEnrolling(true)
  return (
    <>
      {enrolling || isDue ? (
        <Enrolment done={() => setEnrolling(false)} />
      ) : (
        <PanelLayout siteName={session.site.name} />
      )}
      <QuestionDialogs />
      <ReauthenticationDialog />
    </>
  )
}

/** Whether the service refuses other requests of the user until a second factor is set up. */
function mustEnrol({ user, now }: PanelSession): boolean {
  const dueAt = user?.secondFactorDueAt ?? null
  return dueAt !== null && dueAt <= now
}

/**
 * Stores the panel's current language as the user's language whenever the two differ; the service writes messages to
 * the user in that language.
 */
function useStoredLanguage({ language }: Pick<SignedInUser, 'language'>): void {
  const { i18n } = useTranslation()
  const { mutate } = useWrite('POST /session/language/', ['GET /session/'])
  const current = i18n.language
  useEffect(() => {
    if (isLanguage(current) && current !== language) mutate({ body: { language: current } })
  }, [current, language, mutate])
}

function PanelLayout({ siteName }: { readonly siteName: string }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const [opened, { toggle, close }] = useDisclosure()
  const listsShortcuts = useStore(shortcutsOpened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the path changes
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      footer={{ height: { base: 58, sm: 0 } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#content">
        {t('shell.skip')}
      </a>
      <AppShell.Header className={styles.bar ?? ''}>
        <Group gap="xs" wrap="nowrap" flex={1} miw={0}>
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? t('shell.closeNavigation') : t('shell.openNavigation')}
          />
          <img src={icon} alt="" width={24} height={24} />
          <Text fw={600} truncate>
            {siteName}
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap">
          <UnstyledButton className={styles.search ?? ''} onClick={openSpotlight} visibleFrom="sm">
            <IconSearch size={16} />
            <span>{t('shell.commands')}</span>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <Tooltip label={t('shell.commands')}>
            <ActionIcon size="lg" hiddenFrom="sm" onClick={openSpotlight} aria-label={t('shell.commands')}>
              <IconSearch size={20} stroke={1.5} />
            </ActionIcon>
          </Tooltip>
          <ViewMenu />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="div">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <AccountNotices />
        <div className={styles.content}>
          <Outlet />
        </div>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm" component="div">
        <BottomNavigation more={toggle} opened={opened} />
      </AppShell.Footer>
      <CommandPalette />
      {listsShortcuts && <ShortcutsDialog close={() => shortcutsOpened.set(false)} />}
      <SignInAgain />
    </AppShell>
  )
}
