import { Badge, Button, Menu } from '@mantine/core'
import { IconBan, IconCalendarOff, IconHelpHexagon, IconListDetails, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { ActionsMenu, LinkItem, RemoveItem } from '../../components/dialogs/actions-menu.tsx'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { Modal } from '../../components/dialogs/modal.tsx'
import { RemoveDialog } from '../../components/dialogs/remove-dialog.tsx'
import { toastError } from '../../components/dialogs/toast.tsx'
import { Screen } from '../../components/screen.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import { type Item, request } from '../../data/request.ts'
import { providerRoutes, useCheckedWrite } from './checked-write.tsx'
import { AddProviderForm } from './provider-add.tsx'
import { ProviderEditor } from './provider-editor.tsx'

type Provider = Item<'GET /providers/'>

const sorts = ['name', '-name'] as const

/** The screen that lists providers; opens the editor of one, and adds and removes providers. */
export default function Providers() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const sort = sorts.find((one) => one === parameters.sort)
  const search = parameters.search ?? ''
  const read = useRead('GET /providers/', {
    ...(search && { search }),
    ...(sort && { sort }),
    page: pageOf(parameters),
    per_page: pageSize,
  })
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Provider>()
  const remove = useWrite('POST /providers/remove/', providerRoutes)
  const begin = (): void => setAdding(true)
  const open = (id: number): void => change({ open: String(id), part: '', service: '' })
  useCommands([{ id: 'providers.add', label: t('providers.add'), icon: <IconPlus size={18} />, run: begin }])
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={begin}>
      {t('providers.add')}
    </Button>
  )
  const columns: Column<Provider>[] = [
    { title: t('providers.name'), sort: 'name', cell: ({ name }) => <span className="breakable">{name}</span> },
    { title: t('providers.services'), cell: (provider) => <ServiceCount of={provider} /> },
    { title: t('providers.hoursAWeek'), cell: ({ weekMinutes }) => hoursText(weekMinutes) },
    { title: t('providers.email'), cell: ({ email }) => email || '–' },
    { title: t('providers.timezone'), cell: ({ timezone }) => timezone },
  ]
  return (
    <Screen title={t('providers.title')} text={t('providers.text')} actions={add}>
      <DataTable
        label={t('providers.title')}
        read={read}
        rowKey={({ id }) => String(id)}
        columns={columns}
        searchable
        onOpen={({ id }) => open(id)}
        rowActions={(provider) => <RowMenu provider={provider} remove={() => setRemoving(provider)} />}
        empty={{ text: t('providers.empty'), action: add }}
      />
      {parameters.open && (
        <OpenedProvider
          key={parameters.open}
          id={Number(parameters.open)}
          close={() => change({ open: '', part: '', service: '' })}
        />
      )}
      {adding && (
        <Modal opened onClose={() => setAdding(false)} title={t('providers.add')} size="lg">
          <AddProviderForm
            close={() => setAdding(false)}
            added={(id) => {
              setAdding(false)
              open(id)
            }}
          />
        </Modal>
      )}
      <RemoveDialog
        words="providers"
        name={removing?.name}
        close={() => setRemoving(undefined)}
        remove={async () => removing && remove.mutateAsync({ body: { id: removing.id } })}
      />
    </Screen>
  )
}

function OpenedProvider({ id, close }: { readonly id: number; readonly close: () => void }) {
  const { t } = useTranslation()
  const { data } = useRead('GET /providers/one/', { id })
  return (
    <Drawer opened onClose={close} size={1040} title={data?.id === id ? data.name : t('providers.one')}>
      <ProviderEditor id={id} />
    </Drawer>
  )
}

function ServiceCount({ of: { services, ofServices } }: { readonly of: Provider }) {
  const { t } = useTranslation()
  if (services === 0 && ofServices > 0) return <Badge color="gray">{t('providers.noBookings')}</Badge>
  return services === ofServices ? t('providers.allServices') : t('providers.someServices', { services, ofServices })
}

function hoursText(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function RowMenu({ provider, remove }: { readonly provider: Provider; readonly remove: () => void }) {
  const { t } = useTranslation()
  const { id, name, services } = provider
  const edit = useWrite('POST /providers/edit/', providerRoutes)
  const { save, question } = useCheckedWrite(id)
  const none = { restrictServices: true, allowedServices: [] }
  const withdraw = async (): Promise<void> => {
    // Undo restores the services that the provider offers at present, so these are loaded before the change.
    const { booking } = await request('GET /providers/one/', { query: { id } })
    await save({
      check: none,
      write: () => edit.mutateAsync({ body: { id, ...none } }),
      ...(booking && { undo: () => edit.mutateAsync({ body: { id, ...restrictionsOf(booking) } }) }),
      done: t('providers.noBookingsDone', { name }),
    })
  }
  return (
    <>
      <ActionsMenu label={t('providers.actionsFor', { name })}>
        <LinkItem icon={<IconListDetails size={16} />} to="/reservations" search={{ providerId: String(id) }}>
          {t('places.reservations')}
        </LinkItem>
        <LinkItem icon={<IconCalendarOff size={16} />} to="/calendar/absence" search={{ providerId: String(id) }}>
          {t('calendar.planAbsence')}
        </LinkItem>
        <LinkItem icon={<IconHelpHexagon size={16} />} to="/why" search={{ providerId: String(id) }}>
          {t('places.why')}
        </LinkItem>
        <Menu.Item
          leftSection={<IconBan size={16} />}
          disabled={services === 0}
          onClick={() => void withdraw().then(undefined, toastError)}
        >
          {t('providers.takeNone')}
        </Menu.Item>
        <RemoveItem remove={remove} />
      </ActionsMenu>
      {question}
    </>
  )
}

function restrictionsOf({ restrictServices, allowedServices }: NonNullable<Item<'GET /providers/one/'>['booking']>) {
  return { restrictServices, allowedServices }
}
