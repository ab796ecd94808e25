import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../data/session.ts'

interface ScreenProps {
  readonly title: string
  /** One sentence on what the screen is for. */
  readonly text?: string | undefined
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One screen: its title in the page and in the tab, and the focus on it, so that a reader knows where they are. */
export function Screen({ title, text, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const site = useSession()?.site.name
  useEffect(() => {
    document.title = site ? `${title} · ${site}` : title
  }, [title, site])
  useEffect(() => {
    // A field that wants the focus has it already.
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) heading.current?.focus()
  }, [])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" size="sm" mt={2}>
              {text}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
