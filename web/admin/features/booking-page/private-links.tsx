import { Badge, Button, CopyButton, Group, Select, Stack, Table, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toastError } from '../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'

type Link = Item<'GET /booking-page/links/'>['links'][number]

interface PrivateLinksProps {
  readonly service: { readonly id: string; readonly name: string }
  readonly close: () => void
}

/**
 * Creates, lists and revokes the private links of a service: secret URLs with which the service can be booked, once or
 * repeatedly, until they expire or are revoked.
 */
export function PrivateLinks({ service: { id, name }, close }: PrivateLinksProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /booking-page/links/', { serviceId: id })
  return (
    <Modal
      opened
      onClose={close}
      title={t('bookingPage.linksOf', { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      size="lg"
    >
      <Stack>
        <Text size="sm">{t('bookingPage.linksText')}</Text>
        <NewLink serviceId={id} />
        {data ? (
          <LinkList links={data.links} />
        ) : error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <LoadingState />
        )}
      </Stack>
    </Modal>
  )
}

const days = { day: 1, week: 7, month: 30, year: 365, unlimited: null } as const

type Validity = keyof typeof days

function NewLink({ serviceId }: { readonly serviceId: string }) {
  const { t } = useTranslation()
  const add = useWrite('POST /booking-page/links/add/', ['GET /booking-page/links/'])
  const [use, setUse] = useState('once')
  const [valid, setValid] = useState<Validity>('month')
  const validities = Object.keys(days) as Validity[]
  const make = () => add.mutate({ body: { serviceId, singleUse: use === 'once', days: days[valid] } })
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <Select
          label={t('bookingPage.linkUse')}
          data={[
            { value: 'once', label: t('bookingPage.linkOnce') },
            { value: 'often', label: t('bookingPage.linkOften') },
          ]}
          value={use}
          onChange={(value) => setUse(value ?? 'once')}
          allowDeselect={false}
        />
        <Select
          label={t('bookingPage.linkValid')}
          data={validities.map((value) => ({ value, label: t(`bookingPage.linkDays.${value}`) }))}
          value={valid}
          onChange={(value) => setValid(validities.find((one) => one === value) ?? 'month')}
          allowDeselect={false}
        />
        <Button loading={add.isPending} onClick={make}>
          {t('bookingPage.linkMake')}
        </Button>
      </Group>
      <ErrorAlert error={add.error} />
      {add.data && (
        <Stack gap={4} role="status">
          <Text size="sm">{t('bookingPage.linkShown')}</Text>
          <Text size="sm" ff="monospace" className="breakable">
            {add.data.url}
          </Text>
          <CopyButton value={add.data.url}>
            {({ copied, copy }) => (
              <Button variant="default" w="max-content" leftSection={<IconCopy size={16} />} onClick={copy}>
                {copied ? t('common.copied') : t('bookingPage.linkCopy')}
              </Button>
            )}
          </CopyButton>
        </Stack>
      )}
    </Stack>
  )
}

function LinkList({ links }: { readonly links: readonly Link[] }) {
  const { t } = useTranslation()
  const { shortDate } = useFormats()
  const revoke = useWrite('POST /booking-page/links/revoke/', ['GET /booking-page/links/'])
  if (links.length === 0) return <Text size="sm">{t('bookingPage.linkNone')}</Text>
  return (
    <Table.ScrollContainer
      minWidth={480}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={t('bookingPage.linksText')}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('bookingPage.linkMade')}</Table.Th>
            <Table.Th>{t('bookingPage.linkUse')}</Table.Th>
            <Table.Th>{t('bookingPage.linkUntil')}</Table.Th>
            <Table.Th>{t('bookingPage.linkState')}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map(({ id, createdAt, singleUse, expiresAt, state, reservationId }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Timestamp at={createdAt} />
              </Table.Td>
              <Table.Td>{t(singleUse ? 'bookingPage.linkOnce' : 'bookingPage.linkOften')}</Table.Td>
              <Table.Td>{expiresAt === null ? '–' : <Timestamp at={expiresAt} />}</Table.Td>
              <Table.Td>
                <Badge variant="default" miw="max-content">
                  {t(`bookingPage.linkStates.${state}`)}
                </Badge>
                {reservationId !== null && (
                  <PanelLink to="/reservations" search={{ open: reservationId }}>
                    {t('bookingPage.toReservation')}
                  </PanelLink>
                )}
              </Table.Td>
              <Table.Td>
                {state === 'open' && (
                  <Button
                    variant="default"
                    size="xs"
                    disabled={revoke.isPending}
                    aria-label={t('bookingPage.linkRevokeOf', { date: shortDate(createdAt) })}
                    onClick={() => void revoke.mutateAsync({ body: { id } }).then(undefined, toastError)}
                  >
                    {t('bookingPage.linkRevoke')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
