import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly text?: string
  /** The id by which a link leads to the section. */
  readonly anchor?: string
  /** Content beside the title, such as a badge or a button. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A bordered section of a screen. */
export function Section({ title, text, anchor, actions, children }: SectionProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} {...(anchor !== undefined && { id: anchor })}>
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
