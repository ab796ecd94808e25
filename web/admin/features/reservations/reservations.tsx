import { Button, Group, Stack, Text } from '@mantine/core'
import { IconBan, IconCheck, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leadingAndProviders, staff } from '../../../../src/access/users/role-groups.ts'
import { queryText } from '../../../client.ts'
import { useCommands } from '../../app/shell/command-palette.tsx'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { toastError } from '../../components/dialogs/toast.tsx'
import { downloadFrom } from '../../components/download.ts'
import { QueryDateField } from '../../components/fields/query-date-field.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { StatusBadge } from '../../components/records/reservation-status.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { pageOf, type QueryParameters, useQueryParameters } from '../../data/query-parameters.ts'
import { type Item, type PanelRouteQuery, panelApiRoot, request } from '../../data/request.ts'
import { useHasRole, useSession, useUser } from '../../data/session.ts'
import { BookButton } from './book-button.tsx'
import { RefusedStatusChanges } from './refused-status-changes.tsx'
import { ReservationDrawer } from './reservation-drawer.tsx'
import { useStatusChange } from './status-change.ts'

type Reservation = Item<'GET /reservations/'>

const statuses = ['pending', 'confirmed', 'cancelled'] as const
const sorts = ['start', '-start'] as const

/** The screen that lists reservations, with search, filters and bulk status changes. */
export default function Reservations() {
  const { t } = useTranslation()
  const { money } = useFormats()
  const [parameters, open] = useQueryParameters()
  const filter = filterOf(parameters)
  const read = useRead('GET /reservations/', { ...filter, page: pageOf(parameters), per_page: pageSize })
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const change = useStatusChange()
  const shown = read.data?.items ?? []
  const ticked = shown.filter(({ id }) => keys.has(id))
  // The selection remains when the user decides against the changes.
  const changeTicked = async (from: readonly Reservation['status'][], to: Reservation['status']) => {
    if (await change.set(ofStatus(ticked, from), to)) setKeys(new Set())
  }
  const table = `${panelApiRoot}/reservations/csv/${queryText(filter)}`
  const exports = useHasRole(leadingAndProviders)
  const changes = useHasRole(staff)
  const csv = [
    {
      id: 'reservations.csv',
      label: t('reservations.csv'),
      icon: <IconDownload size={18} />,
      run: () =>
        // A refusal of the filter is shown here; in answer to the download it would replace the panel.
        void request('GET /reservations/', { query: { ...filter, per_page: 5 } }).then(
          () => downloadFrom(table),
          toastError,
        ),
    },
  ]
  useCommands(exports ? csv : [])
  const columns: Column<Reservation>[] = [
    { title: t('reservations.customer'), cell: ({ customer }) => customer.name || t('reservations.removed') },
    { title: t('reservations.start'), sort: 'start', cell: ({ start }) => <Timestamp at={start} /> },
    { title: t('reservations.status'), cell: (one) => <StatusBadge {...one} /> },
    { title: t('reservations.service'), cell: ({ service }) => service.name || t('reservations.removed') },
    {
      title: t('reservations.provider'),
      cell: ({ provider }) => (provider.name ? <ProviderLink {...provider} alone /> : t('reservations.removed')),
    },
    {
      title: t('reservations.price'),
      cell: ({ price, currency }) => (price === null || currency === null ? '–' : money(price, currency)),
    },
    { title: t('reservations.created'), cell: ({ created }) => <Timestamp at={created} as="ago" /> },
  ]
  return (
    <Screen
      title={t('reservations.title')}
      text={t('reservations.text')}
      actions={
        <>
          <BookButton />
          {exports && (
            <Button component="a" href={table} download variant="default" leftSection={<IconDownload size={16} />}>
              {t('reservations.csv')}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="sm">
        <RefusedStatusChanges change={change} />
        <DataTable<Reservation>
          label={t('reservations.title')}
          read={read}
          rowKey={({ id }) => id}
          columns={columns}
          onOpen={({ id }) => open({ open: id })}
          searchable
          empty={{ text: t('reservations.empty') }}
          filters={{
            names: ['when', 'status', 'serviceId', 'providerId', 'from', 'to'],
            fields: <Filters />,
          }}
          {...(changes && {
            selection: {
              keys: new Set(ticked.map(({ id }) => id)),
              change: setKeys,
              label: ({ customer }) => t('reservations.tick', { name: customer.name || customer.id }),
              actions: (
                <Group gap="xs">
                  <Button
                    size="compact-sm"
                    leftSection={<IconCheck size={14} />}
                    disabled={change.progress !== undefined || !ticked.some(({ status }) => status === 'pending')}
                    onClick={() => void changeTicked(['pending'], 'confirmed')}
                  >
                    {t('reservations.confirm')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconBan size={14} />}
                    disabled={change.progress !== undefined || !ticked.some(({ status }) => status !== 'cancelled')}
                    onClick={() => void changeTicked(['pending', 'confirmed'], 'cancelled')}
                  >
                    {t('reservations.cancel')}
                  </Button>
                  {change.progress && (
                    <Text size="sm" c="dimmed" role="status">
                      {t('reservations.progress', { ...change.progress })}
                    </Text>
                  )}
                </Group>
              ),
            },
          })}
        />
      </Stack>
      {parameters.open && <ReservationDrawer id={parameters.open} change={change} close={() => open({ open: '' })} />}
    </Screen>
  )
}

function Filters() {
  const { t } = useTranslation()
  const { role } = useUser()
  const zone = useSession()?.site.timezone ?? ''
  const { data } = useRead('GET /reservations/filters/', {})
  const choices = (list: readonly { readonly id: string | number; readonly name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <>
      <QuerySelect
        name="when"
        fallback="upcoming"
        label={t('reservations.when')}
        w={{ base: '100%', sm: 130 }}
        data={(['upcoming', 'past', 'all'] as const).map((value) => ({
          value,
          label: t(`reservations.whens.${value}`),
        }))}
      />
      <QuerySelect
        name="status"
        label={t('reservations.status')}
        placeholder={t('reservations.any')}
        w={{ base: '100%', sm: 140 }}
        data={statuses.map((value) => ({ value, label: t(`reservations.statuses.${value}`) }))}
      />
      <QuerySelect
        name="serviceId"
        label={t('reservations.service')}
        placeholder={t('reservations.any')}
        searchable
        w={{ base: '100%', sm: 170 }}
        data={choices(data?.services)}
      />
      {role !== 'provider' && (
        <QuerySelect
          name="providerId"
          label={t('reservations.provider')}
          placeholder={t('reservations.any')}
          searchable
          w={{ base: '100%', sm: 170 }}
          data={choices(data?.providers)}
        />
      )}
      <QueryDateField name="from" label={t('reservations.from')} title={t('reservations.dates', { zone })} />
      <QueryDateField name="to" label={t('reservations.to')} title={t('reservations.dates', { zone })} />
    </>
  )
}

/**
 * Converts the query parameters of the screen to those of the API. Invalid values of `status`, `sort` and `providerId`
 * are dropped; any value of `when` other than `past` and `all` means `upcoming`.
 */
function filterOf(parameters: QueryParameters): PanelRouteQuery<'GET /reservations/'> {
  const when = parameters.when === 'all' ? undefined : parameters.when === 'past' ? 'past' : 'upcoming'
  const chosenSort = sorts.find((one) => one === parameters.sort)
  const status = statuses.find((one) => one === parameters.status)
  return {
    ...(parameters.search && { search: parameters.search }),
    ...(status && { status }),
    ...(parameters.serviceId && { serviceId: parameters.serviceId }),
    ...(/^\d{1,15}$/.test(parameters.providerId ?? '') && { providerId: Number(parameters.providerId) }),
    ...(parameters.from && { from: parameters.from }),
    ...(parameters.to && { to: parameters.to }),
    ...(when && { when }),
    // By default, past reservations are listed newest first, all others oldest first.
    sort: chosenSort ?? (when === 'past' ? '-start' : 'start'),
  }
}

function ofStatus(reservations: readonly Reservation[], statuses: readonly Reservation['status'][]) {
  return reservations.filter(({ status }) => statuses.includes(status))
}
