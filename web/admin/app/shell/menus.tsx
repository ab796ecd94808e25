import { Avatar, Button, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconLogout, IconUser, IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { chooseZone, deviceZone, useZone, zoneChoice } from '../../data/dates/formats.ts'
import { endSession, useSession, useUser } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { changeLanguage, isLanguage, languages } from '../../i18n/index.ts'

/** The header button that shows the panel's time zone and opens a menu of time zone, language and appearance. */
export function ViewMenu() {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const zone = useZone()
  const site = useSession()?.site.timezone ?? deviceZone
  const choice = useStore(zoneChoice)
  return (
    <Menu position="bottom-end" width={280} shadow="md" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          fw={400}
          leftSection={<IconWorld size={18} stroke={1.5} />}
          aria-label={`${t('shell.view')}. ${t('shell.zone', { zone })}`}
        >
          <Text span size="sm" c="dimmed" visibleFrom="xs">
            {zone}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.zoneTitle')}</Menu.Label>
        <Choice chosen={choice === 'site'} choose={() => chooseZone('site')}>
          {t('shell.zoneSite', { zone: site })}
        </Choice>
        <Choice chosen={choice === 'device'} choose={() => chooseZone('device')}>
          {t('shell.zoneDevice', { zone: deviceZone })}
        </Choice>
        <Menu.Label>{t('shell.look')}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((look) => (
          <Choice key={look} chosen={colorScheme === look} choose={() => setColorScheme(look)}>
            {t(`shell.${look}`)}
          </Choice>
        ))}
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {Object.entries(languages).map(([language, name]) => (
          <Choice
            key={language}
            chosen={i18n.language === language}
            choose={() => {
              if (isLanguage(language)) void changeLanguage(language)
            }}
          >
            <span lang={language}>{name}</span>
          </Choice>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface ChoiceProps {
  readonly chosen: boolean
  readonly choose: () => void
  readonly children: React.ReactNode
}

function Choice({ chosen, choose, children }: ChoiceProps) {
  return (
    <Menu.Item
      aria-current={chosen}
      onClick={choose}
      rightSection={chosen ? <IconCheck size={16} aria-hidden /> : null}
    >
      {children}
    </Menu.Item>
  )
}

/** The menu of the signed-in user: profile and sign-out. */
export function UserMenu() {
  const { t } = useTranslation()
  const { name, email, role } = useUser()
  const shown = name || email
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{t('shell.person', { name: shown })}</VisuallyHidden>
          <Avatar name={shown} color="accent" variant="filled" size={32} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="bright" truncate>
            {shown}
          </Text>
          <Text size="xs" truncate>
            {email} · {t(`roles.${role}`)}
          </Text>
        </Menu.Label>
        <Menu.Item component={PanelLink} to="/profile" leftSection={<IconUser size={18} stroke={1.5} />}>
          {t('places.profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={18} stroke={1.5} />}
          onClick={() => void endSession().then(undefined, toastError)}
        >
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
