import { Alert, Button, FileInput, Group, Paper, Progress, Select, Stack, Text } from '@mantine/core'
import { IconFileText, IconPlayerStop } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../../src/access/users/role-groups.ts'
import { NotAllowed } from '../../../app/not-allowed.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { download } from '../../../components/download.ts'
import { Problem } from '../../../components/fields/write-form.tsx'
import { Screen } from '../../../components/screen.tsx'
import { Section } from '../../../components/section.tsx'
import { refetch } from '../../../data/queries.ts'
import { type Item, request } from '../../../data/request.ts'
import { useMay } from '../../../data/session.ts'
import { say } from '../../../i18n/index.ts'
import { ImportColumns } from './import-columns.tsx'
import { ImportRows, type Judged, type Kind } from './import-rows.tsx'
import { type ImportRun, useRun } from './import-run.ts'
import {
  type Columns,
  cellsOf,
  earlierRows,
  fields,
  leftOutText,
  readTable,
  recognise,
  type Table,
  type TableFault,
} from './import-table.ts'

type Verdict = Item<'POST /customers/import/check/'>['verdicts'][number]
type Outcome = Item<'POST /customers/import/'>['outcomes'][number]

/** Imports customers from a file: maps the columns, checks every row, then writes in batches. */
export default function CustomerImport() {
  const { t } = useTranslation()
  const leads = useMay(leading)
  const [file, setFile] = useState<File | null>(null)
  const [table, setTable] = useState<Table>()
  const [fault, setFault] = useState<TableFault>()
  const choose = async (chosen: File | null, firstNames?: boolean): Promise<void> => {
    const read = chosen ? await readTable(chosen, firstNames) : undefined
    setFile(chosen)
    setFault(typeof read === 'string' ? read : undefined)
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
          error={fault && t(`customerImport.faults.${fault}`)}
        />
      </Paper>
      {table && (
        <Importing
          key={`${file?.name} ${file?.lastModified} ${table.named}`}
          table={table}
          nameColumns={(names) => void choose(file, names)}
          another={() => void choose(null)}
        />
      )}
    </Screen>
  )
}

interface ImportingProps {
  readonly table: Table
  readonly nameColumns: (named: boolean) => void
  readonly another: () => void
}

