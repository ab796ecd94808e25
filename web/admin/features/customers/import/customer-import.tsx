import { Alert, Button, FileInput, Group, Paper, Progress, Select, Stack, Text } from '@mantine/core'
import { IconFileText, IconPlayerStop } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../../src/access/users/role-groups.ts'
import { NotAllowed } from '../../../app/not-allowed.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { download } from '../../../components/download.ts'
import { ErrorAlert } from '../../../components/fields/write-form.tsx'
import { Screen } from '../../../components/screen.tsx'
import { Section } from '../../../components/section.tsx'
import { refetch } from '../../../data/queries.ts'
import { type Item, request, requestOnce } from '../../../data/request.ts'
import { useHasRole } from '../../../data/session.ts'
import { translateMessage } from '../../../i18n/index.ts'
import { ImportColumns } from './import-columns.tsx'
import { type CheckedRow, ImportRows, type RowKind } from './import-rows.tsx'
import { type ImportRun, useImportRun } from './import-run.ts'
import {
  type ColumnMapping,
  cellsOf,
  earlierRows,
  excludedRowsCsv,
  importFields,
  matchColumns,
  type ParsedTable,
  parseTable,
  type TableErrorCode,
} from './import-table.ts'

type Verdict = Item<'POST /customers/import/check/'>['verdicts'][number]
type Outcome = Item<'POST /customers/import/'>['outcomes'][number]

/**
 * The screen that imports customers from a file: maps columns to fields, checks the rows, then writes those
 * that repeat no earlier row, in batches.
 */
export default function CustomerImport() {
  const { t } = useTranslation()
  const leads = useHasRole(leading)
  const [file, setFile] = useState<File | null>(null)
  const [table, setTable] = useState<ParsedTable>()
  const [fileError, setFileError] = useState<TableErrorCode>()
  const choose = async (chosen: File | null, firstNames?: boolean): Promise<void> => {
    const read = chosen ? await parseTable(chosen, firstNames) : undefined
    setFile(chosen)
    setFileError(typeof read === 'string' ? read : undefined)
    setTable(typeof read === 'string' ? undefined : read)
  }
  if (!leads) return <NotAllowed />
  return (
    <Screen title={t('customerImport.title')} text={t('customerImport.text')}>
      <Paper>
        <FileInput
          label={t('customerImport.file')}
          description={t('customerImport.help')}
          placeholder={t('customerImport.choose')}
          accept=".csv,.tsv,.txt,text/csv"
          leftSection={<IconFileText size={16} stroke={1.5} />}
          clearable
          clearButtonProps={{ 'aria-label': t('common.remove') }}
          maw={480}
          value={file}
          onChange={(chosen) => void choose(chosen)}
          error={fileError && t(`customerImport.faults.${fileError}`)}
        />
      </Paper>
      {table && (
        <TableImport
          key={`${file?.name} ${file?.lastModified} ${table.hasHeader}`}
          table={table}
          setHasHeader={(names) => void choose(file, names)}
          startOver={() => void choose(null)}
        />
      )}
    </Screen>
  )
}

interface TableImportProps {
  readonly table: ParsedTable
  readonly setHasHeader: (named: boolean) => void
  readonly startOver: () => void
}

