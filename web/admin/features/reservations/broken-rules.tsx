import { Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck, IconLock, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { Caution } from '../../components/dialogs/caution.tsx'
import type { Item } from '../../data/request.ts'
import { useMay } from '../../data/session.ts'
import { say } from '../../i18n/index.ts'
import styles from '../calendar/grid/calendar.module.css'
import { brokenRuleName } from './rule-name.ts'

type Broken = Item<'GET /calendar/verdict/'>['broken']

/** Whether the user may override these rules: the role allows it, and the slot has room. */
export function useMayOverrideRules(broken: Broken): boolean {
  const may = useMay(desk)
  return may && broken.length > 0 && broken.every(({ firm }) => !firm)
}

/** Whether overriding these rules books the time twice, which the provider allows. */
export function doublesTime(broken: Broken): boolean {
  return broken.some(({ doubles }) => doubles)
}

/** The messages of the rules that a time breaks, or that it breaks none. */
export function BrokenRules({ broken, fits }: { readonly broken: Broken; readonly fits: string }) {
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
    <Caution title={t('calendar.breaks', { count: broken.length })}>
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
                {say(message)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Caution>
  )
}

interface ReasonFieldProps {
  /** Whether the booking doubles the time of the provider. */
  readonly doubles?: boolean
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly error?: string | undefined
}

/** The reason for overriding rules. */
export function ReasonField({ doubles = false, value, onChange, error }: ReasonFieldProps) {
  const { t } = useTranslation()
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
