import { Badge, Button, Menu, Text } from '@mantine/core'
import { IconLink, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../../app/shell/commands.tsx'
import { type Column, DataTable, pageSize } from '../../../components/data-table.tsx'
import { ActionsMenu, RemoveItem } from '../../../components/dialogs/actions-menu.tsx'
import { RemoveDialog } from '../../../components/dialogs/remove-dialog.tsx'
import { Screen } from '../../../components/screen.tsx'
import { When } from '../../../components/when.tsx'
import { pageOf, useAddress } from '../../../data/address.ts'
import type { Item } from '../../../data/ask.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import { useUser } from '../../../data/session.ts'
import { AddPerson, EditUserForm, NewLink } from './team-forms.tsx'

type Person = Item<'GET /people/'>

/** Who may use the panel: roles, links to set a password, and ends. */
export default function Team() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const own = useUser().id
  const read = useRead('GET /people/', { page: pageOf(address), per_page: pageSize })
  const remove = useWrite('POST /people/remove/', ['GET /people/'])
  const [adding, setAdding] = useState(false)
  const [linking, setLinking] = useState<Person>()
  const [removing, setRemoving] = useState<Person>()
  const opened = read.data?.items.find(({ id }) => id === address.open)
  useCommands([{ id: 'team.add', label: t('team.add'), icon: <IconPlus size={18} />, run: () => setAdding(true) }])
  const columns: Column<Person>[] = [
    {
      title: t('team.name'),
      cell: ({ id, name, email }) => `${name || email}${id === own ? ` (${t('team.you')})` : ''}`,
    },
    { title: t('team.email'), cell: ({ email }) => email },
    { title: t('team.role'), cell: ({ role }) => t(`roles.${role}`) },
    { title: t('team.status'), cell: (person) => <Status person={person} /> },
    { title: t('team.secondFactor'), cell: ({ secondFactor }) => t(secondFactor ? 'common.yes' : 'common.no') },
    {
      title: t('team.lastSeen'),
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <Text size="sm" c="dimmed">
            {t('common.never')}
          </Text>
        ) : (
          <When at={lastSeenAt} as="ago" />
        ),
    },
  ]
  const open = (person: Person): void => change({ open: person.id })
  return (
    <Screen
      title={t('team.title')}
      text={t('team.text')}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('team.add')}
        </Button>
      }
    >
      <DataTable
        label={t('team.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={open}
        empty={{ text: t('table.empty') }}
        rowActions={(person) => (
          <ActionsMenu label={`${t('common.actions')}: ${person.name || person.email}`}>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open(person)}>
              {t('common.edit')}
            </Menu.Item>
            <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setLinking(person)}>
              {t('team.newLink')}
            </Menu.Item>
            <RemoveItem remove={() => setRemoving(person)} />
          </ActionsMenu>
        )}
      />
      {adding && <AddPerson close={() => setAdding(false)} />}
      {opened && <EditUserForm key={opened.id} person={opened} close={() => change({ open: '' })} />}
      {linking && <NewLink person={linking} close={() => setLinking(undefined)} />}
      <RemoveDialog
        words="team"
        name={removing && (removing.name || removing.email)}
        close={() => setRemoving(undefined)}
        remove={async () => removing && remove.mutateAsync({ body: { id: removing.id } })}
      />
    </Screen>
  )
}

function Status({ person: { status, passwordSet } }: { readonly person: Person }) {
  const { t } = useTranslation()
  if (status === 'disabled') return <Badge color="gray">{t('team.disabled')}</Badge>
  return passwordSet ? (
    <Badge color="teal">{t('team.active')}</Badge>
  ) : (
    <Badge color="yellow">{t('team.waiting')}</Badge>
  )
}
