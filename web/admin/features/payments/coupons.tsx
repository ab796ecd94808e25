import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pages, pageSize } from '../../components/data-table.tsx'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { QueryTextField } from '../../components/fields/query-text-field.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useFormats, useLocale } from '../../data/dates/formats.ts'
import { formatNumericDate } from '../../data/dates/parse-date.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'

type Coupon = Item<'GET /payments/coupons/'>

const CouponDialog = lazyPart(() => import('./coupon-dialog.tsx'), { closeOf: ({ close }) => close })
const couponChanges = ['GET /payments/coupons/', 'GET /history/'] as const

/** Lists the coupons of the site; adds, changes and switches them on and off. */
export function Coupons() {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<Coupon | 'new'>()
  const [parameters] = useQueryParameters()
  const search = parameters.search ? { search: parameters.search } : {}
  const { data, error, refetch } = useRead('GET /payments/coupons/', {
    ...{ ...search, page: pageOf(parameters), per_page: pageSize },
  })
  const isSearchable = parameters.search !== undefined || (data !== undefined && data.total > pageSize)
  return (
    <Section
      anchor="coupons"
      title={t('payments.coupons.title')}
      text={t('payments.coupons.text')}
      actions={
        <Button variant="default" size="xs" onClick={() => setDialog('new')}>
          {t('payments.coupons.add')}
        </Button>
      }
    >
      {isSearchable && (
        <QueryTextField
          name="search"
          type="search"
          aria-label={t('payments.coupons.search')}
          placeholder={t('payments.coupons.search')}
          leftSection={<IconSearch size={16} />}
          maw={320}
        />
      )}
      {!data ? (
        error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <LoadingState lines={2} />
        )
      ) : data.items.length === 0 ? (
        <EmptyState text={t(parameters.search ? 'table.emptySearch' : 'payments.coupons.empty')} />
      ) : (
        <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
          {data.items.map((coupon) => (
            <CouponRow key={coupon.id} coupon={coupon} edit={() => setDialog(coupon)} />
          ))}
        </Stack>
      )}
      {data && <Pages total={data.total} />}
      {dialog && (
        <CouponDialog
          coupon={dialog === 'new' ? undefined : dialog}
          changed={couponChanges}
          close={() => setDialog(undefined)}
        />
      )}
    </Section>
  )
}

function CouponRow({ coupon, edit }: { readonly coupon: Coupon; readonly edit: () => void }) {
  const { t } = useTranslation()
  const write = useWrite('POST /payments/coupons/edit/', couponChanges)
  const { id, code, active } = coupon
  const turn = (on: boolean) => write.mutateAsync({ body: { id, active: on } })
  const toggle = async (): Promise<void> => {
    await turn(!active)
    const text = t(active ? 'payments.coupons.isOff' : 'payments.coupons.isOn', { code })
    toast(text, () => turn(active))
  }
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="xs">
      <Stack gap={2} flex={1} miw={180}>
        <Group gap="xs">
          <Text fw={600} ff="monospace" className="breakable">
            {code}
          </Text>
          {!active && <Badge color="gray">{t('payments.coupons.off')}</Badge>}
        </Group>
        <Facts coupon={coupon} />
      </Stack>
      <Group gap="xs">
        <Button variant="default" size="xs" aria-label={t('payments.coupons.editOf', { code })} onClick={edit}>
          {t('common.edit')}
        </Button>
        <Button
          variant="default"
          size="xs"
          loading={write.isPending}
          aria-label={t(active ? 'payments.coupons.turnOffOf' : 'payments.coupons.turnOnOf', { code })}
          onClick={() => void toggle().then(undefined, toastError)}
        >
          {t(active ? 'payments.coupons.turnOff' : 'payments.coupons.turnOn')}
        </Button>
      </Group>
    </Group>
  )
}

function Facts({ coupon }: { readonly coupon: Coupon }) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const locale = useLocale()
  const { data } = useRead('GET /reservations/filters/', {})
  const { percent, amount, currency, validFrom, validUntil, maxUses, maxUsesPerCustomer, serviceIds, uses } = coupon
  const names = new Map((data?.services ?? []).map(({ id, name }) => [id, name]))
  const facts = [
    percent === null ? money(amount ?? 0, currency ?? '') : t('payments.coupons.percentOff', { percent }),
    maxUses === null
      ? t('payments.coupons.used', { count: uses })
      : t('payments.coupons.usedOf', { count: uses, most: maxUses }),
    ...(maxUsesPerCustomer === null ? [] : [t('payments.coupons.perCustomer', { count: maxUsesPerCustomer })]),
    ...(validFrom === null ? [] : [t('payments.coupons.from', { date: formatNumericDate(validFrom, locale) })]),
    ...(validUntil === null ? [] : [t('payments.coupons.until', { date: formatNumericDate(validUntil, locale) })]),
    ...(serviceIds.length === 0
      ? []
      : [serviceIds.map((id) => names.get(id) ?? t('payments.list.removed')).join(', ')]),
  ]
  return (
    <Text size="sm" c="dimmed">
      {facts.join(' · ')}
    </Text>
  )
}
