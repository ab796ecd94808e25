import { Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveQuestion } from '../../components/dialogs/save-question.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { useQuestion } from '../../components/dialogs/use-question.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { useZonedFormats } from '../../data/dates/zoned-formats.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item, PanelRouteRequest, ReadRoute } from '../../data/request.ts'

type DisplacedReservations = Item<'POST /providers/check/'>
type ProviderCheckRequest = Omit<PanelRouteRequest<'POST /providers/check/'>['body'], 'id'>

/** The routes to refetch after a change of a provider, since they show data of providers. */
export const providerRoutes: readonly ReadRoute[] = [
  'GET /providers/',
  'GET /providers/one/',
  'GET /services/one/',
  'GET /why/',
  'GET /why/choices/',
  'GET /reservations/filters/',
  'GET /calendar/',
  'GET /conflicts/',
]

/**
 * A change of a provider. `check` is the body of the request that lists the reservations that would break scheduling
 * rules after the change; `done` is the text of the notification after saving.
 */
interface Change {
  readonly check: ProviderCheckRequest
  readonly write: () => Promise<unknown>
  readonly undo?: () => Promise<unknown>
  readonly done: string
}

interface PendingChange {
  readonly change: Change
  readonly left: DisplacedReservations
}

/**
 * Saves changes of a provider. Asks for confirmation first when reservations would break scheduling rules afterwards.
 */
export interface CheckedWrite {
  /**
   * Saves the change at once when no reservation would break scheduling rules after it, otherwise when the user
   * confirms it in the dialog. Resolves to whether the change was saved; rejects when the check or the immediate save
   * fails.
   */
  save(change: Change): Promise<boolean>
  /** The confirmation dialog, to be rendered by the caller. */
  readonly question: ReactNode
}

/**
 * Returns a `CheckedWrite` for a provider. If reservations would break scheduling rules after a change, a dialog lists
 * them and asks for confirmation before the change is saved. Calls `then` after saving.
 */
export function useCheckedWrite(id: number, then?: () => void): CheckedWrite {
  const { t } = useTranslation()
  const check = useWrite('POST /providers/check/')
  const write = async (change: Change): Promise<void> => {
    await change.write()
    toast(change.done, change.undo)
    then?.()
  }
  const question = useQuestion(({ change }: PendingChange) => write(change))
  const { subject } = question
  return {
    async save(change) {
      const left = await check.mutateAsync({ body: { id, ...change.check } })
      if (left.total > 0) return question.ask({ change, left })
      await write(change)
      return true
    },
    question: (
      <SaveQuestion
        {...question.dialog}
        title={t('providers.leftTitle', { count: subject?.left.total ?? 0 })}
        text={t('providers.leftText')}
        action={t('providers.leftKeep')}
      >
        {subject && <DisplacedList of={subject.left} />}
      </SaveQuestion>
    ),
  }
}

function DisplacedList({ of: { zone, total, more, items } }: { readonly of: DisplacedReservations }) {
  const { t } = useTranslation()
  const formats = useZonedFormats(zone)
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
                  {formats.dateTime(start)}
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
