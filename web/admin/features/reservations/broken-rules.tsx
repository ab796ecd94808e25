import { Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck, IconLock, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { useReportedChanges } from '../../components/fields/forms-in-dialog.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { translateMessage } from '../../i18n/index.ts'
import styles from '../calendar/grid/calendar.module.css'
import { brokenRuleName } from './rule-name.ts'

type BrokenRuleList = Item<'GET /calendar/verdict/'>['broken']

/**
 * Whether the user's role may override all of the broken rules. False if no rule is broken, or if one of them can never
 * be overridden, such as the capacity of a slot.
 */
export function useMayOverrideRules(broken: BrokenRuleList): boolean {
  const may = useHasRole(desk)
  return may && broken.length > 0 && broken.every(({ firm }) => !firm)
}

/**
 * Whether overriding one of the broken rules books the provider's time twice, which the request must state explicitly.
 * Always false for providers who do not allow double bookings.
 */
export function isDoubleBooking(broken: BrokenRuleList): boolean {
  return broken.some(({ doubles }) => doubles)
}

/** Lists the rules that a time breaks with their messages; shows the text `fits` when the time breaks none. */
export function BrokenRules({ broken, fits }: { readonly broken: BrokenRuleList; readonly fits: string }) {
  const { t } = useTranslation()
  if (broken.length === 0)
    return (
      <Group gap={6} c="teal" wrap="nowrap" role="status">
        <IconCircleCheck size={18} aria-hidden />
        <Text size="sm" c="var(--mantine-color-text)">
          {fits}
        </Text>
      </Group>
    )
  return (
    <WarningAlert title={t('calendar.breaks', { count: broken.length })}>
      <Stack gap="xs" component="ul" p={0} m={0}>
        {broken.map(({ rule, message, firm }) => (
          <Group component="li" key={rule} gap={8} wrap="nowrap" align="flex-start">
            {firm ? (
              <IconLock size={16} role="img" aria-label={t('calendar.firm')} className={styles.mark} />
            ) : (
              <IconX size={16} aria-hidden className={styles.mark} />
            )}
            <div>
              <Text size="sm" fw={500}>
                {brokenRuleName({ rule, message }, t)}
              </Text>
              <Text size="sm" className="breakable">
                {translateMessage(message)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </WarningAlert>
  )
}

interface ReasonFieldProps {
  /** Whether the booking is a double booking of the provider's time. */
  readonly doubles?: boolean
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly error?: string | undefined
}

/** A field for the reason for overriding rules. */
export function ReasonField({ doubles = false, value, onChange, error }: ReasonFieldProps) {
  const { t } = useTranslation()
  useReportedChanges({ hasChanges: () => value.trim() !== '' })
  return (
    <Textarea
      label={t(doubles ? 'calendar.doubleReason' : 'calendar.reason')}
      description={t('calendar.reasonText')}
      autosize
      minRows={2}
      maxLength={500}
      required
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
