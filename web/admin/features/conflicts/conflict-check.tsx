import { Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveQuestion } from '../../components/dialogs/save-question.tsx'
import { useQuestion } from '../../components/dialogs/use-question.ts'
import { useWrite } from '../../data/queries.ts'
import type { Item, PanelRouteRequest } from '../../data/request.ts'
import { ConflictRow } from './conflict-rows.tsx'

type ConflictCheckRequest = PanelRouteRequest<'POST /conflicts/check/'>['body']

interface PendingWrite {
  readonly found: Item<'POST /conflicts/check/'>
  readonly write: (affected: number) => Promise<unknown>
}

/**
 * Saves changes of the site's holidays or of a service. Asks for confirmation first when reservations would break
 * scheduling rules afterwards.
 */
export interface ConflictCheck {
  /**
   * Calls `write` at once when no reservation is affected, else when the user confirms; `write` receives the number of
   * affected reservations. Resolves to whether `write` was called and has succeeded. Rejects when the request that
   * checks the change fails, or when a `write` without confirmation fails.
   */
  save(change: ConflictCheckRequest, write: (affected: number) => Promise<unknown>): Promise<boolean>
  /** The confirmation dialog, to be rendered by the caller. */
  readonly question: ReactNode
}

/**
 * Returns the check of a change before it is saved: if the change would make upcoming reservations break scheduling
 * rules, a dialog lists these reservations and asks for confirmation.
 */
export function useConflictCheck(): ConflictCheck {
  const { t } = useTranslation()
  const check = useWrite('POST /conflicts/check/')
  const question = useQuestion(({ found, write }: PendingWrite) => write(found.total))
  const { subject } = question
  return {
    async save(change, write) {
      const found = await check.mutateAsync({ body: change })
      if (found.total > 0) return question.ask({ found, write })
      await write(0)
      return true
    },
    question: (
      <SaveQuestion
        {...question.dialog}
        title={t('providers.leftTitle', { count: subject?.found.total ?? 0 })}
        text={t('conflicts.before')}
        action={t('providers.leftKeep')}
      >
        {subject && <AffectedList of={subject.found} />}
      </SaveQuestion>
    ),
  }
}

function AffectedList({ of: { total, more, items } }: { readonly of: PendingWrite['found'] }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Paper p="xs" mah={280} className="scrolls" tabIndex={0} component="section" aria-label={t('providers.left')}>
        <Stack component="ul" gap="xs" p={0} m={0}>
          {items.map((one) => (
            <ConflictRow key={one.id} conflict={one} />
          ))}
        </Stack>
      </Paper>
      {total > items.length && <Text size="sm">{t('providers.leftMore', { count: total - items.length })}</Text>}
      {more && <Text size="sm">{t('providers.leftBeyond')}</Text>}
    </Stack>
  )
}
