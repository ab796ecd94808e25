import {
  Anchor,
  Button,
  Checkbox,
  Collapse,
  Group,
  Pagination,
  Paper,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconFilter, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReadState } from '../data/queries.ts'
import { pageOf, useQueryParameters } from '../data/query-parameters.ts'
import { failureOf } from '../data/refusal.ts'
import type { ListPage } from '../data/request.ts'
import styles from './data-table.module.css'
import { QueryTextField } from './fields/query-text-field.tsx'
import { EmptyState, ErrorState, LoadingState } from './states.tsx'

/** The number of items per page of the panel's paginated lists. */
export const pageSize = 50

/** One column of a table: its title, its cell, and how it sorts. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The sort key of the API. A column without a key is not sortable. */
  readonly sort?: string
  /**
   * Whether the table omits the column in a window less than 90em wide. On a phone, where each row is a card, every
   * column is shown.
   */
  readonly wideOnly?: boolean
}

/** The selected rows of a table, by row key, and the actions on them. */
export interface Selection<Row> {
  readonly keys: ReadonlySet<string>
  readonly change: (keys: ReadonlySet<string>) => void
  /** Returns the accessible name of the checkbox that selects the row. */
  readonly label: (row: Row) => string
  /** Buttons that act on the selected rows. */
  readonly actions: ReactNode
}

interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string
  /** The result of `useRead` for a route that returns a list. */
  readonly read: ReadState<ListPage<Row>>
  readonly rowKey: (row: Row) => string
  /**
   * The columns from left to right. The first column identifies the row; its cell is a button that calls `onOpen`, if
   * given.
   */
  readonly columns: readonly Column<Row>[]
  readonly onOpen?: (row: Row) => void
  /** Buttons at the end of each row. */
  readonly rowActions?: (row: Row) => ReactNode
  /** Whether a search field is shown, whose value is the query parameter `search`. */
  readonly searchable?: boolean
  /** More filter fields, with the query parameters that hold their values. */
  readonly filters?: { readonly names: readonly string[]; readonly fields: ReactNode }
  /** Makes rows selectable, with actions on the selected rows. */
  readonly selection?: Selection<Row>
  /** The message and an optional action shown when the list is empty and no filter is set. */
  readonly empty: { readonly text: string; readonly action?: ReactNode }
}

/**
 * A paginated list of the API. Search, filters, sorting and page are query parameters, applied by the server. On a
 * phone each row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, read, searchable = false, filters, selection, empty } = props
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const narrow = useNarrow()
  const names = [...(searchable ? ['search'] : []), ...(filters?.names ?? [])]
  const filtered = names.some((name) => parameters[name])
  const [showing, { toggle }] = useDisclosure(false)
  // The message with which the service refuses the search text; shown in place of the list, and not as an error.
  const unsearched = searchable ? failureOf(read.error).fields.search : undefined
  const clear = (): void => change({ ...Object.fromEntries(names.map((name) => [name, ''])), page: '' })
  return (
    <Stack gap="sm">
      {(searchable || filters) && (
        <Group gap="sm" align="flex-end">
          {searchable && (
            <QueryTextField
              name="search"
              type="search"
              aria-label={t('table.searchIn')}
              placeholder={t('common.search')}
              leftSection={<IconSearch size={16} />}
              error={unsearched !== undefined}
            />
          )}
          {filters && narrow && (
            <Button variant="default" leftSection={<IconFilter size={16} />} aria-expanded={showing} onClick={toggle}>
              {t('table.filters')}
            </Button>
          )}
          {!narrow && filters?.fields}
          {filtered && (
            <Button variant="subtle" onClick={clear}>
              {t('table.clear')}
            </Button>
          )}
        </Group>
      )}
      {filters && narrow && (
        <Collapse expanded={showing}>
          <Stack gap="xs">{filters.fields}</Stack>
        </Collapse>
      )}
      {selection && selection.keys.size > 0 && (
        <Paper p="xs">
          <Group gap="xs">
            <Text size="sm" fw={500} role="status" px={4}>
              {t('table.selected', { count: selection.keys.size })}
            </Text>
            {selection.actions}
            <Button variant="subtle" onClick={() => selection.change(new Set())}>
              {t('table.selectNone')}
            </Button>
          </Group>
        </Paper>
      )}
      {unsearched !== undefined ? (
        <Paper>
          <EmptyState text={unsearched} />
        </Paper>
      ) : read.error && !read.data ? (
        <ErrorState error={read.error} retry={() => read.refetch()} />
      ) : !read.data || (read.data.items.length === 0 && read.data.total > 0) ? (
        <LoadingState />
      ) : read.data.items.length === 0 ? (
        <Paper>
          <EmptyState text={filtered ? t('table.emptySearch') : empty.text}>{!filtered && empty.action}</EmptyState>
        </Paper>
      ) : (
        <section aria-label={label} aria-busy={read.isPlaceholderData} className={styles.list ?? ''}>
          <Records {...props} rows={read.data.items} />
        </section>
      )}
      {read.data && unsearched === undefined && <Pages total={read.data.total} />}
    </Stack>
  )
}

interface RecordsProps<Row>
  extends Pick<DataTableProps<Row>, 'label' | 'rowKey' | 'columns' | 'onOpen' | 'rowActions' | 'selection'> {
  readonly rows: readonly Row[]
}

/** The given rows, without filters and pages: a table, or on a phone a card for each row. */
export function Records<Row>(props: RecordsProps<Row>) {
  return useNarrow() ? <Cards {...props} /> : <Rows {...props} />
}

