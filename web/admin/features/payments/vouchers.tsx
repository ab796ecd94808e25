import { Badge, Button, Text } from '@mantine/core'
import { IconDownload, IconGift } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats, useLocale, useSiteZone } from '../../data/dates/formats.ts'
import { useToday } from '../../data/dates/now.ts'
import { formatNumericDate } from '../../data/dates/parse-date.ts'
import { useRead } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import { type Item, panelApiRoot } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { IssueVoucher } from './issue-voucher.tsx'
import { VoucherDrawer } from './voucher-drawer.tsx'

type Voucher = Item<'GET /payments/vouchers/'>

/** The screen that lists gift vouchers with their balances, and sells new ones. */
export default function Vouchers() {
  const { t } = useTranslation()
  const { money } = useFormats()
  const locale = useLocale()
  const leads = useHasRole(leading)
  const today = useToday(useSiteZone())
  const [parameters] = useQueryParameters()
  const [opened, setOpened] = useState<'new' | string>()
  const search = parameters.search ? { search: parameters.search } : {}
  const read = useRead('GET /payments/vouchers/', { ...search, page: pageOf(parameters), per_page: pageSize })
  const columns: Column<Voucher>[] = [
    {
      title: t('payments.vouchers.code'),
      cell: ({ id, hint }) => (
        <Button
          variant="subtle"
          size="compact-sm"
          ff="monospace"
          aria-label={t('payments.vouchers.open', { hint })}
          onClick={() => setOpened(id)}
        >
          …{hint}
        </Button>
      ),
    },
    {
      title: t('payments.vouchers.balance'),
      cell: ({ balance, currency }) => (
        <Text span size="sm" className="tabular">
          {money(balance, currency)}
        </Text>
      ),
    },
    {
      title: t('payments.vouchers.worth'),
      cell: ({ amount, currency }) => (
        <Text span size="sm" className="tabular">
          {money(amount, currency)}
        </Text>
      ),
    },
    { title: t('payments.vouchers.issued'), cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    {
      title: t('payments.vouchers.until'),
      cell: ({ validUntil }) =>
        validUntil === null ? (
          t('payments.vouchers.always')
        ) : validUntil < today ? (
          <Badge color="gray">{t('payments.vouchers.over')}</Badge>
        ) : (
          formatNumericDate(validUntil, locale)
        ),
    },
  ]
  return (
    <Screen
      title={t('places.vouchers')}
      text={t('payments.vouchers.text')}
      actions={
        <>
          {leads && (
            <Button
              component="a"
              href={`${panelApiRoot}/payments/vouchers/csv/`}
              download
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              {t('payments.vouchers.csv')}
            </Button>
          )}
          <Button leftSection={<IconGift size={16} />} onClick={() => setOpened('new')}>
            {t('payments.vouchers.issue')}
          </Button>
        </>
      }
    >
      <DataTable<Voucher>
        label={t('places.vouchers')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        searchable
        empty={{ text: t('payments.vouchers.empty') }}
      />
      {opened === 'new' && <IssueVoucher close={() => setOpened(undefined)} />}
      {opened !== undefined && opened !== 'new' && <VoucherDrawer id={opened} close={() => setOpened(undefined)} />}
    </Screen>
  )
}
