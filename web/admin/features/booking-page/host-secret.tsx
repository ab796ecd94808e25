import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

const changed = ['GET /booking-page/host-secret/'] as const

/**
 * The secret with which the host site (the owner's own website) signs tokens that identify its users; only
 * administrators can create and remove the secret.
 */
export function HostSecret() {
  const { t } = useTranslation()
  const { longDate } = useFormats()
  const isAdmin = useUser().role === 'admin'
  const { data } = useRead('GET /booking-page/host-secret/', {})
  const set = useWrite('POST /booking-page/host-secret/set/', changed)
  const remove = useWrite('POST /booking-page/host-secret/remove/', changed)
  const [asked, setAsked] = useState<'replace' | 'remove'>()
  const createdAt = data?.createdAt ?? null
  const close = () => setAsked(undefined)
  return (
    <Section title={t('bookingPage.host')} text={t('bookingPage.hostText')}>
      <Stack gap="xs">
        <Text size="sm">
          {createdAt === null ? t('bookingPage.hostNone') : t('bookingPage.hostMade', { date: longDate(createdAt) })}
        </Text>
        {isAdmin && (
          <Group gap="xs">
            {createdAt === null ? (
              <Button variant="default" loading={set.isPending} onClick={() => set.mutate({ body: {} })}>
                {t('bookingPage.hostMake')}
              </Button>
            ) : (
              <>
                <Button variant="default" onClick={() => setAsked('replace')}>
                  {t('bookingPage.hostReplace')}
                </Button>
                <Button variant="default" onClick={() => setAsked('remove')}>
                  {t('bookingPage.hostRemove')}
                </Button>
              </>
            )}
          </Group>
        )}
        <ErrorAlert error={set.error} />
        {set.data && (
          <Stack gap={4} role="status">
            <Text size="sm">{t('bookingPage.hostShown')}</Text>
            <Text size="sm" ff="monospace" className="breakable">
              {set.data.secret}
            </Text>
            <CopyButton value={set.data.secret}>
              {({ copied, copy }) => (
                <Button variant="default" w="max-content" leftSection={<IconCopy size={16} />} onClick={copy}>
                  {copied ? t('common.copied') : t('common.copy')}
                </Button>
              )}
            </CopyButton>
          </Stack>
        )}
      </Stack>
      <ConfirmDialog
        opened={asked === 'replace'}
        close={close}
        title={t('bookingPage.hostReplace')}
        text={t('bookingPage.hostReplaceText')}
        action={t('bookingPage.hostReplace')}
        danger
        confirm={() => set.mutateAsync({ body: {} })}
      />
      <ConfirmDialog
        opened={asked === 'remove'}
        close={close}
        title={t('bookingPage.hostRemove')}
        text={t('bookingPage.hostRemoveText')}
        action={t('bookingPage.hostRemove')}
        danger
        confirm={async () => {
          await remove.mutateAsync({ body: {} })
          set.reset()
        }}
      />
    </Section>
  )
}
