import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../data/session.ts'

interface ScreenProps {
  readonly title: string
  /** One sentence on the purpose of the screen. */
  readonly text?: string | undefined
  /** Whether a phone leaves the text out, because the screen needs the height. */
  readonly compact?: boolean
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/**
 * The layout of one screen. Sets the document title. Moves the focus to the heading, so that screen readers announce
 * it, unless an element of the screen has the focus.
 */
export function Screen({ title, text, compact = false, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const site = useSession()?.site.name
  useEffect(() => {
    document.title = site ? `${title} · ${site}` : title
  }, [title, site])
  useEffect(() => {
    // The heading takes the focus unless an element outside of the navigation has it, such as a field with autofocus.
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) heading.current?.focus()
  }, [])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        {/* On a phone, the text takes the whole width; elsewhere it leaves room for the buttons. */}
        <Box flex={{ base: '0 1 auto', sm: '1 1 20rem' }} miw={0}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" size="sm" mt={2} {...(compact && { visibleFrom: 'sm' })}>
              {text}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="off-paper">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}
