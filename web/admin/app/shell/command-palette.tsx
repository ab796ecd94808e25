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
import { toastError } from '../../components/dialogs/toast.tsx'
import { endSession, useHasRole, useUser } from '../../data/session.ts'
import { createStore, useStore } from '../../data/store.ts'
import { navigationItems, settingsPages } from './navigation-items.ts'
import { useSearchResults } from './search-results.tsx'
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

// How long the command palette waits after the last keystroke before it searches, in milliseconds.
const debounceMilliseconds = 200

const registeredCommands = createStore<ReadonlyMap<string, readonly PaletteCommand[]>>(new Map())

/** Registers commands in the command palette while the calling component is mounted. */
export function useCommands(commands: readonly PaletteCommand[]): void {
  const key = useId()
  // The commands are registered again at each render, since the callback of a command may have changed.
  useEffect(() => {
    registeredCommands.set(new Map(registeredCommands.get()).set(key, commands))
  })
  useEffect(
    () => () => {
      const left = new Map(registeredCommands.get())
      left.delete(key)
      registeredCommands.set(left)
    },
    [key],
  )
}

/**
 * The command palette, opened with Ctrl-K: search results, the commands of the open screen, the pages and topics (tasks
 * and settings) that the user's role may open, and general commands.
 */
export default function CommandPalette() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { role } = useUser()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const here = [...useStore(registeredCommands).values()].flat()
  const dark = colorScheme !== 'dark'
  const [query, setQuery] = useState('')
  const [searchText] = useDebouncedValue(query.trim(), debounceMilliseconds)
  const found = useSearchResults(searchText, query)
  const topics = useTopics(searchText)
  const book = (): void => void navigate({ to: '/calendar', search: { book: '1' } })
  const changes = useHasRole(staff)
  const replans = useHasRole(desk)
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
        ...navigationItems
          .filter((place) => admits(place.roles, role))
          .map(({ to, labelKey, icon: Icon }) => ({ to, labelKey, section: <Icon size={18} stroke={1.5} /> })),
        ...settingsPages
          .filter((place) => admits(place.roles, role))
          .map(({ to, labelKey }) => ({ to, labelKey, section: null })),
      ].map(({ to, labelKey, section }) => ({
        id: to,
        label: t(`places.${labelKey}`),
        ...(to.startsWith('/settings/') && { description: t('places.settings') }),
        ...(labelKey === 'api' && { keywords: [t('tokens.title')] }),
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
          onClick: () => void endSession().then(undefined, toastError),
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
      // By default, the palette ignores Ctrl-K while an input field has the focus. An empty list removes this
      // exception, since a field of a form still has the focus after the form was saved.
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
