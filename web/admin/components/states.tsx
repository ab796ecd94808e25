import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../data/refusal.ts'
import { SessionNotKept } from '../data/session.ts'

interface EmptyStateProps {
  readonly icon?: ComponentType<{ size?: number; stroke?: number }>
  readonly title?: string
  readonly text: string
  /** What to do about it. */
  readonly children?: ReactNode
}

/** Where there is nothing to show: why, and what to do about it. */
export function EmptyState({ icon: Icon = IconInbox, title, text, children }: EmptyStateProps) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <ThemeIcon variant="light" color="gray" size={44} radius="xl" aria-hidden>
          <Icon size={24} stroke={1.5} />
        </ThemeIcon>
        {title && <Title order={2}>{title}</Title>}
        <Text c="dimmed" size="sm">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  )
}

interface ErrorStateProps {
  readonly error: unknown
  readonly retry?: () => void
}

/** Where reading failed: the service's sentence, or that it cannot be reached, and a way to try again. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const { t } = useTranslation()
  const outdated = isOutdated(error)
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      title={outdated ? t('states.updatedTitle') : t('states.wrongTitle')}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Trouble error={error} />
        {outdated && (
          <Button variant="default" onClick={() => location.reload()}>
            {t('common.reload')}
          </Button>
        )}
        {!outdated && retry && (
          <Button variant="default" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The sentence of an error, with the reference of a fault. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const { sentence, requestId } = failureOf(error)
  if (isOutdated(error)) return <Text size="sm">{t('states.updatedText')}</Text>
  if (error instanceof SessionNotKept) return <Text size="sm">{t('signIn.notKept')}</Text>
  if (error instanceof TypeError) return <Text size="sm">{t('states.noConnection')}</Text>
  return (
    <div>
      <Text size="sm">{sentence ?? t('states.wrongText')}</Text>
      {requestId && (
        <Text size="sm" c="dimmed">
          {t('states.requestId', { id: requestId })}
        </Text>
      )}
    </div>
  )
}

// A part of the panel that an update took away says so by not being loaded.
function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
}

/** Grey lines where something is still being read. */
export function LoadingState({ lines = 4 }: { readonly lines?: number }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" aria-busy>
      <VisuallyHidden role="status">{t('states.loading')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <Skeleton key={line} height={38} radius="md" />
      ))}
    </Stack>
  )
}
