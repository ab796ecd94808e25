import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A warning to consider before continuing, announced by screen readers when it appears. */
export function WarningAlert({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      role="status"
      title={
        <Text inherit c="var(--mantine-color-text)">
          {title}
        </Text>
      }
    >
      {children}
    </Alert>
  )
}
