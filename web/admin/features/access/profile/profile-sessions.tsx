import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'

/** Lists the user's sessions, with buttons that end one session or all sessions except the current one. */
export function Sessions() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /sessions/', {})
  const end = useWrite('POST /sessions/end/', ['GET /sessions/'])
  const endOne = (id: string): void =>
    end.mutate({ body: { id } }, { onSuccess: () => toast(t('profile.sessionEnded')) })
  const endOthers = (): void => end.mutate({ body: {} }, { onSuccess: () => toast(t('profile.sessionsEnded')) })
  return (
    <Section
      title={t('profile.sessionsTitle')}
      actions={
        data &&
        data.items.length > 1 && (
          <Button variant="default" loading={end.isPending} onClick={endOthers}>
            {t('profile.sessionsEndAll')}
          </Button>
        )
      }
    >
      {error && !data ? <ErrorState error={error} retry={() => void refetch()} /> : !data && <LoadingState lines={2} />}
      <ErrorAlert error={end.error} />
      {data?.items.map(({ id, device, address, lastSeenAt, current }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <div>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {device}
              </Text>
              {current && <Badge color="teal">{t('profile.sessionThis')}</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              {address} · <Timestamp at={lastSeenAt} as="ago" />
            </Text>
          </div>
          {!current && (
            <Tooltip label={t('profile.sessionEnd', { device })}>
              <ActionIcon aria-label={t('profile.sessionEnd', { device })} onClick={() => endOne(id)}>
                <IconLogout size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
    </Section>
  )
}
