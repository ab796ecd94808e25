import { Checkbox, Select, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../../components/section.tsx'
import { type ColumnMapping, importFields, type ParsedTable } from './import-table.ts'

interface ColumnsProps {
  readonly table: ParsedTable
  readonly columns: ColumnMapping
  readonly change: (columns: ColumnMapping) => void
  readonly setHasHeader: (named: boolean) => void
  /** Error messages of the form, by field of a customer. */
  readonly errors: Readonly<Partial<Record<keyof ColumnMapping, string>>>
}

const separators = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
] as const)

/** A form in which the user assigns columns of the file to fields of a customer. */
export function ImportColumns({ table, columns, change, setHasHeader, errors }: ColumnsProps) {
  const { t } = useTranslation()
  const separator = [...separators].find(([mark]) => mark === table.separator)?.[1]
  const data = table.columns.map((name, at) => ({
    value: String(at),
    label: `${name.slice(0, 60)}${table.hasHeader ? '' : ` · ${(table.rows[0]?.[at] ?? '').slice(0, 30)}`}`,
  }))
  return (
    <Section title={t('customerImport.columns')} text={t('customerImport.columnsText')}>
      <Text size="sm" c="dimmed">
        {t('customerImport.read', { count: table.rows.length, encoding: table.encoding })}
        {separator && ` ${t(`customerImport.separators.${separator}`)}`}
      </Text>
      <Checkbox
        label={t('customerImport.firstNames')}
        checked={table.hasHeader}
        onChange={(event) => setHasHeader(event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {importFields.map((field) => (
          <Select
            key={field}
            label={t(`customerImport.fields.${field}`)}
            placeholder={t('customerImport.noColumn')}
            data={data}
            value={columns[field] === null ? null : String(columns[field])}
            onChange={(place) => change({ ...columns, [field]: place === null ? null : Number(place) })}
            clearable
            clearButtonProps={{ 'aria-label': t('customerImport.noColumn') }}
            searchable
            error={errors[field]}
          />
        ))}
      </SimpleGrid>
    </Section>
  )
}
