import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk, staff } from '../../../../src/access/users/role-groups.ts'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Section } from '../../components/section.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useZone } from '../../data/dates/formats.ts'
import { refetch, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { MoveButton } from '../reservations/move/move-actions.tsx'
import type { StatusChange } from '../reservations/status-change.ts'
import { type Conflict, ConflictRow } from './conflict-rows.tsx'

interface ConflictsSectionProps {
  readonly conflicts: Item<'GET /conflicts/'>
  readonly change: StatusChange
}

const few = 5

/**
 * Lists the upcoming reservations that break scheduling rules because of a change. Users whose role may change
 * reservations can move, cancel or accept each of them. Renders nothing when there are none.
 */
export function ConflictsSection({ conflicts: { total, more, items }, change }: ConflictsSectionProps) {
  const { t } = useTranslation()
  const [all, setAll] = useState(false)
  const changes = useHasRole(staff)
  const replans = useHasRole(desk)
  if (total === 0) return null
  const shown = all ? items : items.slice(0, few)
  return (
    <Section
      title={`${t('conflicts.title')} (${total})`}
      text={t('conflicts.text')}
      actions={replans && <Absences conflicts={items} />}
    >
      <Stack component="ul" gap="sm" p={0} m={0}>
        {shown.map((one) => (
          <ConflictRow key={one.id} conflict={one}>
            {changes && <Decisions conflict={one} change={change} />}
          </ConflictRow>
        ))}
      </Stack>
      {items.length > shown.length && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setAll(true)}>
          {t('conflicts.all', { count: items.length })}
        </Button>
      )}
      {all && total > items.length && <Text size="sm">{t('providers.leftMore', { count: total - items.length })}</Text>}
      {more && <Text size="sm">{t('providers.leftBeyond')}</Text>}
    </Section>
  )
}

const maxAbsences = 3
// A link to the page that plans absences covers the reservations that start within this many seconds of the first one
// of the provider: the page accepts absences of at most 31 days.
const longest = 30 * 86_400

/**
 * Renders links to the page that plans an absence: one for each of the first three providers who have reservations
 * during their time off.
 */
function Absences({ conflicts }: { readonly conflicts: readonly Conflict[] }) {
  const { t } = useTranslation()
  const clock = clockOf(useZone())
  const away = conflicts.filter(({ rules }) => rules.includes('time_off'))
  const byProvider = [...Map.groupBy(away, ({ provider }) => provider.id)].slice(0, maxAbsences)
  return byProvider.map(([id, own]) => {
    const first = own[0]?.start ?? 0
    const last = Math.max(...own.map(({ start }) => start).filter((start) => start - first <= longest))
    return (
      <Button
        key={id}
        component={PanelLink}
        to="/calendar/absence"
        search={{ providerId: String(id), from: clock.dateOf(first), to: clock.dateOf(last) }}
        size="compact-sm"
        variant="default"
      >
        {t('conflicts.replan', { name: own[0]?.provider.name ?? '' })}
      </Button>
    )
  })
}

interface DecisionsProps {
  readonly conflict: Conflict
  readonly change: StatusChange
}

function Decisions({ conflict, change }: DecisionsProps) {
  const { t } = useTranslation()
  const keep = useWrite('POST /conflicts/keep/', ['GET /conflicts/', 'GET /reservations/one/', 'GET /history/'])
  const { id, customer, rules } = conflict
  const refuse = (error: unknown): void => {
    toastError(error)
    void refetch(['GET /conflicts/'])
  }
  const name = customer.name || t('reservations.removed')
  const set = (kept: boolean): Promise<unknown> => keep.mutateAsync({ body: { id, kept, ...(kept && { rules }) } })
  return (
    <Group gap={6}>
      <MoveButton reservation={conflict} compact />
      <Button
        size="compact-sm"
        variant="default"
        loading={keep.isPending}
        aria-label={`${t('conflicts.keep')}: ${name}`}
        onClick={() => void set(true).then(() => toast(t('conflicts.kept'), () => set(false)), refuse)}
      >
        {t('conflicts.keep')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={change.progress !== undefined}
        aria-label={`${t('reservations.cancel')}: ${name}`}
        onClick={() => void change.set([conflict], 'cancelled')}
      >
        {t('reservations.cancel')}
      </Button>
    </Group>
  )
}
