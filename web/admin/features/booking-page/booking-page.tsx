import { Anchor, Button, CopyButton, Group, Stack, Switch, Text } from '@mantine/core'
import { IconCopy, IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { QrCode } from '../access/components/qr-code.tsx'
import { HostSecret } from './host-secret.tsx'
import { Insight } from './insight.tsx'
import { PageForm } from './page-form.tsx'
import { ServicePages } from './service-pages.tsx'

/**
 * The screen of the booking page: its settings, the services on it, the secret of the host site, and statistics about
 * visits.
 */
export default function BookingPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /booking-page/', {})
  return (
    <Screen title={t('bookingPage.title')} text={t('bookingPage.text')}>
      {data ? (
        <Stack maw={900}>
          <PublicationSection page={data} />
          <ServicePages services={data.services} />
          <PageForm settings={data.settings} />
          <HostSecret />
          <Insight />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

/** Shows the URL of the booking page, and a switch that opens the page to visitors or closes it. */
function PublicationSection({ page: { url, settings } }: { readonly page: Item<'GET /booking-page/'> }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /booking-page/edit/', ['GET /booking-page/'])
  const set = (enabled: boolean) =>
    edit
      .mutateAsync({ body: { enabled } })
      .then(() => toast(t('common.saved'), () => edit.mutateAsync({ body: { enabled: !enabled } })), toastError)
  return (
    <Section title={t('bookingPage.link')}>
      <Switch
        label={t('bookingPage.isOpen')}
        description={t('bookingPage.isOpenHelp')}
        checked={settings.enabled}
        disabled={edit.isPending}
        onChange={({ currentTarget }) => void set(currentTarget.checked)}
      />
      <Group align="flex-start" gap="lg">
        <Stack gap="xs" flex={1} miw={220}>
          <Anchor href={url} target="_blank" rel="noopener" className="breakable">
            {url}
          </Anchor>
          <Group gap="xs">
            <CopyButton value={url}>
              {({ copied, copy }) => (
                <Button variant="default" leftSection={<IconCopy size={16} />} onClick={copy}>
                  {copied ? t('common.copied') : t('common.copy')}
                </Button>
              )}
            </CopyButton>
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener"
              variant="default"
              leftSection={<IconExternalLink size={16} />}
            >
              {t('bookingPage.open')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {t('bookingPage.previewText')}
          </Text>
        </Stack>
        <QrCode text={url} label={t('bookingPage.qr')} />
      </Group>
    </Section>
  )
}
