import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../data/dates/formats.ts'
import { differences } from './differences.ts'

interface DiffProps {
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/**
 * A table of the differences between two states of a record, one line per field; a state that is null has no column.
 */
export function Diff({ before, after }: DiffProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const lines = differences(before ?? {}, after ?? {}, dateTime)
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('diff.nothing')}
      </Text>
    )
  return (
    <Table layout="fixed" withTableBorder withColumnBorders fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('diff.field')}</Table.Th>
          {before && <Table.Th>{t('diff.before')}</Table.Th>}
          {after && <Table.Th>{t('diff.after')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.field}>
            <Table.Th scope="row" className="breakable" fw={500}>
              {line.field}
            </Table.Th>
            {before && <Cell text={line.before} was />}
            {after && <Cell text={line.after} />}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Cell({ text, was = false }: { readonly text: string | undefined; readonly was?: boolean }) {
  const { t } = useTranslation()
  return (
    <Table.Td className="breakable">
      {text === undefined ? (
        <Text size="sm" c="dimmed" fs="italic">
          {t('diff.absent')}
        </Text>
      ) : (
        <Text size="sm" {...(was && { component: 'del', c: 'dimmed' })}>
          {text}
        </Text>
      )}
    </Table.Td>
  )
}
