import { Button, createScopedKeydownHandler, Group, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PanelTexts } from '../../../i18n/messages.ts'
import type { Placeholder } from './placeholder-completion.ts'

type Name = keyof PanelTexts['notifications']['names']

interface PlaceholderButtonsProps {
  readonly placeholders: readonly Placeholder[]
  readonly insert: (text: string) => void
}

/**
 * Returns the placeholders of a template, each with a label in the language of the user; the label of a placeholder
 * without a translation is its name.
 */
export function usePlaceholders(names: readonly string[]): readonly Placeholder[] {
  const { t } = useTranslation()
  return names.map((name) => {
    const key = wordOf(name)
    return { name, label: key ? t(`notifications.names.${key}`) : name }
  })
}

const moveFocus = createScopedKeydownHandler({
  parentSelector: '[role="toolbar"]',
  siblingSelector: 'button',
  orientation: 'horizontal',
  dir: 'ltr',
})

/**
 * Buttons that insert placeholders into a template. They are a toolbar: one of them is in the tab order, and the arrow
 * keys move between them. They belong above the fields: a message that appears or disappears beside a field would
 * otherwise move a button while it is pressed, so that the click is lost.
 */
export function PlaceholderButtons({ placeholders, insert }: PlaceholderButtonsProps) {
  const { t } = useTranslation()
  const id = useId()
  const [last, setLast] = useState<string>()
  const reached = placeholders.find(({ name }) => name === last) ?? placeholders[0]
  return (
    <div>
      <Text size="sm" fw={500} id={id} mb={4}>
        {t('notifications.placeholders')}
      </Text>
      <Group gap={6} role="toolbar" aria-labelledby={id}>
        {placeholders.map(({ name, label }) => (
          <Button
            key={name}
            variant="default"
            size="compact-xs"
            tabIndex={name === reached?.name ? 0 : -1}
            onFocus={() => setLast(name)}
            onKeyDown={moveFocus}
            onClick={() => insert(`{{ ${name} }}`)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </div>
  )
}

const known: Readonly<Record<Name, true>> = {
  'customer-name': true,
  'customer-email': true,
  'customer-phone': true,
  'service-name': true,
  'provider-name': true,
  'site-name': true,
  'site-url': true,
  start: true,
  start_date: true,
  start_time: true,
  end_time: true,
  timezone: true,
  previous_start: true,
  manage_url: true,
  meeting: true,
  deadline: true,
  fee: true,
  'user-name': true,
  detail: true,
  date: true,
  count: true,
}

// Returns the key of a placeholder's translation; undefined when it has none. Keys have a dash in place of the dot,
// since i18next would take the dot for a separator of levels.
function wordOf(name: string): Name | undefined {
  const key = name.replace('.', '-')
  return isName(key) ? key : undefined
}

function isName(key: string): key is Name {
  return Object.hasOwn(known, key)
}