function Importing({ table, nameColumns, another }: ImportingProps) {
  const { t } = useTranslation()
  const [columns, setColumns] = useState(() => recognise(table.named ? table.columns : []))
  const [faults, setFaults] = useState<Readonly<Partial<Record<keyof Columns, string>>>>({})
  const [shared, setShared] = useState<'leave' | 'add'>('leave')
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, Verdict>>(new Map())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const { run, start, stop, forget } = useRun()
  const cells = useMemo(() => table.rows.map((row) => cellsOf(row, columns)), [table, columns])
  const earlier = useMemo(() => earlierRows(cells), [cells])
  const rowsOf = (part: readonly number[]) => part.flatMap((at) => cells[at] ?? [])

  const change = (to: Columns): void => {
    setColumns(to)
    setFaults({})
    setVerdicts(new Map())
    forget()
  }
  const check = (): void => {
    const missing = {
      ...(columns.name === null &&
        columns.firstName === null &&
        columns.lastName === null && { name: t('customerImport.nameMissing') }),
      ...(columns.email === null && columns.phone === null && { email: t('customerImport.emailMissing') }),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    const first = cells.flatMap((_, at) => (earlier[at]?.same === undefined ? [at] : []))
    // The verdicts are stored once, at the end: rendering many rows after each batch would take longer than the
    // requests.
    const found = new Map<number, Verdict>()
    void start('check', first, async (part) => {
      const response = await request('POST /customers/import/check/', { body: { rows: rowsOf(part) } })
      for (const [at, verdict] of paired(part, response.verdicts)) found.set(at, verdict)
    }).then(() => setVerdicts(found))
  }
  const judged = useMemo(
    () =>
      cells.map((row, at): Judged => {
        const [outcome, verdict] = [outcomes.get(at), verdicts.get(at)]
        const { same, address } = earlier[at] ?? {}
        const asRow = (place: number): string => t('customerImport.asRow', { row: place + 1 })
        if (same !== undefined) return { at, cells: row, kind: 'repeated', why: asRow(same) }
        const faulty = outcome?.faults ?? verdict?.faults ?? {}
        const wrong = fields
          .flatMap((field) => {
            const fault = faulty[field]
            return fault ? [`${t(`customerImport.fields.${field}`)}: ${say(fault)}`] : []
          })
          .join(' ')
        const names = (verdict?.names ?? []).join(', ')
        const where = names || (address === undefined ? '' : asRow(address))
        if (outcome) return { at, cells: row, kind: outcome.is, why: outcome.is === 'shared' ? where : wrong }
        const kind = verdict?.is === 'new' && address !== undefined ? 'shared' : (verdict?.is ?? 'unreached')
        return { at, cells: row, kind, why: kind === 'shared' || kind === 'unclear' ? where : wrong }
      }),
    [cells, earlier, verdicts, outcomes, t],
  )
  const wanted = judged.filter(
    ({ kind }) => kind === 'new' || kind === 'update' || (kind === 'shared' && shared === 'add'),
  )
  const bring = async (): Promise<void> => {
    const found = new Map<number, Outcome>()
    const places = wanted.map(({ at }) => at)
    await start('import', places, async (part) => {
      const response = await request('POST /customers/import/', { body: { rows: rowsOf(part), shared } })
      for (const [at, outcome] of paired(part, response.outcomes)) found.set(at, outcome)
    })
    setOutcomes((before) => new Map([...before, ...found]))
    await refetch(['GET /customers/'])
  }

  const checked = run?.kind === 'check' && !run.going && !run.error && run.done === run.total && verdicts.size > 0
  const ended = run !== undefined && run.kind !== 'check' && (!run.going || run.kind === 'undo')
  return (
    <Stack>
      {outcomes.size === 0 && run?.kind !== 'import' && (
        <>
          <ImportColumns table={table} columns={columns} change={change} nameColumns={nameColumns} faults={faults} />
          {!checked && !run?.going && (
            <Group justify="flex-end">
              <Button onClick={check}>{t('customerImport.check')}</Button>
            </Group>
          )}
        </>
      )}
      {run && <Problem error={run.error} />}
      {run?.going && <Going run={run} stop={stop} />}
      {checked && (
        <Section title={t('customerImport.preview')} text={t('customerImport.previewText')}>
          <ImportRows label={t('customerImport.preview')} rows={judged} />
          {judged.some(({ kind }) => kind === 'shared') && (
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
            <Button disabled={wanted.length === 0} onClick={() => void bring()}>
              {t('customerImport.do', { count: wanted.length })}
            </Button>
          </Group>
        </Section>
      )}
      {ended && (
        <Ended
          table={table}
          rows={judged.map((row) => reached(row, outcomes))}
          added={[...outcomes.values()].flatMap(({ is, id }) => (is === 'added' && id !== null ? [id] : []))}
          run={run}
          start={start}
          bring={() => void bring()}
          another={another}
        />
      )}
    </Stack>
  )
}

/** After an interrupted import, rows that were not written are marked as unreached. */
function reached(row: Judged, outcomes: ReadonlyMap<number, Outcome>): Judged {
  return !outcomes.has(row.at) && (row.kind === 'new' || row.kind === 'update') ? { ...row, kind: 'unreached' } : row
}

function paired<T>(places: readonly number[], values: readonly T[]): [number, T][] {
  return values.flatMap((value, at): [number, T][] => {
    const place = places[at]
    return place === undefined ? [] : [[place, value]]
  })
}

function Going({ run, stop }: { readonly run: ImportRun; readonly stop: () => void }) {
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

const leftOut: ReadonlySet<Kind> = new Set(['shared', 'repeated', 'unclear', 'faulty', 'unreached'])

interface EndedProps extends Pick<ImportingProps, 'table' | 'another'> {
  readonly rows: readonly Judged[]
  /** The ids of the customers that the import added. */
  readonly added: readonly string[]
  readonly run: ImportRun
  readonly start: ReturnType<typeof useRun>['start']
  readonly bring: () => void
}

function Ended({ table, rows, added, run, start, bring, another }: EndedProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [removed, setRemoved] = useState(0)
  const out = rows.filter(({ kind }) => leftOut.has(kind))
  const save = (): void => {
    const lines = out.map(({ at, kind, why }) => ({
      at,
      reason: [t(`customerImport.kinds.${kind}`), why].filter((text) => text !== '').join(': '),
    }))
    download(t('customerImport.leftOutName'), leftOutText(table, lines, t('customerImport.reason')))
  }
  const undo = async (): Promise<void> => {
    setAsking(false)
    await start('undo', added, async (part) => {
      const response = await request('POST /customers/import/undo/', { body: { ids: [...part] } })
      setRemoved((before) => before + response.removed.length)
    })
    await refetch(['GET /customers/'])
  }
  const stopped = run.kind === 'import' && !run.going && run.done < run.total
  return (
    <Section title={t('customerImport.result')}>
      {stopped && (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{t('customerImport.stopped')}</Text>
            <Button variant="default" onClick={bring}>
              {t('customerImport.goOn')}
            </Button>
          </Group>
        </Alert>
      )}
      {run.kind === 'undo' && !run.going && (
        <Alert color="teal" role="status">
          {t('customerImport.undone', { removed, kept: run.done - removed })}
        </Alert>
      )}
      <ImportRows label={t('customerImport.result')} rows={rows} />
      <Group justify="flex-end" gap="xs">
        {out.length > 0 && (
          <Button variant="default" onClick={save}>
            {t('customerImport.leftOut', { count: out.length })}
          </Button>
        )}
        {added.length > 0 && run.kind === 'import' && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('customerImport.undo')}
          </Button>
        )}
        <Button onClick={another}>{t('customerImport.another')}</Button>
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
