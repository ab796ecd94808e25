import { Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast, toastTrouble } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import type { Item, PanelQuery, ReadRow } from '../../data/ask.ts'
import { useWall } from '../../data/dates/wall.ts'
import { useWrite } from '../../data/queries.ts'

type Left = Item<'POST /providers/check/'>
type Checked = Omit<PanelQuery<'POST /providers/check/'>['body'], 'id'>

/** The rows that show something of a provider. */
export const ofProviders: readonly ReadRow[] = [
  'GET /providers/',
  'GET /providers/one/',
  'GET /services/one/',
  'GET /why/',
  'GET /why/choices/',
  'GET /reservations/filters/',
  'GET /calendar/',
]

/** A change to keep: what of it is checked, how it is written, and how it is taken back. */
interface Change {
  readonly check: Checked
  readonly write: () => Promise<unknown>
  readonly undo?: () => Promise<unknown>
  readonly done: string
}

/** Keeps changes of a provider, after asking where they would leave reservations. */
export interface Keeping {
  /** Writes at once where no reservation would be left, else asks; throws what is refused. */
  keep(change: Change): Promise<void>
  /** The question, to be drawn with what asks it. */
  readonly question: ReactNode
}

/** Asks what a change of the provider would leave before it is written; `then` once it is. */
export function useKeep(id: number, then?: () => void): Keeping {
  const { t } = useTranslation()
  const check = useWrite('POST /providers/check/')
  const [asked, setAsked] = useState<{ readonly change: Change; readonly left: Left }>()
  const write = async (change: Change): Promise<void> => {
    await change.write()
    const { undo } = change
    toast(change.done, undo && (() => void undo().then(undefined, toastTrouble)))
    then?.()
  }
  return {
    async keep(change) {
      const left = await check.mutateAsync({ body: { id, ...change.check } })
      if (left.total === 0) await write(change)
      else setAsked({ change, left })
    },
    question: (
      <ConfirmDialog
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title={t('providers.leftTitle', { count: asked?.left.total ?? 0 })}
        text={t('providers.leftText')}
        action={t('providers.leftKeep')}
        confirm={async () => asked && (await write(asked.change))}
      >
        {asked && <LeftList of={asked.left} />}
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