function useNarrow(): boolean | undefined {
  return useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
}

function Rows<Row>({ label, rows, rowKey, columns: all, onOpen, rowActions, selection }: RecordsProps<Row>) {
  const { t } = useTranslation()
  const wide = useMediaQuery('(min-width: 90em)', undefined, { getInitialValueInEffect: false })
  const columns = all.filter(({ wideOnly }) => wide || !wideOnly)
  const keys = rows.map(rowKey)
  const selectedCount = selection ? keys.filter((key) => selection.keys.has(key)).length : 0
  return (
    <Paper p={0} className={styles.scroll ?? ''}>
      <Table highlightOnHover={onOpen !== undefined} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={36}>
                <Checkbox
                  size="xs"
                  aria-label={t('table.selectAll')}
                  checked={selectedCount === keys.length}
                  indeterminate={selectedCount > 0 && selectedCount < keys.length}
                  onChange={() => selection.change(new Set(selectedCount === keys.length ? [] : keys))}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} />
            ))}
            {rowActions && <Table.Th className={styles.actions ?? ''}>{t('common.actions')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {selection && (
                <Table.Td>
                  <RowCheckbox row={row} rowKey={rowKey} selection={selection} />
                </Table.Td>
              )}
              {columns.map((column, at) => (
                <Table.Td key={column.title} {...(at === 0 && { className: styles.first ?? '' })}>
                  {at === 0 ? <RowLink row={row} column={column} onOpen={onOpen} /> : column.cell(row)}
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

function Cards<Row>({ rows, rowKey, columns, onOpen, rowActions, selection }: RecordsProps<Row>) {
  const [first, ...others] = columns
  return (
    <Stack component="ul" gap="xs" className={styles.cards ?? ''}>
      {rows.map((row) => (
        <Paper component="li" key={rowKey(row)} p="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb={4}>
            <Group gap="xs" wrap="nowrap">
              {selection && <RowCheckbox row={row} rowKey={rowKey} selection={selection} />}
              {first && <RowLink row={row} column={first} onOpen={onOpen} />}
            </Group>
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

interface RowCheckboxProps<Row> {
  readonly row: Row
  readonly rowKey: (row: Row) => string
  readonly selection: Selection<Row>
}

function RowCheckbox<Row>({ row, rowKey, selection: { keys, change, label } }: RowCheckboxProps<Row>) {
  const key = rowKey(row)
  return (
    <Checkbox
      size="xs"
      aria-label={label(row)}
      checked={keys.has(key)}
      onChange={() => change(keys.symmetricDifference(new Set([key])))}
    />
  )
}

interface RowLinkProps<Row> {
  readonly row: Row
  readonly column: Column<Row>
  readonly onOpen: ((row: Row) => void) | undefined
}

function RowLink<Row>({ row, column, onOpen }: RowLinkProps<Row>) {
  if (!onOpen)
    return (
      <Text component="div" size="sm" fw={500} className="breakable">
        {column.cell(row)}
      </Text>
    )
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      fw={500}
      ta="start"
      className="breakable"
      onClick={() => onOpen(row)}
    >
      {column.cell(row)}
    </Anchor>
  )
}

function ColumnHead<Row>({ column: { title, sort } }: { readonly column: Column<Row> }) {
  const [parameters, change] = useQueryParameters()
  if (sort === undefined) return <Table.Th>{title}</Table.Th>
  const order = parameters.sort === sort ? 'ascending' : parameters.sort === `-${sort}` ? 'descending' : 'none'
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

/** The largest total that the service counts exactly; a larger total is shown as "more than" this number. */
export const maxCounted = 10_000

/**
 * Shows which items of the list the page contains, with buttons for the other pages; renders nothing for a single page.
 */
export function Pages({ total }: { readonly total: number }) {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const page = pageOf(parameters)
  const known = Math.min(total, maxCounted)
  const last = Math.max(1, Math.ceil(known / pageSize))
  // The page in the URL may no longer exist, for example after its only item was removed. In this case, the last
  // existing page is opened.
  useEffect(() => {
    if (page > last) change({ page: last === 1 ? '' : String(last) })
  }, [page, last, change])
  if (total <= pageSize) return null
  const from = (page - 1) * pageSize + 1
  const values = { from, to: Math.min(known, from + pageSize - 1), total: known }
  return (
    <Group component="nav" justify="space-between" aria-label={t('table.pages')}>
      <Text size="sm" c="dimmed" className="tabular">
        {total > known ? t('table.shownOfMore', values) : t('table.shown', values)}
      </Text>
      <Pagination
        size="sm"
        total={last}
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
