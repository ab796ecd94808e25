import { Anchor, Button, Group, Pagination, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pageOf, useAddress } from '../data/address.ts'
import type { Page } from '../data/ask.ts'
import type { Reading } from '../data/queries.ts'
import { AddressField } from './address-field.tsx'
import styles from './data-table.module.css'
import { EmptyState, ErrorState, LoadingState } from './states.tsx'

/** How many items a page of a list has. */
export const pageSize = 50

/** One column: what it is called and what it shows of a row. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The name by which the service sorts; without it the column does not sort. */
  readonly sort?: string
}

interface DataTableProps<Row> {
  /** What the list is called, for those who do not see it. */
  readonly label: string
  /** What `useRead` of a list row gave. */
  readonly read: Reading<Page<Row>>
  readonly rowKey: (row: Row) => string
  /** The first one names the row, and opens it. */
  readonly columns: readonly Column<Row>[]
  readonly onOpen?: (row: Row) => void
  /** Buttons at the end of a row. */
  readonly rowActions?: (row: Row) => ReactNode
  /** A search field; its text stands in the address as `search`. */
  readonly searchable?: boolean
  /** More filters, with the names under which they stand in the address. */
  readonly filters?: { readonly names: readonly string[]; readonly fields: ReactNode }
  /** Said, and done about it, when there is nothing at all. */
  readonly empty: { readonly text: string; readonly action?: ReactNode }
}

/**
 * A list of the service, a page at a time: search, filters, order and page stand in the address, and the service does
 * the searching. On a phone each row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, read, searchable = false, filters, empty } = props
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const names = [...(searchable ? ['search'] : []), ...(filters?.names ?? [])]
  const filtered = names.some((name) => address[name])
  const clear = (): void => change({ ...Object.fromEntries(names.map((name) => [name, ''])), page: '' })
  return (
    <Stack gap="sm">
      {(searchable || filters) && (
        <Group gap="sm" align="flex-end">
          {searchable && (
            <AddressField
              name="search"
              type="search"
              aria-label={t('table.searchIn')}
              placeholder={t('common.search')}
              leftSection={<IconSearch size={16} />}
            />
          )}
          {filters?.fields}
          {filtered && (
            <Button variant="subtle" onClick={clear}>
              {t('table.clear')}
            </Button>
          )}
        </Group>
      )}
      {read.error && !read.data ? (
        <ErrorState error={read.error} retry={() => read.refetch()} />
      ) : !read.data ? (
        <LoadingState />
      ) : read.data.items.length === 0 ? (
        <Paper>
          <EmptyState text={filtered ? t('table.emptySearch') : empty.text}>{!filtered && empty.action}</EmptyState>
        </Paper>
      ) : (
        <section aria-label={label} aria-busy={read.isPlaceholderData} className={styles.list ?? ''}>
          {narrow ? <Cards {...props} rows={read.data.items} /> : <Rows {...props} rows={read.data.items} />}
        </section>
      )}
      {read.data && <Pages total={read.data.total} />}
    </Stack>
  )
}

type Filled<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] }

function Rows<Row>({ label, rows, rowKey, columns, onOpen, rowActions }: Filled<Row>) {
  const { t } = useTranslation()
  return (
    <Paper p={0} className={styles.scroll ?? ''}>
      <Table highlightOnHover={onOpen !== undefined} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} />
            ))}
            {rowActions && <Table.Th className={styles.actions ?? ''}>{t('common.actions')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column, at) => (
                <Table.Td key={column.title}>
                  {at === 0 ? <Opener row={row} column={column} onOpen={onOpen} /> : column.cell(row)}
                </Table.Td>
              ))}
              {rowActions && <Table.Td className={styles.actions ?? ''}>{rowActions(row)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Cards<Row>({ rows, rowKey, columns, onOpen, rowActions }: Filled<Row>) {
  const [first, ...others] = columns
  return (
    <Stack component="ul" gap="xs" className={styles.cards ?? ''}>
      {rows.map((row) => (
        <Paper component="li" key={rowKey(row)} p="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb={4}>
            {first && <Opener row={row} column={first} onOpen={onOpen} />}
            {rowActions?.(row)}
          </Group>
          <dl className={styles.facts}>
            {others.map((column) => (
              <div key={column.title}>
                <dt>{column.title}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Paper>
      ))}
    </Stack>
  )
}

interface OpenerProps<Row> {
  readonly row: Row
  readonly column: Column<Row>
  readonly onOpen: ((row: Row) => void) | undefined
}

function Opener<Row>({ row, column, onOpen }: OpenerProps<Row>) {
  if (!onOpen)
    return (
      <Text component="div" size="sm" fw={500}>
        {column.cell(row)}
      </Text>
    )
  return (
    <Anchor component="button" type="button" size="sm" fw={500} ta="start" onClick={() => onOpen(row)}>
      {column.cell(row)}
    </Anchor>
  )
}

function ColumnHead<Row>({ column: { title, sort } }: { readonly column: Column<Row> }) {
  const [address, change] = useAddress()
  if (sort === undefined) return <Table.Th>{title}</Table.Th>
  const order = address.sort === sort ? 'ascending' : address.sort === `-${sort}` ? 'descending' : 'none'
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[order]
  return (
    <Table.Th aria-sort={order}>
      <UnstyledButton
        fz="sm"
        fw={700}
        onClick={() => change({ sort: order === 'ascending' ? `-${sort}` : sort, page: '' })}
      >
        <Group gap={4} wrap="nowrap">
          {title}
          <Icon size={14} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

function Pages({ total }: { readonly total: number }) {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const page = pageOf(address)
  if (total <= pageSize) return null
  const from = (page - 1) * pageSize + 1
  return (
    <Group component="nav" justify="space-between" aria-label={t('table.pages')}>
      <Text size="sm" c="dimmed" className="tabular">
        {t('table.shown', { from, to: Math.min(total, from + pageSize - 1), total })}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / pageSize)}
        value={page}
        onChange={(to) => change({ page: to === 1 ? '' : String(to) })}
        getControlProps={(control) =>
          control === 'previous'
            ? { 'aria-label': t('table.previous') }
            : control === 'next'
              ? { 'aria-label': t('table.next') }
              : {}
        }
      />
    </Group>
  )
}
