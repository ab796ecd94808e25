import { Badge, Button, ColorSwatch, Group, Menu, Text } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconEye,
  IconEyeOff,
  IconHelpHexagon,
  IconPlus,
  IconScale,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { ActionsMenu, LinkItem, RemoveItem } from '../../components/dialogs/actions-menu.tsx'
import { RemoveDialog } from '../../components/dialogs/remove-dialog.tsx'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { Screen } from '../../components/screen.tsx'
import { useLocale } from '../../data/dates/formats.ts'
import { formatAmount } from '../../data/dates/money.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { ServiceDrawer } from './service-drawer.tsx'

type Service = Item<'GET /services/'>

const states = ['offered', 'withdrawn'] as const

/** The screen that lists services in display order, and adds, edits, orders and removes them. */
export default function Services() {
  const { t } = useTranslation()
  const locale = useLocale()
  const [parameters, change] = useQueryParameters()
  const state = states.find((one) => one === parameters.state)
  const search = parameters.search ?? ''
  const read = useRead('GET /services/', {
    ...(search && { search }),
    ...(state && { state }),
    page: pageOf(parameters),
    per_page: pageSize,
  })
  const site = useRead('GET /site/', {})
  const [removing, setRemoving] = useState<Service>()
  const remove = useWrite('POST /services/remove/', ['GET /services/', 'GET /why/choices/'])
  const begin = (): void => change({ open: 'new', field: '' })
  useCommands([{ id: 'services.add', label: t('services.add'), icon: <IconPlus size={18} />, run: begin }])
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={begin}>
      {t('services.add')}
    </Button>
  )
  const columns: Column<Service>[] = [
    { title: t('services.name'), cell: (service) => <Name of={service} /> },
    {
      title: t('services.state'),
      cell: ({ active }) => (
        <Badge color={active ? 'teal' : 'gray'}>{t(active ? 'services.offered' : 'services.withdrawn')}</Badge>
      ),
    },
    {
      title: t('services.fields.durationMinutes'),
      cell: ({ durationMinutes }) => durationMinutes + t('services.minutes'),
    },
    { title: t('services.fields.capacity'), cell: ({ capacity }) => capacity },
    { title: t('services.routing'), cell: ({ routingMode }) => t(`services.routingModes.${routingMode}`) },
    { title: t('services.providers'), cell: ({ providers }) => providers },
    {
      title: t('services.fields.price'),
      cell: ({ price, currency }) => (price === null ? '–' : formatAmount(price, currency, locale)),
    },
  ]
  return (
    <Screen title={t('services.title')} text={t('services.text')} actions={add}>
      <DataTable
        label={t('services.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        searchable
        filters={{
          names: ['state'],
          fields: (
            <QuerySelect
              name="state"
              aria-label={t('services.state')}
              placeholder={t('services.state')}
              data={states.map((value) => ({ value, label: t(`services.${value}`) }))}
            />
          ),
        }}
        onOpen={({ id }) => change({ open: id, field: '' })}
        rowActions={(service) => (
          <RowMenu
            service={service}
            around={search || state ? [] : (read.data?.items ?? [])}
            remove={() => setRemoving(service)}
          />
        )}
        empty={{ text: t('services.empty'), action: add }}
      />
      {parameters.open && site.data && (
        <ServiceDrawer
          id={parameters.open}
          focused={parameters.field ?? ''}
          siteCurrency={site.data.currency}
          close={() => change({ open: '', field: '' })}
        />
      )}
      <RemoveDialog
        words="services"
        name={removing?.name}
        close={() => setRemoving(undefined)}
        remove={async () => removing && remove.mutateAsync({ body: { id: removing.id } })}
      />
    </Screen>
  )
}

function Name({ of: { name, color } }: { readonly of: Service }) {
  return (
    <Group component="span" gap={8} wrap="nowrap">
      <ColorSwatch component="span" size={12} color={color ?? 'transparent'} />
      <Text span inherit className="breakable">
        {name}
      </Text>
    </Group>
  )
}

interface RowMenuProps {
  readonly service: Service
  /** The services on the current page of the list, in display order; empty while a filter prevents reordering. */
  readonly around: readonly Service[]
  readonly remove: () => void
}

function RowMenu({ service: { id, name, active }, around, remove }: RowMenuProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /services/edit/', ['GET /services/', 'GET /services/one/', 'GET /why/choices/'])
  const order = useWrite('POST /services/order/', ['GET /services/'])
  const at = around.findIndex((one) => one.id === id)
  const [above, below] = [around[at - 1], at < 0 ? undefined : around[at + 1]]
  const offer = (now: boolean): void =>
    void edit
      .mutateAsync({ body: { id, active: now } })
      .then(
        () =>
          toast(t(now ? 'services.offeredDone' : 'services.withdrawnDone', { name }), () =>
            edit.mutateAsync({ body: { id, active: !now } }),
          ),
        toastError,
      )
  const moveBefore = (moved: string, before: string): void =>
    void order.mutateAsync({ body: { id: moved, before } }).then(undefined, toastError)
  return (
    <ActionsMenu label={t('services.actionsFor', { name })} loading={edit.isPending || order.isPending}>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        disabled={!above}
        onClick={() => above && moveBefore(id, above.id)}
      >
        {t('services.up')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        disabled={!below}
        onClick={() => below && moveBefore(below.id, id)}
      >
        {t('services.down')}
      </Menu.Item>
      <LinkItem icon={<IconHelpHexagon size={16} />} to="/why" search={{ serviceId: id }}>
        {t('places.why')}
      </LinkItem>
      <LinkItem icon={<IconScale size={16} />} to="/services/fairness" search={{ serviceId: id }}>
        {t('fairness.title')}
      </LinkItem>
      <Menu.Item leftSection={active ? <IconEyeOff size={16} /> : <IconEye size={16} />} onClick={() => offer(!active)}>
        {t(active ? 'services.withdraw' : 'services.offer')}
      </Menu.Item>
      <RemoveItem remove={remove} />
    </ActionsMenu>
  )
}
