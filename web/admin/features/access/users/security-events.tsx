import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { securityKinds } from '../../../../../src/access/security-log/security-event.ts'
import { type Column, DataTable, pageSize } from '../../../components/data-table.tsx'
import { QuerySelect } from '../../../components/fields/query-select.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { useRead } from '../../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../../data/query-parameters.ts'
import type { Item } from '../../../data/request.ts'
import { useSession } from '../../../data/session.ts'
import type { PanelTexts } from '../../../i18n/messages.ts'

type Entry = Item<'GET /security/'>
type Kind = Entry['kind']

/** The security history of all users, for administrators, filtered by user and kind. */
export function SecurityEvents() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const columns = useColumns()
  const people = useRead('GET /users/', { per_page: 500 })
  const kind = kindOf(parameters.kind)
  const query = { ...(parameters.user && { userId: parameters.user }), ...(kind && { kind }) }
  const read = useRead('GET /security/', { ...query, page: pageOf(parameters), per_page: pageSize })
  return (
    <DataTable
      label={t('security.tab')}
      read={read}
      rowKey={({ id }) => id}
      columns={columns}
      empty={{ text: t('security.empty') }}
      filters={{
        names: ['user', 'kind'],
        fields: (
          <>
            <QuerySelect
              name="user"
              label={t('security.person')}
              searchable
              data={people.data?.items.map(({ id, name, email }) => ({ value: id, label: name || email })) ?? []}
            />
            <KindFilter />
          </>
        ),
      }}
    />
  )
}

/** The user's own security history. */
export function OwnSecurityEvents() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const columns = useColumns()
  const kind = kindOf(parameters.kind)
  const read = useRead('GET /security/own/', { ...(kind && { kind }), page: pageOf(parameters), per_page: 10 })
  return (
    <DataTable
      label={t('security.tab')}
      read={read}
      rowKey={({ id }) => id}
      columns={columns}
      empty={{ text: t('security.empty') }}
      filters={{ names: ['kind'], fields: <KindFilter /> }}
    />
  )
}

function kindOf(text: string | undefined): Kind | undefined {
  return kinds.find((kind) => kind === text)
}

const kinds = Object.keys(securityKinds).filter((name): name is Kind => name in securityKinds)

function KindFilter() {
  const { t } = useTranslation()
  return (
    <QuerySelect
      name="kind"
      label={t('security.kind')}
      searchable
      data={kinds.map((value) => ({ value, label: t(`security.kinds.${value}`) }))}
    />
  )
}

function useColumns(): Column<Entry>[] {
  const { t } = useTranslation()
  return [
    { title: t('security.what'), cell: (entry) => <EventText entry={entry} /> },
    {
      title: t('security.address'),
      cell: ({ address, count }) => address || (count > 1 ? t('security.someAddresses') : '–'),
    },
    { title: t('security.when'), cell: ({ at }) => <Timestamp at={at} /> },
  ]
}

function EventText({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation()
  const { ago } = useFormats()
  const now = useSession()?.now ?? entry.lastAt
  const { kind, userName, userId, actor, by, count, lastAt } = entry
  const name = userName || userId || t('security.unknown')
  const details = [
    ...(isAuthenticationMethod(by) ? [t(`security.by.${by}`)] : []),
    ...(count > 1 ? [t('security.times', { count, when: ago(lastAt, now) })] : []),
  ]
  return (
    <div>
      {t(`security.said.${kind}`, { name, actor: actorName(actor) })}
      {details.length > 0 && (
        <Text size="xs" c="dimmed">
          {details.join(' · ')}
        </Text>
      )}
    </div>
  )
}

function actorName({ kind, id, name }: Entry['actor']): string {
  return kind === 'command' ? `daybook ${id}` : name || id
}

type AuthenticationMethod = keyof PanelTexts['security']['by']

const authenticationMethods: Readonly<Record<AuthenticationMethod, true>> = {
  password: true,
  totp: true,
  recovery: true,
  passkey: true,
  set_up_link: true,
  link: true,
  person: true,
  command: true,
  role: true,
  replaced: true,
  disabled: true,
  lift_second_factor: true,
}

function isAuthenticationMethod(text: string): text is AuthenticationMethod {
  return text in authenticationMethods
}
