import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly text?: string
  /** Beside the title: a state, a button. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A part of a screen in a frame of its own. */
export function Section({ title, text, actions, children }: SectionProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Box flex={1} miw={200}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {text && (
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
