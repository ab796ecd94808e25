import { Button, Group, Paper, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../components/panel-link.tsx'
import { Screen } from '../components/screen.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { useRead } from '../data/queries.ts'
import { admits, usePerson } from '../data/session.ts'
import styles from './start.module.css'

/** Where signing in leads: what the installation still needs of whoever is signed in. */
export default function Start() {
  const { t } = useTranslation()
  const { role, name, email, totp, passkeys } = usePerson()
  return (
    <Screen title={t('places.start')} text={t('start.person', { name: name || email, role: t(`roles.${role}`) })}>
      <Paper p={0} component="ul" className={styles.list ?? ''} aria-label={t('start.text')}>
        {admits(['admin', 'manager'], role) && <OfSite />}
        {admits(['admin'], role) && <OfInstallation />}
        <Item done={totp || passkeys > 0} word="protect" to="/profile" place="profile" />
      </Paper>
    </Screen>
  )
}

function OfSite() {
  const site = useRead('GET /site/', {})
  return (
    <Known of={[site]}>
      <Item done={site.data?.siteUrl !== ''} word="site" to="/settings/site" place="site" />
    </Known>
  )
}

function OfInstallation() {
  const people = useRead('GET /people/', { per_page: 2 })
  const tokens = useRead('GET /tokens/', { per_page: 100 })
  const system = useRead('GET /system/', {})
  const hasToken = tokens.data?.items.some(({ state }) => state === 'active') ?? false
  // A backup is made here of the embedded database alone; PostgreSQL has its own.
  const backsUp = system.data?.database === 'sqlite'
  return (
    <Known of={[people, tokens, system]}>
      <Item done={(people.data?.total ?? 0) > 1} word="team" to="/settings/team" place="team" />
      <Item done={hasToken} word="token" to="/settings/tokens" place="tokens" />
      {backsUp && (
        <Item done={system.data?.backup.state === 'done'} word="backup" to="/settings/system" place="system" />
      )}
    </Known>
  )
}

interface KnownProps {
  readonly of: readonly { readonly data: unknown; readonly error: unknown; refetch(): unknown }[]
  readonly children: ReactNode
}

/** Shows nothing as done or open before it is known. */
function Known({ of, children }: KnownProps) {
  const failed = of.find(({ error, data }) => error && data === undefined)
  if (failed)
    return (
      <li>
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      </li>
    )
  if (of.some(({ data }) => data === undefined))
    return (
      <li>
        <LoadingState lines={of.length} />
      </li>
    )
  return children
}

interface ItemProps {
  readonly done: boolean
  readonly word: 'site' | 'team' | 'token' | 'backup' | 'protect'
  readonly to: string
  readonly place: 'site' | 'team' | 'tokens' | 'system' | 'profile'
}

function Item({ done, word, to, place }: ItemProps) {
  const { t } = useTranslation()
  return (
    <li>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <ThemeIcon variant="light" color={done ? 'teal' : 'gray'} radius="xl" size={30}>
          {done ? <IconCheck size={18} aria-hidden /> : <IconCircleDashed size={18} stroke={1.5} aria-hidden />}
        </ThemeIcon>
        <Stack gap={0}>
          <Text fw={500}>
            {t(`start.${word}`)}
            <VisuallyHidden> ({t(done ? 'start.done' : 'start.open')})</VisuallyHidden>
          </Text>
          <Text size="sm" c="dimmed">
            {t(`start.${word}Text`)}
          </Text>
        </Stack>
      </Group>
      <Button component={PanelLink} to={to} variant={done ? 'subtle' : 'default'} size="xs">
        {t(`places.${place}`)}
      </Button>
    </li>
  )
}
