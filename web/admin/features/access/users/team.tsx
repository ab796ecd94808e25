import { Badge, Button, Menu, Text } from '@mantine/core'
import { IconLink, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../../components/data-table.tsx'
import { ActionsMenu, RemoveItem } from '../../../components/dialogs/actions-menu.tsx'
import { RemoveDialog } from '../../../components/dialogs/remove-dialog.tsx'
import { Screen } from '../../../components/screen.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../../data/query-parameters.ts'
import type { Item } from '../../../data/request.ts'
import { useUser } from '../../../data/session.ts'
import { AddUserForm, EditUserForm, NewLink } from './team-forms.tsx'

type User = Item<'GET /users/'>

/** Lists the users of the panel; adds, edits and removes users, and creates their password links. */
export default function Team() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const own = useUser().id
  const read = useRead('GET /users/', { page: pageOf(parameters), per_page: pageSize })
  const remove = useWrite('POST /users/remove/', ['GET /users/'])
  const [adding, setAdding] = useState(false)
  const [linking, setLinking] = useState<User>()
  const [removing, setRemoving] = useState<User>()
  const opened = read.data?.items.find(({ id }) => id === parameters.open)
  useCommands([{ id: 'team.add', label: t('team.add'), icon: <IconPlus size={18} />, run: () => setAdding(true) }])
  const columns: Column<User>[] = [
    {
      title: t('team.name'),
      cell: ({ id, name, email }) => `${name || email}${id === own ? ` (${t('team.you')})` : ''}`,
    },
    { title: t('team.email'), cell: ({ email }) => <BreakableEmail email={email} /> },
    { title: t('team.role'), cell: ({ role }) => t(`roles.${role}`) },
    { title: t('team.status'), cell: (user) => <Status user={user} /> },
    { title: t('team.secondFactor'), cell: ({ secondFactor }) => t(secondFactor ? 'common.yes' : 'common.no') },
    {
      title: t('team.lastSeen'),
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <Text size="sm" c="dimmed">
            {t('common.never')}
          </Text>
        ) : (
          <Timestamp at={lastSeenAt} as="ago" style={{ whiteSpace: 'nowrap' }} />
        ),
    },
  ]
  const open = (user: User): void => change({ open: user.id })
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
        rowActions={(user) => (
          <ActionsMenu label={`${t('common.actions')}: ${user.name || user.email}`}>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open(user)}>
              {t('common.edit')}
            </Menu.Item>
            {user.status === 'active' && (
              <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setLinking(user)}>
                {t('team.newLink')}
              </Menu.Item>
            )}
            <RemoveItem remove={() => setRemoving(user)} />
          </ActionsMenu>
        )}
      />
      {adding && <AddUserForm close={() => setAdding(false)} />}
      {opened && <EditUserForm key={opened.id} user={opened} close={() => change({ open: '' })} />}
      {linking && <NewLink user={linking} close={() => setLinking(undefined)} />}
      <RemoveDialog
        words="team"
        name={removing && (removing.name || removing.email)}
        close={() => setRemoving(undefined)}
        remove={async () => removing && remove.mutateAsync({ body: { id: removing.id } })}
      />
    </Screen>
  )
}

/** An e-mail address that may continue on a second line after the `@`, so that it leaves room for other columns. */
function BreakableEmail({ email }: Pick<User, 'email'>) {
  const end = email.lastIndexOf('@') + 1
  return (
    <>
      {email.slice(0, end)}
      <wbr />
      {email.slice(end)}
    </>
  )
}

function Status({ user: { status, passwordSet } }: { readonly user: User }) {
  const { t } = useTranslation()
  if (status === 'disabled') return <Badge color="gray">{t('team.disabled')}</Badge>
  return passwordSet ? (
    <Badge color="teal">{t('team.active')}</Badge>
  ) : (
    <Badge color="yellow">{t('team.waiting')}</Badge>
  )
}
