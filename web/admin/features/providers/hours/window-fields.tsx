import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCoffee, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { parseTime } from '../../../data/dates/parse-date.ts'
import { nextWindow, type WindowValues, withBreak } from './week-values.ts'

interface WindowFieldsProps {
  /** What the opening windows belong to, such as a weekday; part of the accessible name of each field. */
  readonly label: string
  readonly windows: readonly WindowValues[]
  readonly onChange: (windows: readonly WindowValues[]) => void
  /** Returns the error of the window at an index; undefined for a valid window. */
  readonly errorOf: (at: number) => ReactNode
  /** Whether the first field receives the focus when a dialog opens. */
  readonly autofocus?: boolean
  /** Content after the button that adds an opening window. */
  readonly more?: ReactNode
}

/**
 * Edits the opening windows of a day, each by a field for its start and one for its end; a window may pass midnight.
 */
export function WindowFields({ label, windows, onChange, errorOf, autofocus = false, more }: WindowFieldsProps) {
  const { t } = useTranslation()
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <Stack gap={6} flex={1}>
        {windows.length === 0 && (
          <Text size="sm" c="dimmed" lh="30px">
            {t('providers.closed')}
          </Text>
        )}
        {windows.map((window, at) => (
          <WindowField
            // biome-ignore lint/suspicious/noArrayIndexKey: windows have no other identity
            key={at}
            label={`${label}, ${at + 1}`}
            window={window}
            autofocus={autofocus && at === 0}
            error={errorOf(at)}
            onChange={(changed) => onChange(windows.with(at, changed))}
            onRemove={() => onChange(windows.toSpliced(at, 1))}
            onBreak={() => onChange(windows.toSpliced(at, 1, ...(withBreak(window) ?? [window])))}
          />
        ))}
      </Stack>
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          aria-label={t('providers.addWindow', { day: label })}
          onClick={() => onChange([...windows, nextWindow(windows)])}
        >
          <IconPlus size={18} stroke={1.5} />
        </ActionIcon>
        {more}
      </Group>
    </Group>
  )
}

interface WindowFieldProps {
  readonly label: string
  readonly window: WindowValues
  readonly error: ReactNode
  readonly autofocus: boolean
  readonly onChange: (window: WindowValues) => void
  readonly onRemove: () => void
  /** Splits the window by a break. */
  readonly onBreak: () => void
}

function WindowField({ label, window, error, autofocus, onChange, onRemove, onBreak }: WindowFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const field = (name: 'from' | 'to') => (
    <TextInput
      size="xs"
      w={74}
      aria-label={`${label}, ${t(`providers.${name}`)}`}
      aria-describedby={error ? id : undefined}
      placeholder="00:00"
      data-autofocus={(autofocus && name === 'from') || undefined}
      autoComplete="off"
      error={Boolean(error)}
      value={window[name]}
      onChange={(event) => onChange({ ...window, [name]: event.currentTarget.value })}
      onBlur={(event) => {
        const read = parseTime(event.currentTarget.value)
        if (read !== undefined && read !== window[name]) onChange({ ...window, [name]: read })
      }}
    />
  )
  return (
    <div>
      <Group gap={6} wrap="nowrap">
        {field('from')}
        <Text span size="sm" c="dimmed" aria-hidden>
          –
        </Text>
        {field('to')}
        <ActionIcon
          size="sm"
          aria-label={t('providers.addBreak', { window: label })}
          title={t('providers.addBreak', { window: label })}
          disabled={withBreak(window) === undefined}
          onClick={onBreak}
        >
          <IconCoffee size={16} stroke={1.5} />
        </ActionIcon>
        <ActionIcon size="sm" aria-label={t('providers.removeWindow', { window: label })} onClick={onRemove}>
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      </Group>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" id={id} mt={2} role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}
