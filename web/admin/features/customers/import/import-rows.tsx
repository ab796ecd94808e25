import { Badge, Button, Group, Pagination, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './customer-import.module.css'
import type { ImportCells } from './import-table.ts'

/** The verdict or the outcome of a row. */
export const kinds = [
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
/** One verdict or outcome of a row. */
export type Kind = (typeof kinds)[number]

const colors: Readonly<Record<Kind, string>> = {
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

/** One row of the file with its verdict or outcome. */
export interface Judged {
  readonly at: number
  readonly cells: ImportCells
  readonly kind: Kind
  /** Why the row has this verdict: the existing customer, the duplicate row, or the errors. */
  readonly why: string
}

const pageSize = 20

/** The rows of a file, paginated and filtered by kind. */
export function ImportRows({ label, rows }: { readonly label: string; readonly rows: readonly Judged[] }) {
  const { t } = useTranslation()
  const [only, setOnly] = useState<Kind>()
  const [page, setPage] = useState(1)
  const counts = Map.groupBy(rows, ({ kind }) => kind)
  const shown = only === undefined ? rows : (counts.get(only) ?? [])
  const narrow = (kind: Kind | undefined): void => {
    setOnly(kind)
    setPage(1)
  }
  return (
    <>
      <Group gap="xs" role="group" aria-label={t('customerImport.only')}>
        {kinds.flatMap((kind) => {
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
      {/* Where it is wider than a phone it scrolls, also by keyboard. */}
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
