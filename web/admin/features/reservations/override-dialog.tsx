import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CancelButton, Problem } from '../../components/fields/write-form.tsx'
import { LoadingState } from '../../components/states.tsx'
import type { PanelQuery } from '../../data/ask.ts'
import { useRead } from '../../data/queries.ts'
import { BrokenRules, ReasonField, useMayAnyway } from './broken-rules.tsx'

interface AnywayDialogProps {
  readonly title: string
  /** What was to be done. */
  readonly text: string
  /** Whose verdict says which rules are broken. */
  readonly asked: PanelQuery<'GET /calendar/verdict/'>['query']
  /** What was refused, for when no rule is broken any more. */
  readonly error: unknown
  readonly submitText: string
  readonly pending: boolean
  readonly anyway: (reason: string) => void
  readonly close: () => void
}

/** Why something stayed as it was, rule by rule; whoever runs the site may do it all the same, with a reason. */
export function OverrideDialog({ title, text, asked, error, submitText, pending, anyway, close }: AnywayDialogProps) {
  const { t } = useTranslation()
  const verdict = useRead('GET /calendar/verdict/', asked)
  const broken = verdict.data?.broken ?? []
  const mayAnyway = useMayAnyway(broken)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = (): void => {
    if (reason.trim() === '') setMissing(true)
    else anyway(reason)
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
          <Problem error={error} />
        )}
        {mayAnyway && (
          <ReasonField
            value={reason}
            onChange={setReason}
            error={missing && reason.trim() === '' ? t('calendar.reasonMissing') : undefined}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton onClick={close} />
          {mayAnyway && (
            <Button loading={pending} onClick={submit}>
              {submitText}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
