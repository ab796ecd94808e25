import { Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast, toastTrouble } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { useWall } from '../../data/dates/wall.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item, PanelQuery, ReadRoute } from '../../data/request.ts'

type Left = Item<'POST /providers/check/'>
type Checked = Omit<PanelQuery<'POST /providers/check/'>['body'], 'id'>

/** The routes that show data of a provider. */
export const providerRows: readonly ReadRoute[] = [
  'GET /providers/',
  'GET /providers/one/',
  'GET /services/one/',
  'GET /why/',
  'GET /why/choices/',
  'GET /reservations/filters/',
  'GET /calendar/',
  'GET /conflicts/',
]

/** A change to save: its check, its write, and its undo. */
interface Change {
  readonly check: Checked
  readonly write: () => Promise<unknown>
  readonly undo?: () => Promise<unknown>
  readonly done: string
}

/** Saves changes of a provider, with confirmation when reservations would be displaced. */
export interface CheckedWrite {
  /** Saves at once when no reservation is affected, else asks for confirmation. Rejects when the change is refused. */
  save(change: Change): Promise<void>
  /** The confirmation dialog, to be rendered by the caller. */
  readonly question: ReactNode
}

/** Checks which reservations a change of the provider affects before saving it; calls `then` after saving. */
export function useCheckedWrite(id: number, then?: () => void): CheckedWrite {
  const { t } = useTranslation()
  const check = useWrite('POST /providers/check/')
  const [pending, setPending] = useState<{ readonly change: Change; readonly left: Left }>()
  const write = async (change: Change): Promise<void> => {
    await change.write()
    const { undo } = change
    toast(change.done, undo && (() => void undo().then(undefined, toastTrouble)))
    then?.()
  }
  return {
    async save(change) {
      const left = await check.mutateAsync({ body: { id, ...change.check } })
      if (left.total === 0) await write(change)
      else setPending({ change, left })
    },
    question: (
      <ConfirmDialog
        opened={pending !== undefined}
        close={() => setPending(undefined)}
        title={t('providers.leftTitle', { count: pending?.left.total ?? 0 })}
        text={t('providers.leftText')}
        action={t('providers.leftKeep')}
        confirm={async () => pending && (await write(pending.change))}
      >
        {pending && <LeftList of={pending.left} />}
      </ConfirmDialog>
    ),
  }
}

function LeftList({ of: { zone, total, more, items } }: { readonly of: Left }) {
  const { t } = useTranslation()
  const wall = useWall(zone)
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('providers.zone', { zone })}
      </Text>
      <Paper p="xs" mah={280} className="scrolls" tabIndex={0} component="section" aria-label={t('providers.left')}>
        <Stack component="ul" gap="xs" p={0} m={0}>
          {items.map(({ id, start, service, customer, because }) => (
            <Group component="li" key={id} gap="xs" justify="space-between">
              <div>
                <Anchor component={PanelLink} to="/reservations" search={{ open: id }} size="sm" className="tabular">
                  {wall.dateTime(start)}
                </Anchor>
                <Text size="sm" c="dimmed" className="breakable">
                  {[customer, service].filter(Boolean).join(' · ')}
                </Text>
              </div>
              <Badge color="orange">{t(`providers.because.${because}`)}</Badge>
            </Group>
          ))}
        </Stack>
      </Paper>
      {total > items.length && <Text size="sm">{t('providers.leftMore', { count: total - items.length })}</Text>}
      {more && <Text size="sm">{t('providers.leftBeyond')}</Text>}
    </Stack>
  )
}
