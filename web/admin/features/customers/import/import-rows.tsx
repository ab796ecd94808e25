import { Badge, Button, Group, Pagination, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './customer-import.module.css'
import type { ImportCells } from './import-table.ts'

/**
 * The kinds of rows of an imported file, in display order: what the check found (such as `new`), or what the import did
 * (such as `added`).
 */
export const rowKinds = [
  'new',
  'update',
  'added',
  'updated',
  'same',
  'shared',
  'repeated',
  'unclear',
  'faulty',
  'unreached',
] as const
/** What the check of an imported file found for a row, or what the import did with the row. */
export type RowKind = (typeof rowKinds)[number]

const colors: Readonly<Record<RowKind, string>> = {
  new: 'teal',
  added: 'teal',
  update: 'blue',
  updated: 'blue',
  same: 'gray',
  shared: 'yellow',
  repeated: 'gray',
  unclear: 'yellow',
  faulty: 'red',
  unreached: 'gray',
}

/**
 * A row of an imported file: its index `at`, from 0; its values; and its `kind`, which states what the check found or
 * what the import did.
 */
export interface CheckedRow {
  readonly at: number
  readonly cells: ImportCells
  readonly kind: RowKind
  /**
   * Why the row has its kind: the existing customer, the earlier row of the same customer or with the same contact
   * data, or the errors; empty when there is nothing to explain.
   */
  readonly why: string
}

const pageSize = 20

/** Lists the rows of an imported file, with pages and a filter by kind. */
export function ImportRows({ label, rows }: { readonly label: string; readonly rows: readonly CheckedRow[] }) {
  const { t } = useTranslation()
  const [only, setOnly] = useState<RowKind>()
  const [page, setPage] = useState(1)
  const counts = Map.groupBy(rows, ({ kind }) => kind)
  const shown = only === undefined ? rows : (counts.get(only) ?? [])
  const narrow = (kind: RowKind | undefined): void => {
    setOnly(kind)
    setPage(1)
  }
  return (
    <>
      <Group gap="xs" role="group" aria-label={t('customerImport.only')}>
        {rowKinds.flatMap((kind) => {
          const count = counts.get(kind)?.length ?? 0
          if (count === 0) return []
          return (
            <Button
              key={kind}
              size="compact-sm"
              variant={only === kind ? 'filled' : 'default'}
              aria-pressed={only === kind}
              onClick={() => narrow(only === kind ? undefined : kind)}
            >
              {t(`customerImport.kinds.${kind}`)}: {count}
            </Button>
          )
        })}
      </Group>
      {/* On a narrow screen the table scrolls sideways, also by keyboard. */}
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="group" aria-label={label}>
        <Table aria-label={label} className={styles.rows ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('customerImport.row')}</Table.Th>
              <Table.Th>{t('customerImport.is')}</Table.Th>
              <Table.Th>{t('customers.name')}</Table.Th>
              <Table.Th>{t('customers.email')}</Table.Th>
              <Table.Th>{t('customers.phone')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.slice((page - 1) * pageSize, page * pageSize).map(({ at, cells, kind, why }) => (
              <Table.Tr key={at}>
                <Table.Td className="tabular">{at + 1}</Table.Td>
                <Table.Td>
                  <Badge color={colors[kind]}>{t(`customerImport.kinds.${kind}`)}</Badge>
                  {why && (
                    <Text size="xs" c="dimmed" className="breakable">
                      {why}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="breakable">{cells.name}</Table.Td>
                <Table.Td className="breakable">{cells.email}</Table.Td>
                <Table.Td className="breakable">{cells.phone}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length > pageSize && (
        <Pagination
          total={Math.ceil(shown.length / pageSize)}
          value={page}
          onChange={setPage}
          size="sm"
          getControlProps={(control) =>
            control === 'previous'
              ? { 'aria-label': t('table.previous') }
              : control === 'next'
                ? { 'aria-label': t('table.next') }
                : {}
          }
        />
      )}
    </>
  )
}
