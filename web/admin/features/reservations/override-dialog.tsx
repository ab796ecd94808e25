import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { CancelButton, ErrorAlert } from '../../components/fields/write-form.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { isChangedSince } from '../../data/refusal.ts'
import type { PanelRouteRequest } from '../../data/request.ts'
import { BrokenRules, isDoubleBooking, ReasonField, useMayOverrideRules } from './broken-rules.tsx'

interface OverrideDialogProps {
  readonly title: string
  /** A sentence about the refused action. */
  readonly text: string
  /** The query for the list of rules that a time breaks (`GET /calendar/verdict/`). */
  readonly query: PanelRouteRequest<'GET /calendar/verdict/'>['query']
  /**
   * The error of the refused action, shown when the time breaks no scheduling rule, when the list of broken rules
   * cannot be loaded, or when the reservation has changed since, which no reason overrides.
   */
  readonly error: unknown
  readonly submitText: string
  readonly pending: boolean
  readonly override: (override: { readonly reason: string; readonly doubleBook?: true }) => void
  readonly close: () => void
}

/** Explains a refused action rule by rule; roles that may override rules can repeat the action with a reason. */
export function OverrideDialog({
  title,
  text,
  query,
  error,
  submitText,
  pending,
  override,
  close,
}: OverrideDialogProps) {
  const { t } = useTranslation()
  const verdict = useRead('GET /calendar/verdict/', query)
  const broken = isChangedSince(error) ? [] : (verdict.data?.broken ?? [])
  const mayOverride = useMayOverrideRules(broken)
  const doubles = isDoubleBooking(broken)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = (): void => {
    if (reason.trim() === '') setMissing(true)
    else override({ reason, ...(doubles && { doubleBook: true }) })
  }
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          {text}
        </Text>
        {!verdict.data && !verdict.error ? (
          <LoadingState lines={1} />
        ) : broken.length > 0 ? (
          <BrokenRules broken={broken} fits="" />
        ) : (
          <ErrorAlert error={error} />
        )}
        {mayOverride && (
          <ReasonField
            doubles={doubles}
            value={reason}
            onChange={setReason}
            error={missing && reason.trim() === '' ? t('calendar.reasonMissing') : undefined}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton onClick={close} />
          {mayOverride && (
            <Button loading={pending} onClick={submit}>
              {doubles ? t('calendar.doubleBook') : submitText}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
