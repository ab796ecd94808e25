import { Anchor, Badge, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindOf } from '../../../../src/history/event.ts'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { Diff } from '../../components/records/diff.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { SecurityEvents } from '../access/users/security-events.tsx'
import { EraseCustomer } from '../customers/customer-erase.tsx'
import { eventName, eventOptions, subjectName } from './event-name.ts'
import { ActorFilter, ObjectFilter } from './history-filters.tsx'
import { HistoryUndo } from './history-undo.tsx'

type Entry = Item<'GET /history/'>

const filters = ['type', 'objectId', 'actor'] as const

/** The screen of the history of changes; for administrators, also the security history. */
export default function History() {
  const { t } = useTranslation()
  const { role } = useUser()
  const [{ view = 'changes' }] = useQueryParameters()
  const navigate = useNavigate()
  if (role !== 'admin') return <Changes />
  return (
    // The tabs have different filters, so changing the tab clears the query parameters.
    <Tabs
      value={view}
      keepMounted={false}
      onChange={(to) => void navigate({ to: '.', search: to === 'security' ? { view: to } : {} })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="changes">{t('security.changes')}</Tabs.Tab>
        <Tabs.Tab value="security">{t('security.tab')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="changes">
        <Changes />
      </Tabs.Panel>
      <Tabs.Panel value="security">
        <Screen title={t('security.tab')} text={t('security.text')}>
          <SecurityEvents />
        </Screen>
      </Tabs.Panel>
    </Tabs>
  )
}

/** Lists the changes of the site; opening one shows what it changed, with an undo button. */
function Changes() {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const [parameters, change] = useQueryParameters()
  const query = Object.fromEntries(filters.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])))
  const read = useRead('GET /history/', { ...query, page: pageOf(parameters), per_page: pageSize })
  const entries = read.data?.items ?? []
  const opened = entries.find(({ id }) => id === parameters.open)
  const ofObject = entries.find(({ objectId }) => objectId === parameters.objectId)
  const byActor = entries.find(({ actor }) => actor.id !== '' && actor.id === parameters.actor)
  const titleOf = (entry: Entry): string => {
    const { start } = entry.subject
    return [eventName(entry.type, t), subjectName(entry), ...(start === null ? [] : [dateTime(start)])].join(' · ')
  }
  const only = (filter: Partial<Record<(typeof filters)[number], string>>): void =>
    change({ ...Object.fromEntries(filters.map((name) => [name, ''])), ...filter, page: '', open: '' })
  const columns: Column<Entry>[] = [
    { title: t('history.what'), cell: (entry) => <EventCell entry={entry} /> },
    { title: t('history.object'), cell: (entry) => <SubjectCell entry={entry} /> },
    { title: t('history.who'), cell: ({ actor }) => <ActorCell actor={actor} /> },
    { title: t('history.when'), cell: ({ at }) => <Timestamp at={at} /> },
  ]
  return (
    <Screen title={t('history.title')} text={t('history.text')}>
      <DataTable
        label={t('history.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => change({ open: id })}
        empty={{ text: t('history.empty') }}
        filters={{
          names: filters,
          fields: (
            <>
              <QuerySelect
                name="type"
                label={t('history.type')}
                placeholder={t('history.anyType')}
                data={eventOptions(t, parameters.type)}
                searchable
                clearable
                clearButtonProps={{ 'aria-label': t('history.anyType') }}
              />
              <ObjectFilter known={ofObject && subjectName(ofObject)} />
              <ActorFilter known={byActor && (byActor.actor.name || byActor.actor.id)} />
            </>
          ),
        }}
      />
      <Drawer opened={opened !== undefined} onClose={() => change({ open: '' })} title={opened ? titleOf(opened) : ''}>
        {opened && (
          <Stack>
            <Group justify="space-between">
              <ActorCell actor={opened.actor} />
              <Timestamp at={opened.at} fz="sm" />
            </Group>
            <Group gap={6}>
              <Code>{opened.type}</Code>
              <Code>{opened.objectId}</Code>
            </Group>
            {opened.undid !== null && <Text size="sm">{t('history.undid')}</Text>}
            <Diff before={opened.before} after={opened.after} />
            <HistoryUndo key={opened.id} entry={opened} close={() => change({ open: '' })} />
            <Group gap="lg">
              <Anchor component="button" size="sm" onClick={() => only(sameObject(opened))}>
                {t('history.sameObject')}
              </Anchor>
              {opened.actor.id !== '' && (
                <Anchor component="button" size="sm" onClick={() => only({ actor: opened.actor.id })}>
                  {t('history.sameActor', { name: opened.actor.name || opened.actor.id })}
                </Anchor>
              )}
            </Group>
            {opened.type === 'customer.removed' && <EraseRemoved entry={opened} close={() => change({ open: '' })} />}
          </Stack>
        )}
      </Drawer>
    </Screen>
  )
}

/** A button that erases the personal data of a removed customer, who no longer has a drawer with this action. */
function EraseRemoved({ entry, close }: { readonly entry: Entry; readonly close: () => void }) {
  const { t } = useTranslation()
  const [erasing, setErasing] = useState(false)
  const { name } = Object(entry.before) as { readonly name?: unknown }
  // If the entry has no name, the personal data of the customer has already been erased.
  if (typeof name !== 'string') return null
  return (
    <>
      <Button variant="default" leftSection={<IconEraser size={16} />} onClick={() => setErasing(true)}>
        {t('customers.erase')}
      </Button>
      <EraseCustomer id={entry.objectId} name={name} opened={erasing} close={() => setErasing(false)} done={close} />
    </>
  )
}

// Providers and users of the website have numbers as ids, which may coincide.
function sameObject({ objectId, type }: Entry) {
  return { objectId, ...(/^\d+$/.test(objectId) && { type: kindOf(type) }) }
}

/** The name, and where there is one the start, of what an entry is about. */
function SubjectCell({ entry }: { readonly entry: Entry }) {
  const { start } = entry.subject
  return (
    <>
      {subjectName(entry)}
      {start !== null && (
        <Text size="xs" c="dimmed">
          <Timestamp at={start} />
        </Text>
      )}
    </>
  )
}

function EventCell({ entry: { type, undone } }: { readonly entry: Entry }) {
  const { t } = useTranslation()
  const name = eventName(type, t)
  if (!undone) return name
  return (
    <Group gap={6}>
      {name}
      <Badge color="gray">{t('history.isUndone')}</Badge>
    </Group>
  )
}

function ActorCell({ actor }: { readonly actor: Entry['actor'] }) {
  const { t } = useTranslation()
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm">{actor.name || actor.id}</Text>
      <Badge color="gray" variant="default" size="sm">
        {t(`history.kinds.${actor.kind}`)}
      </Badge>
    </Group>
  )
}
