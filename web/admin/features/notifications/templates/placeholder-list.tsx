import { Paper, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CompletionResult,
  completePlaceholder,
  matchingPlaceholders,
  type Placeholder,
  typedPlaceholder,
} from './placeholder-completion.ts'
import styles from './placeholder-list.module.css'

type TextField = HTMLInputElement | HTMLTextAreaElement

/**
 * Completes placeholders in one text field. Returns the handlers of the field, and the list to render below the
 * field.
 */
export function useCompletion(all: readonly Placeholder[], change: (completed: CompletionResult) => void) {
  const listId = useId()
  const [open, setOpen] = useState<{ readonly text: string; readonly cursor: number }>()
  const [chosen, setChosen] = useState(0)
  const typed = open && typedPlaceholder(open.text, open.cursor)
  const found = typed ? matchingPlaceholders(all, typed.typed) : []
  const shown = found.length > 0
  const at = Math.min(chosen, found.length - 1)
  const look = ({ currentTarget: { value, selectionStart, selectionEnd } }: SyntheticEvent<TextField>): void => {
    const cursor = selectionStart ?? value.length
    const next = selectionEnd === cursor && typedPlaceholder(value, cursor) ? { text: value, cursor } : undefined
    if (next?.text !== open?.text || next?.cursor !== open?.cursor) setChosen(0)
    setOpen(next)
  }
  const take = (name: string): void => {
    if (open && typed) change(completePlaceholder(open.text, open.cursor, typed, name))
    setOpen(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<TextField>): void => {
    const name = found[at]?.name
    if (name === undefined) return
    const step = { ArrowDown: 1, ArrowUp: found.length - 1 }[event.key]
    if (step !== undefined) setChosen((at + step) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(name)
    else if (event.key === 'Escape') setOpen(undefined)
    else return
    event.preventDefault()
    // Escape closes the list, not the dialog around the field.
    event.stopPropagation()
  }
  return {
    /**
     * Whether the list of matching placeholders is shown; meanwhile, the caller hides the errors that the preview finds
     * in the field.
     */
    isTyping: shown,
    field: {
      onSelect: look,
      onKeyDown,
      onBlur: () => setOpen(undefined),
      'aria-autocomplete': 'list' as const,
      ...(shown && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` }),
    },
    list: <PlaceholderList {...{ listId, found, at, take }} />,
  }
}

interface PlaceholderListProps {
  readonly listId: string
  readonly found: readonly Placeholder[]
  readonly at: number
  readonly take: (name: string) => void
}

function PlaceholderList({ listId, found, at, take }: PlaceholderListProps) {
  const { t } = useTranslation()
  return (
    <>
      <VisuallyHidden role="status">
        {found.length > 0 && t('notifications.completions', { count: found.length })}
      </VisuallyHidden>
      {found.length > 0 && (
        <Paper
          id={listId}
          role="listbox"
          aria-label={t('notifications.placeholders')}
          className={styles.list ?? ''}
          shadow="md"
        >
          {found.map(({ name, label }, index) => (
            <UnstyledButton
              key={name}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              className={styles.option ?? ''}
              // Pressing the mouse on an option must not take the focus from the text field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              <Text size="sm" span>
                {label}
              </Text>
              <Text size="xs" c="dimmed" span>
                {name}
              </Text>
            </UnstyledButton>
          ))}
        </Paper>
      )}
    </>
  )
}
