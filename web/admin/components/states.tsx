import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isNotFound } from '../data/refusal.ts'
import { CookieRejectedError } from '../data/session.ts'

interface EmptyStateProps {
  readonly icon?: ComponentType<{ size?: number; stroke?: number }>
  readonly title?: string
  readonly text: string
  /** Actions that resolve the empty state. */
  readonly children?: ReactNode
}

/** The empty state of a list or screen: the reason, and the next step. */
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

/**
 * The error state of a query or screen: a message, and a button that calls `retry`, if given, unless what was queried
 * does not exist. After an update of the panel, the button reloads the page instead.
 */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const { t } = useTranslation()
  const outdated = isOutdated(error)
  const missing = isNotFound(error)
  const title = outdated ? 'updatedTitle' : missing ? 'missingTitle' : 'wrongTitle'
  return (
    <Alert color={missing ? 'gray' : 'red'} icon={<IconAlertTriangle />} title={t(`states.${title}`)} role="alert">
      <Stack gap="sm" align="flex-start">
        <ErrorMessage error={error} />
        {outdated && (
          <Button variant="default" onClick={() => location.reload()}>
            {t('common.reload')}
          </Button>
        )}
        {!outdated && !missing && retry && (
          <Button variant="default" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Renders the message of an error; for a response with status 500 or 503, also the request id. */
export function ErrorMessage({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const { sentence, requestId } = failureOf(error)
  if (isOutdated(error)) return <Text size="sm">{t('states.updatedText')}</Text>
  if (error instanceof CookieRejectedError) return <Text size="sm">{t('signIn.notKept')}</Text>
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

// When a bundle of the panel fails to load, an update of the panel has usually removed it.
function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
}

/** A skeleton of `lines` lines, shown while data is loading. */
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
