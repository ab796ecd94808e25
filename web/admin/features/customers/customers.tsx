import { Button, Group } from '@mantine/core'
import { IconPlus, IconTableImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk, leading } from '../../../../src/access/users/role-groups.ts'
import { useCommands } from '../../app/shell/commands.tsx'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { AddressSelect } from '../../components/fields/address-select.tsx'
import { FileLink } from '../../components/file-link.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { CustomerStatusBadge, customerStatuses } from '../../components/records/customer-status.tsx'
import { Screen } from '../../components/screen.tsx'
import { When } from '../../components/when.tsx'
import { type Address, pageOf, useAddress } from '../../data/address.ts'
import { useRead } from '../../data/queries.ts'
import { type Item, type PanelRouteQuery, panelApiRoot } from '../../data/request.ts'
import { useMay, useUser } from '../../data/session.ts'
import { CustomerDrawer } from './customer-drawer.tsx'
import { AddCustomer } from './customer-form.tsx'
import { DeletionRequests } from './deletion-requests.tsx'
import { BulkTags, TagFilter, Tags } from './tags.tsx'

type Customer = Item<'GET /customers/'>

// The largest number of matches that the API counts exactly.
const maxCounted = 10_000
const sorts = ['name', '-name', 'created', '-created'] as const

// Longer names are wrapped, so that the other columns keep their room.
const shortName = 24

/** The list of customers with search, filters and actions. */
export default function Customers() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const leads = useMay(leading)
  const serves = useMay(desk)
  const seesStatus = useUser().role !== 'provider'
  const read = useRead('GET /customers/', { ...queryOf(address), page: pageOf(address), per_page: pageSize })
  const [adding, setAdding] = useState(false)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const add = {
    id: 'customers.add',
    label: t('customers.add'),
    icon: <IconPlus size={18} />,
    run: () => setAdding(true),
  }
  useCommands(serves ? [add] : [])
  const columns: Column<Customer>[] = [
    {
      title: t('customers.name'),
      sort: 'name',
      cell: ({ name }) => <span className={name.length <= shortName ? 'unbroken' : ''}>{name}</span>,
    },
    { title: t('customers.email'), cell: ({ email }) => email || '–' },
    { title: t('customers.phone'), cell: ({ phone }) => <span className="unbroken">{phone || '–'}</span> },
    ...(seesStatus
      ? [
          {
            title: t('customers.status'),
            cell: ({ status, tags }: Customer) => (
              <Group gap={4}>
                <CustomerStatusBadge status={status} />
                <Tags of={tags} />
              </Group>
            ),
          },
        ]
      : []),
    {
      title: t('customers.last'),
      cell: ({ lastAt }) => (lastAt === null ? '–' : <When at={lastAt} as="ago" className="tabular unbroken" />),
    },
    {
      title: t('customers.next'),
      cell: ({ nextAt }) => (nextAt === null ? '–' : <When at={nextAt} className="tabular unbroken" />),
    },
    {
      // Seldom sought: the first to go where the window is narrow.
      wideOnly: true,
      title: t('customers.created'),
      sort: 'created',
      cell: ({ createdAt }) => <When at={createdAt} as="ago" className="tabular unbroken" />,
    },
  ]
  const importing = (
    <Button variant="default" leftSection={<IconTableImport size={16} />} component={PanelLink} to="/customers/import">
      {t('customerImport.open')}
    </Button>
  )
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('customers.add')}
    </Button>
  )
  return (
    <Screen
      title={t('customers.title')}
      text={t('customers.text')}
      actions={
        serves && (
          <>
            {leads && <FileLink href={`${panelApiRoot}/customers/csv/`} variant="default" label={t('customers.csv')} />}
            {leads && importing}
            {button}
          </>
        )
      }
    >
      {leads && <DeletionRequests />}
      <DataTable
        label={t('customers.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => change({ open: id })}
        searchable
        counted={maxCounted}
        empty={{ text: t('customers.empty'), action: serves && button }}
        {...(seesStatus && {
          filters: {
            names: ['status', 'tag'],
            fields: (
              <>
                <StatusFilter />
                {serves && <TagFilter />}
              </>
            ),
          },
        })}
        {...(serves && {
          selection: {
            keys,
            change: setKeys,
            label: ({ name }: Customer) => t('customers.tick', { name }),
            actions: <BulkTags ids={[...keys]} done={() => setKeys(new Set())} />,
          },
        })}
      />
      {adding && <AddCustomer close={() => setAdding(false)} open={(id) => change({ open: id })} />}
      {address.open && <CustomerDrawer key={address.open} id={address.open} close={() => change({ open: '' })} />}
    </Screen>
  )
}

function StatusFilter() {
  const { t } = useTranslation()
  return (
    <AddressSelect
      name="status"
      aria-label={t('customers.status')}
      placeholder={t('customers.anyStatus')}
      w={150}
      data={customerStatuses.map(({ value, word }) => ({
        value: String(value),
        label: t(`customers.statuses.${word}`),
      }))}
    />
  )
}

/** Converts the query parameters of the page to those of the API; invalid values are dropped. */
function queryOf({ search, status, tag, sort }: Address): PanelRouteQuery<'GET /customers/'> {
  const wished = sorts.find((one) => one === sort)
  const found = customerStatuses.find(({ value }) => String(value) === status)
  return {
    ...(search && { search }),
    ...(found && { status: found.value }),
    ...(tag && { tag }),
    ...(wished && { sort: wished }),
  }
}
