import { Button, Group } from '@mantine/core'
import { IconPlus, IconTableImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk, leading } from '../../../../src/access/users/role-groups.ts'
import { useCommands } from '../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { FileLink } from '../../components/file-link.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { CustomerStatusBadge, customerStatuses } from '../../components/records/customer-status.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useRead } from '../../data/queries.ts'
import { pageOf, type QueryParameters, useQueryParameters } from '../../data/query-parameters.ts'
import { type Item, type PanelRouteQuery, panelApiRoot } from '../../data/request.ts'
import { useHasRole, useUser } from '../../data/session.ts'
import { CustomerDrawer } from './customer-drawer.tsx'
import { AddCustomer } from './customer-form.tsx'
import { DeletionRequests } from './deletion-requests.tsx'
import { BulkTags, TagFilter, Tags } from './tags.tsx'

type Customer = Item<'GET /customers/'>

const sorts = ['name', '-name', 'created', '-created'] as const

// The length in characters up to which a name stays on one line; longer names wrap to leave room for other columns.
const shortName = 24

/** The screen that lists the customers, with search, filters and actions. */
export default function Customers() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const leads = useHasRole(leading)
  const serves = useHasRole(desk)
  const seesStatus = useUser().role !== 'provider'
  const read = useRead('GET /customers/', { ...queryOf(parameters), page: pageOf(parameters), per_page: pageSize })
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
      cell: ({ lastAt }) => (lastAt === null ? '–' : <Timestamp at={lastAt} as="ago" className="tabular unbroken" />),
    },
    {
      title: t('customers.next'),
      cell: ({ nextAt }) => (nextAt === null ? '–' : <Timestamp at={nextAt} className="tabular unbroken" />),
    },
    {
      // The creation date is needed least often, so windows less than 90em wide omit this column.
      wideOnly: true,
      title: t('customers.created'),
      sort: 'created',
      cell: ({ createdAt }) => <Timestamp at={createdAt} as="ago" className="tabular unbroken" />,
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
      {parameters.open && (
        <CustomerDrawer key={parameters.open} id={parameters.open} close={() => change({ open: '' })} />
      )}
    </Screen>
  )
}

function StatusFilter() {
  const { t } = useTranslation()
  return (
    <QuerySelect
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

/** Converts the query parameters of the screen to those of the API; invalid values are dropped. */
function queryOf({ search, status, tag, sort }: QueryParameters): PanelRouteQuery<'GET /customers/'> {
  const wished = sorts.find((one) => one === sort)
  const found = customerStatuses.find(({ value }) => String(value) === status)
  return {
    ...(search && { search }),
    ...(found && { status: found.value }),
    ...(tag && { tag }),
    ...(wished && { sort: wished }),
  }
}
