import { Button, Group, Paper, Select, Stack, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { Secret } from '../../access/components/secret.tsx'

type Feed = Item<'GET /calendar-feeds/'>['items'][number]

interface Scope {
  /** The provider whose feeds are listed; when absent, the feeds of the site and of services are listed. */
  readonly providerId?: number
}

/**
 * Lists, creates and revokes calendar feeds: secret addresses under which calendar programs subscribe to
 * reservations.
 */
export function CalendarFeeds({ providerId }: Scope) {
  const { t } = useTranslation()
  const scope = providerId === undefined ? {} : { providerId }
  const { data, error, refetch } = useRead('GET /calendar-feeds/', scope)
  const services = useRead('GET /services/', { per_page: 500 }, { enabled: providerId === undefined })
  const revoke = useWrite('POST /calendar-feeds/revoke/', ['GET /calendar-feeds/'])
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<Feed>()
  const names = new Map((services.data?.items ?? []).map(({ id, name }) => [id, name]))
  const titleOf = ({ serviceId }: Pick<Feed, 'serviceId'>): string =>
    serviceId === null
      ? t(providerId === undefined ? 'feeds.wholeSite' : 'feeds.own')
      : (names.get(serviceId) ?? serviceId)
  return (
    <Section
      title={t('feeds.title')}
      text={t('feeds.text')}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('feeds.add')}
        </Button>
      }
    >
      {error && !data ? <ErrorState error={error} retry={() => refetch()} /> : !data && <LoadingState lines={2} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('feeds.empty')}
        </Text>
      )}
      <Stack component="ul" gap="xs" p={0} m={0}>
        {data?.items.map((feed) => (
          <Paper component="li" key={feed.id} withBorder p="sm" style={{ listStyle: 'none' }}>
            <Group justify="space-between" gap="xs">
              <div>
                <Text size="sm" fw={500} className="breakable">
                  {titleOf(feed)} · {t(feed.names ? 'feeds.withNames' : 'feeds.withoutNames')}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('feeds.created')} <Timestamp at={feed.createdAt} /> · {t('feeds.lastRead')}{' '}
                  {feed.readAt === null ? t('common.never') : <Timestamp at={feed.readAt} as="ago" />}
                </Text>
              </div>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('feeds.revokeOne', { name: titleOf(feed) })}
                onClick={() => setRevoking(feed)}
              >
                {t('feeds.revoke')}
              </Button>
            </Group>
          </Paper>
        ))}
      </Stack>
      {adding && <AddFeed scope={scope} services={names} close={() => setAdding(false)} />}
      <ConfirmDialog
        opened={revoking !== undefined}
        close={() => setRevoking(undefined)}
        title={t('feeds.revokeTitle')}
        text={t('feeds.revokeText')}
        action={t('feeds.revoke')}
        danger
        confirm={async () => {
          if (!revoking) return
          await revoke.mutateAsync({ body: { id: revoking.id } })
          toast(t('feeds.revoked'))
        }}
      />
    </Section>
  )
}

interface AddProps {
  readonly scope: Scope
  readonly services: ReadonlyMap<string, string>
  readonly close: () => void
}

function AddFeed({ scope, services, close }: AddProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /calendar-feeds/add/', ['GET /calendar-feeds/'])
  const [url, setUrl] = useState<string>()
  const form = useWriteForm({
    initialValues: { serviceId: '', names: false },
    write: async ({ serviceId, names }) => {
      const body = { ...scope, names, ...(serviceId !== '' && { serviceId }) }
      setUrl((await add.mutateAsync({ body })).url)
    },
  })
  const choices = [
    { value: '', label: t('feeds.wholeSite') },
    ...[...services].map(([value, label]) => ({ value, label })),
  ]
  return (
    <Modal opened onClose={close} title={t('feeds.addTitle')} size="lg" showsOnce={url !== undefined}>
      {url ? (
        <Stack>
          <Secret label={t('feeds.address')} text={t('feeds.addressText')}>
            {url}
          </Secret>
          <Button onClick={close}>{t('common.close')}</Button>
        </Stack>
      ) : (
        <Form form={form} submitText={t('feeds.add')} beside={<CancelButton onClick={close} />}>
          {scope.providerId === undefined && (
            <Select
              label={t('feeds.of')}
              data={choices}
              allowDeselect={false}
              searchable
              {...form.fields.getInputProps('serviceId')}
            />
          )}
          <Switch
            label={t('feeds.names')}
            description={t('feeds.namesHelp')}
            {...form.fields.getInputProps('names', { type: 'checkbox' })}
          />
        </Form>
      )}
    </Modal>
  )
}
