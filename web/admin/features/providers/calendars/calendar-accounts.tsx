import { Button, Checkbox, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { IconKey, IconPlugConnected, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionsMenu, RemoveItem } from '../../../components/dialogs/actions-menu.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { toast, toastError } from '../../../components/dialogs/toast.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { translateMessage } from '../../../i18n/index.ts'
import { CalendarDestination } from './calendar-destination.tsx'
import { ConnectAccount, EditAccount, type ShownAccount } from './connect-account.tsx'
import { ConnectGrantButton, useGrantSignIn } from './grant-sign-in.tsx'

const shortPoll = 1_000
const longPoll = 20_000

/**
 * Lists the calendar accounts of a provider. Selects the calendars that block time, and the one to which reservations
 * are written.
 */
export function CalendarAccounts({ providerId }: { readonly providerId: number }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'connect' | ShownAccount>()
  const { data, error, refetch } = useRead(
    'GET /calendar-accounts/',
    { providerId },
    { refetchAfter: (read) => (read?.items.some(isBeingListed) ? shortPoll : longPoll) },
  )
  const signIn = useGrantSignIn()
  const { data: apps } = useRead('GET /calendar-apps/', {})
  const items = data?.items ?? []
  return (
    <>
      <Section title={t('accounts.title')} text={t('accounts.text')}>
        {error && !data ? <ErrorState error={error} retry={() => refetch()} /> : !data && <LoadingState lines={2} />}
        {data && items.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('accounts.empty')}
          </Text>
        )}
        <Stack component="ul" gap="sm" p={0} m={0}>
          {items.map((account) => (
            <AccountCard
              key={account.id}
              account={account}
              edit={() =>
                account.kind === 'caldav' ? setDialog(account) : signIn.begin(account.kind, providerId, account.id)
              }
            />
          ))}
        </Stack>
        <Group gap="xs">
          {apps?.map((app) => (
            <ConnectGrantButton key={app.kind} app={app} providerId={providerId} signIn={signIn} />
          ))}
          <Button variant="default" leftSection={<IconPlugConnected size={16} />} onClick={() => setDialog('connect')}>
            {t('accounts.connect')}
          </Button>
        </Group>
        {data && items.length > 0 && <CalendarDestination accounts={items} destination={data.destination} />}
      </Section>
      {dialog === 'connect' && <ConnectAccount providerId={providerId} close={() => setDialog(undefined)} />}
      {dialog !== undefined && dialog !== 'connect' && (
        <EditAccount account={dialog} close={() => setDialog(undefined)} />
      )}
    </>
  )
}

function isBeingListed({ foundAt, fault }: ShownAccount): boolean {
  return foundAt === null && fault === null
}

interface CardProps {
  readonly account: ShownAccount
  readonly edit: () => void
}

const changed = ['GET /calendar-accounts/', 'GET /calendars/'] as const

function AccountCard({ account, edit }: CardProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState(false)
  const look = useWrite('POST /calendar-accounts/refresh/', ['GET /calendar-accounts/'])
  const remove = useWrite('POST /calendar-accounts/remove/', [...changed])
  const { id, kind, user, fault, foundAt, calendars } = account
  const host = kind === 'caldav' ? account.host : t(`grants.systems.${kind}`)
  return (
    <Paper component="li" withBorder p="md" style={{ listStyle: 'none' }}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={4} miw={0}>
          <Title order={3} size="h4" className="breakable">
            {host}
          </Title>
          <Text size="sm" c="dimmed" className="breakable">
            {user}
            {foundAt !== null && (
              <>
                {' · '}
                {t('accounts.found')} <Timestamp at={foundAt} as="ago" />
              </>
            )}
          </Text>
          {fault && (
            <Text size="sm" className="breakable">
              <b>{t('calendars.fault')}</b> {translateMessage(fault)}
            </Text>
          )}
          {isBeingListed(account) && <Text size="sm">{t('accounts.looking')}</Text>}
        </Stack>
        <ActionsMenu label={t('calendars.actionsFor', { name: host })} loading={look.isPending}>
          <Menu.Item
            leftSection={<IconRefresh size={16} />}
            onClick={() => void look.mutateAsync({ body: { id } }).then(() => toast(t('accounts.looking')), toastError)}
          >
            {t('accounts.look')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={edit}>
            {t(kind === 'caldav' ? 'accounts.changeAccess' : 'grants.again')}
          </Menu.Item>
          <RemoveItem remove={() => setRemoving(true)} />
        </ActionsMenu>
      </Group>
      {calendars.length > 0 && <BlockingCalendars account={account} />}
      <ConfirmDialog
        opened={removing}
        close={() => setRemoving(false)}
        title={t('accounts.removeTitle', { host })}
        text={t('accounts.removeText')}
        action={t('common.remove')}
        danger
        confirm={() => remove.mutateAsync({ body: { id } }).then(() => toast(t('accounts.removed')))}
      />
    </Paper>
  )
}

/** Shows a checkbox for each calendar of an account: whether the events of the calendar block bookings. */
function BlockingCalendars({ account: { id, host, calendars } }: Pick<CardProps, 'account'>) {
  const { t } = useTranslation()
  const choose = useWrite('POST /calendar-accounts/choose/', [...changed])
  const stored = calendars.flatMap(({ ref, blocks }) => (blocks ? ref : []))
  // The choice that the service is storing, shown instead of the stored state; undefined when no request is pending.
  const [chosen, setChosen] = useState<readonly string[]>()
  const current = chosen ?? stored
  const set = (ref: string, name: string, blocks: boolean): void => {
    const refs = [...current.filter((other) => other !== ref), ...(blocks ? [ref] : [])]
    setChosen(refs)
    const done = t(blocks ? 'accounts.blocks' : 'accounts.blocksNot', { name })
    void choose
      .mutateAsync({ body: { id, refs } })
      .then(() => toast(done), toastError)
      .finally(() => setChosen(undefined))
  }
  return (
    <Stack gap="xs" mt="sm" role="group" aria-label={`${t('accounts.blocking')}: ${host}`}>
      <Text size="sm" fw={600}>
        {t('accounts.blocking')}
      </Text>
      {calendars.map(({ ref, name, listed }) => (
        <Checkbox
          key={ref}
          label={listed ? name : `${name} · ${t('accounts.unlisted')}`}
          checked={current.includes(ref)}
          disabled={choose.isPending}
          onChange={(event) => set(ref, name, event.currentTarget.checked)}
        />
      ))}
    </Stack>
  )
}
