import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'

type State = Item<'GET /payments/reconciliation/'>

const changed = ['GET /payments/reconciliation/'] as const
// The result of the comparison is polled: a background job compares the ledger with the payment processor, and the
// event stream (`useLive`) does not report the end of that job.
const pollMilliseconds = 10_000

/**
 * Shows whether the ledger agrees with the payment processor (Stripe): the last comparison, the differences, and the
 * last payouts.
 */
export function Reconciliation() {
  const { t } = useTranslation()
  const { longDate, time } = useFormats()
  const isAdmin = useUser().role === 'admin'
  const { data, error, refetch } = useRead(
    'GET /payments/reconciliation/',
    {},
    { refetchAfter: () => pollMilliseconds },
  )
  const compare = useWrite('POST /payments/reconciliation/', changed)
  const begin = (): void =>
    void compare.mutateAsync({ body: {} }).then(() => toast(t('payments.reconciliation.queued')), toastError)
  return (
    <Section
      title={t('payments.reconciliation.title')}
      text={t('payments.reconciliation.text')}
      actions={
        isAdmin && (
          <Button variant="default" size="xs" loading={compare.isPending} onClick={begin}>
            {t('payments.reconciliation.now')}
          </Button>
        )
      }
    >
      {!data ? (
        error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <LoadingState lines={2} />
        )
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            {data.ranAt === null
              ? t('payments.reconciliation.never')
              : t('payments.reconciliation.last', {
                  date: `${longDate(data.ranAt)}, ${time(data.ranAt)}`,
                  count: data.compared,
                })}{' '}
            {data.ranAt !== null && data.differences.length === 0 && t('payments.reconciliation.agree')}
          </Text>
          <Differences state={data} resolves={isAdmin} />
          <Payouts state={data} />
        </Stack>
      )}
    </Section>
  )
}

interface StateProps {
  readonly state: State
}

function Differences({ state: { differences }, resolves }: StateProps & { readonly resolves: boolean }) {
  const { t } = useTranslation()
  const { money, shortDate } = useFormats()
  const resolve = useWrite('POST /payments/differences/resolve/', changed)
  if (differences.length === 0) return null
  const amount = (value: number | null, currency: string) =>
    value === null ? t('payments.reconciliation.nothing') : money(value, currency)
  const settle = (id: string): void =>
    void resolve.mutateAsync({ body: { id } }).then(() => toast(t('payments.reconciliation.resolved')), toastError)
  return (
    <Stack gap="xs" component="section" aria-label={t('payments.reconciliation.differences')}>
      <Text size="sm" fw={600}>
        {t('payments.reconciliation.differences')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('payments.reconciliation.resolveText')}
      </Text>
      {differences.map(({ id, kind, reference, booked, found, currency, at, confirmed }) => {
        const name = t('payments.reconciliation.difference', {
          kind: t(`payments.reconciliation.kinds.${kind}`),
          reference,
        })
        return (
          <Group key={id} justify="space-between" gap="xs">
            <div>
              <Text size="sm" className="breakable">
                {shortDate(at)} · {name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('payments.reconciliation.amounts', {
                  booked: amount(booked, currency),
                  found: amount(found, currency),
                })}
              </Text>
            </div>
            {!confirmed && <Badge color="gray">{t('payments.reconciliation.checking')}</Badge>}
            {resolves && confirmed && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`${t('payments.reconciliation.resolve')}: ${name}`}
                disabled={resolve.isPending}
                onClick={() => settle(id)}
              >
                {t('payments.reconciliation.resolve')}
              </Button>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}

const colours = { pending: 'yellow', paid: 'teal', failed: 'red' } as const

function Payouts({ state: { payouts } }: StateProps) {
  const { t } = useTranslation()
  const { money, shortDate } = useFormats()
  if (payouts.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={t('payments.reconciliation.payouts')}>
      <Text size="sm" fw={600}>
        {t('payments.reconciliation.payouts')}
      </Text>
      {payouts.map(({ id, amount, own, currency, state, matched, arrivesAt }) => (
        <Group key={id} justify="space-between" gap="xs">
          <div>
            <Text size="sm" className="tabular">
              {money(amount, currency)} · {t('payments.reconciliation.arrives', { date: shortDate(arrivesAt) })}
            </Text>
            {own !== amount && (
              <Text size="sm" c="dimmed">
                {t('payments.reconciliation.own', { amount: money(own, currency) })}
              </Text>
            )}
            {!matched && <Text size="sm">{t('payments.reconciliation.unmatched')}</Text>}
          </div>
          <Badge color={colours[state]}>{t(`payments.reconciliation.states.${state}`)}</Badge>
        </Group>
      ))}
    </Stack>
  )
}
