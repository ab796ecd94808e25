import { Button, Group, Paper, Progress, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { admits, leading } from '../../../../src/access/users/role-groups.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import type { QueryParameters } from '../../data/query-parameters.ts'
import { useUser } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { BookingPageLink } from './first-booking.tsx'
import { firstSteps, hideSteps, stepsHidden, useProgress } from './first-steps.ts'
import styles from './start.module.css'

/** The start page: the steps of setting up the site that concern the user's role, and whether each is done. */
export default function StartScreen() {
  const { t } = useTranslation()
  const { role, name, email, totp, passkeys } = useUser()
  const reads = [...useSiteReads(admits(leading, role)), ...useInstallationReads(role === 'admin')]
  const title = { title: t('places.start'), text: t('start.person', { name: name || email, role: t(`roles.${role}`) }) }
  // All steps are rendered at once, since steps that load later would shift the ones below them.
  if (reads.some(({ enabled, read }) => enabled && read.data === undefined && !read.error))
    return (
      <Screen {...title}>
        <LoadingState lines={8} />
      </Screen>
    )
  return (
    <Screen {...title}>
      {role === 'admin' && <FirstSteps />}
      <Paper p={0} component="ul" className={styles.list ?? ''} aria-label={t('start.text')}>
        {admits(leading, role) && <SiteSteps />}
        {role === 'admin' && <InstallationSteps />}
        <Item
          done={totp || passkeys > 0}
          title={t('start.protect')}
          text={t('start.protectText')}
          to="/profile"
          place="profile"
        />
      </Paper>
    </Screen>
  )
}

/** A link to the first-run guide, until its steps are complete or the user hides the link. */
function FirstSteps() {
  const { t } = useTranslation()
  const { done } = useProgress()
  const hidden = useStore(stepsHidden)
  const count = done ? firstSteps.filter((step) => done[step]).length : firstSteps.length
  if (hidden || count === firstSteps.length) return null
  return (
    <Section
      title={t('firstRun.title')}
      text={t('firstRun.text')}
      actions={
        <>
          <Button variant="subtle" color="gray" onClick={hideSteps}>
            {t('firstRun.dismiss')}
          </Button>
          <Button component={PanelLink} to="/first-run">
            {t('firstRun.resume')}
          </Button>
        </>
      }
    >
      <Progress value={(100 * count) / firstSteps.length} aria-label={t('firstRun.title')} />
      <Text size="sm">{t('firstRun.progress', { done: count, count: firstSteps.length })}</Text>
    </Section>
  )
}

function useSiteReads(enabled: boolean) {
  const site = useRead('GET /site/', {}, { enabled })
  const services = useRead('GET /services/', { per_page: 5 }, { enabled })
  const providers = useRead('GET /providers/', { per_page: 5 }, { enabled })
  const bookings = useRead('GET /reservations/', { per_page: 5 }, { enabled })
  return [
    { enabled, read: site },
    { enabled, read: services },
    { enabled, read: providers },
    { enabled, read: bookings },
  ] as const
}

function useInstallationReads(enabled: boolean) {
  const people = useRead('GET /users/', { per_page: 2 }, { enabled })
  const tokens = useRead('GET /tokens/', { per_page: 100 }, { enabled })
  const system = useRead('GET /system/', {}, { enabled })
  return [
    { enabled, read: people },
    { enabled, read: tokens },
    { enabled, read: system },
  ] as const
}

function SiteSteps() {
  const { t } = useTranslation()
  const [{ read: site }, { read: services }, { read: providers }, { read: bookings }] = useSiteReads(true)
  return (
    <WhenLoaded of={[site, services, providers, bookings]}>
      <Item
        done={(services.data?.total ?? 0) > 0}
        title={t('firstRun.items.service')}
        text={t('firstRun.items.serviceText')}
        to="/services"
        place="services"
      />
      <Item
        done={(providers.data?.total ?? 0) > 0}
        title={t('firstRun.items.provider')}
        text={t('firstRun.items.providerText')}
        to="/providers"
        place="providers"
      />
      <Item
        done={(bookings.data?.total ?? 0) > 0}
        title={t('firstRun.items.booking')}
        text={
          <>
            {t('firstRun.items.bookingText')} <BookingPageLink />
          </>
        }
        to="/calendar"
        {...((bookings.data?.total ?? 0) === 0 && { search: { book: '1' } })}
        place="calendar"
      />
      <Item
        done={site.data?.siteUrl !== ''}
        title={t('start.site')}
        text={t('start.siteText')}
        to="/settings/site"
        place="site"
      />
    </WhenLoaded>
  )
}

function InstallationSteps() {
  const { t } = useTranslation()
  const [{ read: people }, { read: tokens }, { read: system }] = useInstallationReads(true)
  const hasToken = tokens.data?.items.some(({ state }) => state === 'active') ?? false
  // The panel makes backups of SQLite only; PostgreSQL has its own tools.
  const backsUp = system.data?.database === 'sqlite'
  return (
    <WhenLoaded of={[people, tokens, system]}>
      <Item
        done={(people.data?.total ?? 0) > 1}
        title={t('start.team')}
        text={t('start.teamText')}
        to="/settings/team"
        place="team"
      />
      <Item done={hasToken} title={t('start.token')} text={t('start.tokenText')} to="/settings/api" place="api" />
      {backsUp && (
        <Item
          done={(system.data?.lastBackupAt ?? null) !== null}
          title={t('start.backup')}
          text={t('start.backupText')}
          to="/settings/system"
          place="system"
        />
      )}
    </WhenLoaded>
  )
}

interface WhenLoadedProps {
  readonly of: readonly { readonly data: unknown; readonly error: unknown; refetch(): unknown }[]
  readonly children: ReactNode
}

/** Renders the children once all queries have loaded; a loading state before, and the error of a failed query. */
function WhenLoaded({ of, children }: WhenLoadedProps) {
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
  readonly title: string
  readonly text: ReactNode
  readonly to: string
  readonly search?: QueryParameters
  readonly place: 'services' | 'providers' | 'calendar' | 'site' | 'team' | 'api' | 'system' | 'profile'
}

function Item({ done, title, text, to, search, place }: ItemProps) {
  const { t } = useTranslation()
  return (
    <li>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <ThemeIcon variant="light" color={done ? 'teal' : 'gray'} radius="xl" size={30}>
          {done ? <IconCheck size={18} aria-hidden /> : <IconCircleDashed size={18} stroke={1.5} aria-hidden />}
        </ThemeIcon>
        <Stack gap={0}>
          <Text fw={500}>
            {title}
            <VisuallyHidden> ({t(done ? 'start.done' : 'start.open')})</VisuallyHidden>
          </Text>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </Stack>
      </Group>
      <Button component={PanelLink} to={to} {...(search && { search })} variant={done ? 'subtle' : 'default'} size="xs">
        {t(`places.${place}`)}
      </Button>
    </li>
  )
}
