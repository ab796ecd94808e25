import { Kbd, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { openSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconCalendarOff,
  IconCalendarPlus,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { admits, desk, staff } from '../../../../src/access/users/role-groups.ts'
import { endSession, useMay, useUser } from '../../data/session.ts'
import { createStore, useStore } from '../../data/store.ts'
import { useSearchResults } from './found.tsx'
import { places, settingsPlaces } from './places.ts'
import { shortcutsOpened, useShortcuts } from './shortcuts.ts'
import { useTopics } from './use-topics.tsx'

/** A command that a screen offers in the command palette while the screen is open. */
export interface PaletteCommand {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly run: () => void
}

const noTags: string[] = []

// Debounce of the search, in milliseconds.
const pause = 200

const registered = createStore<ReadonlyMap<string, readonly PaletteCommand[]>>(new Map())

/** Registers commands in the command palette while the calling component is mounted. */
export function useCommands(commands: readonly PaletteCommand[]): void {
  const key = useId()
  // The commands are registered again at each render, since the callback of a command may have changed.
  useEffect(() => {
    registered.set(new Map(registered.get()).set(key, commands))
  })
  useEffect(
    () => () => {
      const left = new Map(registered.get())
      left.delete(key)
      registered.set(left)
    },
    [key],
  )
}

/** The command palette (Ctrl-K): navigation entries of the role, commands of the screen, and general commands. */
export default function CommandPalette() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { role } = useUser()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const here = [...useStore(registered).values()].flat()
  const dark = colorScheme !== 'dark'
  const [query, setQuery] = useState('')
  const [sought] = useDebouncedValue(query.trim(), pause)
  const found = useSearchResults(sought, query)
  const topics = useTopics(sought)
  const book = (): void => void navigate({ to: '/calendar', search: { book: '1' } })
  const changes = useMay(staff)
  const replans = useMay(desk)
  useShortcuts({ ...(changes && { n: book }), '/': openSpotlight, '?': () => shortcutsOpened.set(true) })
  const actions: SpotlightActionGroupData[] = [
    ...found,
    {
      group: t('shell.actions'),
      actions: [
        ...(changes
          ? [
              {
                id: 'book',
                label: t('calendar.book'),
                leftSection: <IconCalendarPlus size={18} />,
                rightSection: <Kbd size="xs">N</Kbd>,
                onClick: book,
              },
            ]
          : []),
        ...(replans
          ? [
              {
                id: 'absence',
                label: t('calendar.planAbsence'),
                leftSection: <IconCalendarOff size={18} />,
                onClick: () => void navigate({ to: '/calendar/absence' }),
              },
            ]
          : []),
      ],
    },
    {
      group: t('shell.here'),
      actions: here.map(({ id, label, icon, run }) => ({ id, label, leftSection: icon, onClick: run })),
    },
    {
      group: t('shell.places'),
      actions: [
        ...places
          .filter((place) => admits(place.roles, role))
          .map(({ to, word, icon: Icon }) => ({ to, word, section: <Icon size={18} stroke={1.5} /> })),
        ...settingsPlaces
          .filter((place) => admits(place.roles, role))
          .map(({ to, word }) => ({ to, word, section: null })),
      ].map(({ to, word, section }) => ({
        id: to,
        label: t(`places.${word}`),
        ...(to.startsWith('/settings/') && { description: t('places.settings') }),
        ...(word === 'api' && { keywords: [t('tokens.title')] }),
        leftSection: section,
        onClick: () => void navigate({ to }),
      })),
    },
    topics,
    {
      group: t('shell.general'),
      actions: [
        {
          id: 'profile',
          label: t('places.profile'),
          leftSection: <IconUser size={18} stroke={1.5} />,
          onClick: () => void navigate({ to: '/profile' }),
        },
        {
          id: 'look',
          label: `${t('shell.look')}: ${t(dark ? 'shell.dark' : 'shell.light')}`,
          leftSection: dark ? <IconMoon size={18} stroke={1.5} /> : <IconSun size={18} stroke={1.5} />,
          onClick: () => setColorScheme(dark ? 'dark' : 'light'),
        },
        {
          id: 'shortcuts',
          label: t('shell.shortcuts'),
          leftSection: <IconKeyboard size={18} stroke={1.5} />,
          rightSection: <Kbd size="xs">?</Kbd>,
          onClick: () => shortcutsOpened.set(true),
        },
        {
          id: 'sign-out',
          label: t('shell.signOut'),
          leftSection: <IconLogout size={18} stroke={1.5} />,
          onClick: () => void endSession(),
        },
      ],
    },
  ]
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      actions={actions.filter((group) => group.actions.length > 0)}
      nothingFound={t('shell.commandsNothing')}
      shortcut="mod + K"
      // A field keeps the focus after a form is saved.
      tagsToIgnore={noTags}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: t('shell.commandsHint'),
        'aria-label': t('shell.commands'),
      }}
    />
  )
}
