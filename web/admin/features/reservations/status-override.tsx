import { useTranslation } from 'react-i18next'
import type { SlotRefusal } from '../../../../src/messages/refusal.ts'
import { ApiError } from '../../../client.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { OverrideDialog } from './override-dialog.tsx'
import { type RefusedStatusChange, refusalTitle, type StatusChange } from './status-change.ts'

const rules: readonly string[] = [
  'service_inactive',
  'customer_blocked',
  'provider_not_eligible',
  'slot_lead_time',
  'slot_horizon',
  'slot_closed',
  'slot_calendar_busy',
  'slot_provider_busy',
  'slot_full',
  'slot_limit',
] as const satisfies readonly SlotRefusal[]

/** Whether a status change was refused because of a scheduling rule that staff can override with a reason. */
export function isRuleViolation({ error }: RefusedStatusChange): boolean {
  if (!(error instanceof ApiError) || !('error' in error.body)) return false
  return rules.includes(error.body.reason)
}

interface StatusOverrideDialogProps {
  readonly refused: RefusedStatusChange
  readonly change: StatusChange
  readonly close: () => void
}

/**
 * The dialog that lists the rules because of which a status change was refused. In the dialog, staff can enter a reason
 * and repeat the change, which then overrides the rules.
 */
export function StatusOverrideDialog({ refused, change, close }: StatusOverrideDialogProps) {
  const { reservation, to, notify, error } = refused
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { id, status, start, end, customer, service, provider } = reservation
  const removed = t('reservations.removed')
  return (
    <OverrideDialog
      title={refusalTitle([refused], t)}
      text={`${customer.name || removed}, ${service.name || removed}, ${dateTime(start)}`}
      query={{ id, providerId: provider.id, start, end }}
      error={error}
      submitText={t(status === 'cancelled' ? 'reservations.restoreAnyway' : 'reservations.confirmAnyway')}
      pending={change.progress !== undefined}
      override={(override) => void change.set([reservation], to, { again: { ...override, notify } })}
      close={close}
    />
  )
}
