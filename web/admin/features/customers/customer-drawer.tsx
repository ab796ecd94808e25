import { Anchor, Button, DataList, Group, SegmentedControl, Stack, Text, Timeline, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk, leading } from '../../../../src/access/users/role-groups.ts'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { toast, toastError, type Undo } from '../../components/dialogs/toast.tsx'
import { customerStatuses } from '../../components/records/customer-status.tsx'
import { Diff } from '../../components/records/diff.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useLocale } from '../../data/dates/formats.ts'
import { formatNumericDate } from '../../data/dates/parse-date.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { isNotFound } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { eventName } from '../history/event-name.ts'
import { RecentMessages, SuppressionNotice } from '../notifications/recent-messages.tsx'
import { BookButton } from '../reservations/book-button.tsx'
import { CustomerActions } from './customer-actions.tsx'
import { EditCustomer } from './customer-form.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { CustomerReservations } from './customer-reservations.tsx'
import { CustomerSms } from './customer-sms.tsx'
import { Tags } from './tags.tsx'

type Customer = Item<'GET /customers/one/'>

interface DrawerProps {
  readonly id: string
  readonly close: () => void
}

/** The drawer of one customer: profile, notes, reservations, messages and changes. */
export function CustomerDrawer({ id, close }: DrawerProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /customers/one/', { id })
  const customer = data?.id === id ? data : undefined
  const leads = useHasRole(leading)
  const serves = useHasRole(desk)
  return (
    <Drawer opened onClose={close} title={customer?.name ?? t('customers.one')}>
      {customer && !isNotFound(error) ? (
        <Stack gap="lg">
          {leads && customer.more && <SuppressionNotice email={customer.email} of="customer" />}
          <Profile customer={customer} close={close} />
          {serves && customer.more && <CustomerSms customer={customer} sms={customer.more.sms} />}
          {customer.more && <CustomerNotes customerId={id} notes={customer.more.notes} changes={serves} />}
          <CustomerReservations customer={customer} />
          {leads && customer.more && <RecentMessages of={{ customerId: id }} />}
          {customer.more && <Changes entries={customer.more.history} />}
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Drawer>
  )
}

function Profile({ customer, close }: { readonly customer: Customer; readonly close: () => void }) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const { id, email, phone, createdAt, tags, more } = customer
  const locale = useLocale()
  const serves = useHasRole(desk)
  const leads = useHasRole(leading)
  if (editing) return <EditCustomer customer={customer} close={() => setEditing(false)} />
  return (
    <Stack gap="sm">
      {more && serves && (
        <Group justify="space-between">
          <Status customer={customer} />
          <Group gap="xs">
            <BookButton customerId={id} />
            <Group gap="xs" wrap="nowrap">
              <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
                {t('common.edit')}
              </Button>
              {leads && <CustomerActions customer={customer} close={close} />}
            </Group>
          </Group>
        </Group>
      )}
      <DataList orientation="horizontal" labelWidth={130}>
        <Fact label={t('customers.email')}>
          {email ? (
            <Anchor size="sm" href={`mailto:${encodeURIComponent(email)}`}>
              {email}
            </Anchor>
          ) : (
            '–'
          )}
        </Fact>
        <Fact label={t('customers.phone')}>
          {phone ? (
            <Anchor size="sm" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
              {phone}
            </Anchor>
          ) : (
            '–'
          )}
        </Fact>
        {more?.phones.map(({ label, number }) => (
          <Fact key={`${label} ${number}`} label={label || t('customers.phone')}>
            <Anchor size="sm" href={`tel:${number.replace(/[^+\d]/g, '')}`}>
              {number}
            </Anchor>
          </Fact>
        ))}
        {more?.birthday && <Fact label={t('customers.birthday')}>{formatNumericDate(more.birthday, locale)}</Fact>}
        {tags.length > 0 && (
          <Fact label={t('customers.tags')}>
            <Tags of={tags} />
          </Fact>
        )}
        {more && <Fact label={t('customers.timezone')}>{more.timezone ?? t('customers.asSite')}</Fact>}
        {more && <Fact label={t('customers.language')}>{more.language || t('customers.asSite')}</Fact>}
        {more && more.hostUserId !== 0 && <Fact label={t('customers.hostUser')}>{more.hostUserId}</Fact>}
        <Fact label={t('customers.created')}>
          <Timestamp at={createdAt} />
        </Fact>
        <Fact label={t('customers.id')}>{id}</Fact>
      </DataList>
    </Stack>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
    </DataList.Item>
  )
}

/** A control that shows and sets the status of a customer; the notification after a change has an undo button. */
function Status({ customer: { id, status } }: { readonly customer: Customer }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /customers/edit/', ['GET /customers/', 'GET /customers/one/'])
  const set = async (to: Customer['status'], undo?: Undo): Promise<void> => {
    const found = customerStatuses.find(({ value }) => value === to)
    if (!found) return
    await edit.mutateAsync({ body: { id, status: found.value } })
    toast(t(`customers.nowStatus.${found.word}`), undo)
  }
  return (
    <Stack gap={4}>
      <SegmentedControl
        size="xs"
        aria-label={t('customers.status')}
        disabled={edit.isPending}
        value={String(status)}
        data={customerStatuses.map(({ value, word }) => ({
          value: String(value),
          label: t(`customers.statuses.${word}`),
        }))}
        onChange={(chosen) => {
          const to = customerStatuses.find(({ value }) => String(value) === chosen)?.value ?? null
          set(to, () => set(status)).then(undefined, toastError)
        }}
      />
    </Stack>
  )
}

function Changes({ entries }: { readonly entries: NonNullable<Customer['more']>['history'] }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState('')
  const id = useId()
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {t('customers.history')}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={-1}>
        {entries.map((entry) => (
          <Timeline.Item key={entry.id} title={eventName(entry.type, t)}>
            <Text size="sm" c="dimmed">
              <Timestamp at={entry.at} /> · {entry.actor.name || t(`history.kinds.${entry.actor.kind}`)}
            </Text>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-expanded={opened === entry.id}
              onClick={() => setOpened(opened === entry.id ? '' : entry.id)}
            >
              {t('customers.changes')}
            </Anchor>
            {opened === entry.id && <Diff before={entry.before} after={entry.after} />}
          </Timeline.Item>
        ))}
      </Timeline>
    </Stack>
  )
}
