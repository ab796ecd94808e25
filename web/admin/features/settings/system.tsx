import { Badge, Button, DataList, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDatabaseExport } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, Records } from '../../components/data-table.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { FileLink } from '../../components/file-link.tsx'
import { HealthCheckRow } from '../../components/records/health-check-row.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { type Item, panelApiRoot } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { translateMessage } from '../../i18n/index.ts'

type SystemState = Item<'GET /system/'>

const pause = 2_000

/**
 * The screen on the state of the installation: health checks, figures such as the size of the database, and backups.
 */
export default function System() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead(
    'GET /system/',
    {},
    {
      refetchAfter: (status) => (status?.backup.state === 'running' ? pause : false),
    },
  )
  const { role } = useUser()
  return (
    <Screen title={t('system.title')} text={t('system.text')}>
      {data ? (
        <Stack maw={860}>
          <Checks system={data} />
          <Figures system={data} />
          {data.database === 'postgres' && <Nodes nodes={data.nodes} />}
          {role === 'admin' && data.database === 'sqlite' && <Backup backup={data.backup} />}
          <BackupAge system={data} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

interface SystemProps {
  readonly system: SystemState
}

function Checks({ system: { checks, healthy } }: SystemProps) {
  const { t } = useTranslation()
  return (
    <Section
      title={t('system.checks')}
      actions={<Badge color={healthy ? 'teal' : 'red'}>{t(healthy ? 'system.healthy' : 'system.unhealthy')}</Badge>}
    >
      {checks.map((one) => (
        <HealthCheckRow key={one.check.code} {...one} />
      ))}
    </Section>
  )
}

function Figures({ system }: SystemProps) {
  const { t } = useTranslation()
  const { bytes } = useFormats()
  const size = (value: number | null): string => (value === null ? '–' : bytes(value))
  return (
    <Section title={t('system.figures')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="xs">
        <DataList orientation="horizontal" labelWidth={150}>
          <Figure label={t('system.version')}>{system.version}</Figure>
          <Figure label={t('system.runtime')}>{system.runtime}</Figure>
          <Figure label={t('system.since')}>
            <Timestamp at={system.startedAt} />
          </Figure>
          <Figure label={t('system.database')}>{system.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</Figure>
          <Figure label={t('system.schema')}>{system.schema}</Figure>
        </DataList>
        <DataList orientation="horizontal" labelWidth={150}>
          <Figure label={t('system.databaseBytes')}>{size(system.databaseBytes)}</Figure>
          <Figure label={t('system.walBytes')}>{size(system.walBytes)}</Figure>
          <Figure label={t('system.freeBytes')}>{size(system.freeBytes)}</Figure>
          <Figure label={t('system.feedLag')}>{t('system.seconds', { count: system.feedLagSeconds })}</Figure>
          <Figure label={t('system.waitingWrites')}>{system.waitingWrites}</Figure>
        </DataList>
      </SimpleGrid>
    </Section>
  )
}

/** Lists the processes (nodes) that serve the site from the same PostgreSQL database. */
function Nodes({ nodes }: { readonly nodes: SystemState['nodes'] }) {
  const { t } = useTranslation()
  const { number } = useFormats()
  const milliseconds = (value: number): string => `${number(value)}\u00a0ms`
  const columns: readonly Column<SystemState['nodes'][number]>[] = [
    {
      title: t('system.node'),
      cell: ({ name, lost, outOfSync }) => (
        <Group gap="xs">
          {name}
          {lost && <Badge color="red">{t('system.lost')}</Badge>}
          {outOfSync && <Badge color="red">{t('system.outOfSync')}</Badge>}
        </Group>
      ),
    },
    { title: t('system.version'), cell: ({ version }) => version },
    { title: t('system.since'), cell: ({ startedAt }) => <Timestamp at={startedAt} /> },
    { title: t('system.lastReport'), cell: ({ silentSeconds }) => t('system.ago', { count: silentSeconds }) },
    { title: t('system.lag'), cell: ({ lagMilliseconds }) => milliseconds(lagMilliseconds) },
    {
      title: t('system.clockDrift'),
      cell: ({ clockDriftMilliseconds: drift }) => (drift === null ? '–' : milliseconds(drift)),
    },
  ]
  return (
    <Section title={t('system.nodes')} text={t('system.nodesText')}>
      <Records label={t('system.nodes')} rows={nodes} rowKey={({ name }) => name} columns={columns} />
    </Section>
  )
}

interface FigureProps {
  readonly label: string
  readonly children: ReactNode
}

function Figure({ label, children }: FigureProps) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
    </DataList.Item>
  )
}

function Backup({ backup }: { readonly backup: SystemState['backup'] }) {
  const { t } = useTranslation()
  const { bytes } = useFormats()
  const begin = useWrite('POST /backup/', ['GET /system/'])
  return (
    <Section
      title={t('system.backup')}
      text={t('system.backupText')}
      actions={
        <Button
          variant="default"
          leftSection={<IconDatabaseExport size={16} />}
          loading={begin.isPending || backup.state === 'running'}
          onClick={() => begin.mutate({})}
        >
          {t('system.backupDo')}
        </Button>
      }
    >
      <ErrorAlert error={begin.error} />
      <Text size="sm" role="status">
        {translateMessage(backup.message)}
      </Text>
      {backup.state === 'done' && backup.endedAt !== null && (
        <Group justify="space-between">
          <Text size="sm">
            <Timestamp at={backup.endedAt} /> {backup.bytes !== null && `· ${bytes(backup.bytes)}`}
          </Text>
          <FileLink href={`${panelApiRoot}/backup/`} />
        </Group>
      )}
    </Section>
  )
}

/**
 * Shows when the last backup was made. Administrators can set the age in days beyond which the last backup counts as
 * overdue, or leave the field empty for never.
 */
function BackupAge({ system: { lastBackupAt, backupOverdueDays, database } }: SystemProps) {
  const { t } = useTranslation()
  const { role } = useUser()
  const edit = useWrite('POST /backup/overdue/', ['GET /system/'])
  const form = useWriteForm<{ overdueDays: number | string }>({
    initialValues: { overdueDays: backupOverdueDays ?? '' },
    stored: backupOverdueDays,
    write: async ({ overdueDays }) => {
      await edit.mutateAsync({ body: { overdueDays: overdueDays === '' ? null : Number(overdueDays) } })
      form.fields.resetDirty()
      toast(t('common.saved'))
    },
  })
  return (
    <Section
      title={t('system.backupAge')}
      text={t(database === 'sqlite' ? 'system.backupAgeText' : 'system.backupAgeTools')}
    >
      <Text size="sm">
        {t('system.lastBackup')}: {lastBackupAt === null ? t('common.never') : <Timestamp at={lastBackupAt} />}
      </Text>
      {role === 'admin' && (
        <Form form={form} submitText={t('common.save')}>
          <NumberInput
            label={t('system.overdueDays')}
            description={t('system.overdueDaysHelp')}
            min={1}
            max={365}
            allowDecimal={false}
            maw={320}
            {...form.fields.getInputProps('overdueDays')}
          />
        </Form>
      )}
    </Section>
  )
}