function TableImport({ table, setHasHeader, startOver }: TableImportProps) {
  const { t } = useTranslation()
  const [columns, setColumns] = useState(() => matchColumns(table.hasHeader ? table.columns : []))
  const [errors, setErrors] = useState<Readonly<Partial<Record<keyof ColumnMapping, string>>>>({})
  const [shared, setShared] = useState<'leave' | 'add'>('leave')
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, Verdict>>(new Map())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [importId] = useState(() => crypto.randomUUID())
  const { run, start, stop, reset } = useImportRun()
  const cells = useMemo(() => table.rows.map((row) => cellsOf(row, columns)), [table, columns])
  const earlier = useMemo(() => earlierRows(cells, (at) => verdicts.get(at)?.is === 'faulty'), [cells, verdicts])
  const rowsOf = (part: readonly number[]) => part.flatMap((at) => cells[at] ?? [])

  const change = (to: ColumnMapping): void => {
    setColumns(to)
    setErrors({})
    setVerdicts(new Map())
    reset()
  }
  const check = (): void => {
    const missing = {
      ...(columns.name === null &&
        columns.firstName === null &&
        columns.lastName === null && { name: t('customerImport.nameMissing') }),
      ...(columns.email === null && columns.phone === null && { email: t('customerImport.emailMissing') }),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    // The result of the check for each row (`Verdict`) is collected here and stored in state after the last batch:
    // recomputing thousands of rows after each batch would take longer than the requests.
    const found = new Map<number, Verdict>()
    void start('check', [...cells.keys()], async (part) => {
      const response = await request('POST /customers/import/check/', { body: { rows: rowsOf(part) } })
      for (const [at, verdict] of zip(part, response.verdicts)) found.set(at, verdict)
    }).then((isCurrent) => isCurrent && setVerdicts(found))
  }
  const checkedRows = useMemo(
    () =>
      cells.map((row, at): CheckedRow => {
        const [outcome, verdict] = [outcomes.get(at), verdicts.get(at)]
        const { sameCustomer, sameContact } = earlier[at] ?? {}
        const asRow = (place: number): string => t('customerImport.asRow', { row: place + 1 })
        if (sameCustomer !== undefined) return { at, cells: row, kind: 'repeated', why: asRow(sameCustomer) }
        const faulty = outcome?.faults ?? verdict?.faults ?? {}
        const wrong = importFields
          .flatMap((field) => {
            const fault = faulty[field]
            return fault ? [`${t(`customerImport.fields.${field}`)}: ${translateMessage(fault)}`] : []
          })
          .join(' ')
        const names = (verdict?.names ?? []).join(', ')
        const where = names || (sameContact === undefined ? '' : asRow(sameContact))
        if (outcome) return { at, cells: row, kind: outcome.is, why: outcome.is === 'shared' ? where : wrong }
        const kind = verdict?.is === 'new' && sameContact !== undefined ? 'shared' : (verdict?.is ?? 'unreached')
        return { at, cells: row, kind, why: kind === 'shared' || kind === 'unclear' ? where : wrong }
      }),
    [cells, earlier, verdicts, outcomes, t],
  )
  const wanted = checkedRows.filter(
    ({ kind }) => kind === 'new' || kind === 'update' || (kind === 'shared' && shared === 'add'),
  )
  const importRows = async (): Promise<void> => {
    const found = new Map<number, Outcome>()
    const places = wanted.map(({ at }) => at)
    await start('import', places, async (part) => {
      // A batch whose response was lost is sent again with the same key and gets the outcome of the first time, so that
      // the customers whom the import added remain known for its undo.
      const body = { rows: rowsOf(part), shared }
      const response = await requestOnce('POST /customers/import/', { body }, `${importId}-${part[0]}`)
      for (const [at, outcome] of zip(part, response.outcomes)) found.set(at, outcome)
    })
    setOutcomes((before) => new Map([...before, ...found]))
    await refetch(['GET /customers/'])
  }

  const checked = run?.kind === 'check' && !run.running && !run.error && run.done === run.total && verdicts.size > 0
  const ended = run !== undefined && run.kind !== 'check' && (!run.running || run.kind === 'undo')
  return (
    <Stack>
      {outcomes.size === 0 && run?.kind !== 'import' && (
        <>
          <ImportColumns table={table} columns={columns} change={change} setHasHeader={setHasHeader} errors={errors} />
          {!checked && !run?.running && (
            <Group justify="flex-end">
              <Button onClick={check}>{t('customerImport.check')}</Button>
            </Group>
          )}
        </>
      )}
      {run && <ErrorAlert error={run.error} />}
      {run?.running && <ImportProgress run={run} stop={stop} />}
      {checked && (
        <Section title={t('customerImport.preview')} text={t('customerImport.previewText')}>
          <ImportRows label={t('customerImport.preview')} rows={checkedRows} />
          {checkedRows.some(({ kind }) => kind === 'shared') && (
            <Select
              label={t('customerImport.shared')}
              data={[
                { value: 'leave', label: t('customerImport.sharedLeave') },
                { value: 'add', label: t('customerImport.sharedAdd') },
              ]}
              value={shared}
              onChange={(value) => setShared(value === 'add' ? 'add' : 'leave')}
              allowDeselect={false}
              maw={420}
            />
          )}
          <Group justify="flex-end">
            {wanted.length === 0 && <Text size="sm">{t('customerImport.nothing')}</Text>}
            <Button disabled={wanted.length === 0} onClick={() => void importRows()}>
              {t('customerImport.do', { count: wanted.length })}
            </Button>
          </Group>
        </Section>
      )}
      {ended && (
        <ImportResult
          table={table}
          rows={checkedRows.map((row) => markUnreached(row, outcomes))}
          added={[...outcomes.values()].flatMap(({ is, id }) => (is === 'added' && id !== null ? [id] : []))}
          run={run}
          start={start}
          importRows={() => void importRows()}
          startOver={startOver}
        />
      )}
    </Stack>
  )
}

/**
 * Returns a checked row as shown after an import. If an interrupted import has not written a row of the kind `new` or
 * `update`, its kind becomes `unreached`.
 */
function markUnreached(row: CheckedRow, outcomes: ReadonlyMap<number, Outcome>): CheckedRow {
  return !outcomes.has(row.at) && (row.kind === 'new' || row.kind === 'update') ? { ...row, kind: 'unreached' } : row
}

function zip<T>(places: readonly number[], values: readonly T[]): [number, T][] {
  return values.flatMap((value, at): [number, T][] => {
    const place = places[at]
    return place === undefined ? [] : [[place, value]]
  })
}

function ImportProgress({ run, stop }: { readonly run: ImportRun; readonly stop: () => void }) {
  const { t } = useTranslation()
  const title = t(`customerImport.runs.${run.kind}`)
  return (
    <Section
      title={title}
      actions={
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={stop}>
          {t('customerImport.stop')}
        </Button>
      }
    >
      <Progress value={(100 * run.done) / Math.max(1, run.total)} aria-label={title} />
      <Text size="sm" role="status" className="tabular">
        {t('customerImport.progress', { done: run.done, total: run.total })}
      </Text>
    </Section>
  )
}

const excludedKinds: ReadonlySet<RowKind> = new Set(['shared', 'repeated', 'unclear', 'faulty', 'unreached'])

interface ImportResultProps extends Pick<TableImportProps, 'table' | 'startOver'> {
  readonly rows: readonly CheckedRow[]
  /** The ids of the customers that the import added. */
  readonly added: readonly string[]
  readonly run: ImportRun
  readonly start: ReturnType<typeof useImportRun>['start']
  readonly importRows: () => void
}

function ImportResult({ table, rows, added, run, start, importRows, startOver }: ImportResultProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [removed, setRemoved] = useState(0)
  const [undone, setUndone] = useState(0)
  const excluded = rows.filter(({ kind }) => excludedKinds.has(kind))
  const save = (): void => {
    const lines = excluded.map(({ at, kind, why }) => ({
      at,
      reason: [t(`customerImport.kinds.${kind}`), why].filter((text) => text !== '').join(': '),
    }))
    download(t('customerImport.leftOutName'), excludedRowsCsv(table, lines, t('customerImport.reason')))
  }
  const undo = async (): Promise<void> => {
    setAsking(false)
    await start('undo', added.slice(undone), async (part) => {
      const response = await request('POST /customers/import/undo/', { body: { ids: [...part] } })
      setRemoved((before) => before + response.removed.length)
      setUndone((before) => before + part.length)
    })
    await refetch(['GET /customers/'])
  }
  const stopped = !run.running && (run.kind === 'undo' ? undone < added.length : run.done < run.total)
  return (
    <Section title={t('customerImport.result')}>
      {stopped && (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{t(run.kind === 'undo' ? 'customerImport.undoStopped' : 'customerImport.stopped')}</Text>
            <Button variant="default" onClick={() => (run.kind === 'undo' ? void undo() : importRows())}>
              {t('customerImport.goOn')}
            </Button>
          </Group>
        </Alert>
      )}
      {run.kind === 'undo' && !run.running && (
        <Alert color="teal" role="status">
          {t('customerImport.undone', { removed, kept: undone - removed })}
        </Alert>
      )}
      <ImportRows label={t('customerImport.result')} rows={rows} />
      <Group justify="flex-end" gap="xs">
        {excluded.length > 0 && (
          <Button variant="default" onClick={save}>
            {t('customerImport.leftOut', { count: excluded.length })}
          </Button>
        )}
        {added.length > 0 && run.kind === 'import' && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('customerImport.undo')}
          </Button>
        )}
        <Button onClick={startOver}>{t('customerImport.another')}</Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={t('customerImport.undo')}
        text={t('customerImport.undoText')}
        action={t('customerImport.undo')}
        danger
        confirm={undo}
      />
    </Section>
  )
}
