import { Stack, Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { useHasRole } from '../../data/session.ts'
import { SuppressionNotice } from '../notifications/recent-messages.tsx'
import { ProviderCalendars } from './calendars/provider-calendars.tsx'
import { ProviderDates } from './provider-dates.tsx'
import { ProviderDetails } from './provider-details.tsx'
import { ProviderServices } from './provider-services.tsx'
import { ProviderWeek } from './provider-week.tsx'

/**
 * The tab of the editor for each setting of a provider that a booking rule can name as the cause of a refusal. A
 * setting without an entry, such as `calendars`, has a tab with its own name. The page that explains why a slot cannot
 * be booked opens the tab by the query parameter `part`.
 */
const partOf: Readonly<Record<string, string>> = {
  weekly: 'week',
  overrides: 'dates',
  timeOff: 'dates',
  services: 'services',
  allowedServices: 'services',
}

/**
 * The settings of one provider, in tabs, below a notice if the provider gets no mail after a bounce. Users with the
 * role `provider` see only weekly hours, dates and calendars.
 */
export function ProviderEditor({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const leads = useHasRole(leading)
  const { data, error, refetch } = useRead('GET /providers/one/', { id })
  if (error && data?.id !== id) return <ErrorState error={error} retry={() => refetch()} />
  if (data?.id !== id) return <LoadingState lines={8} />
  const { booking } = data
  const parts = ['week', 'dates', 'calendars', ...(booking ? ['services', 'details'] : [])]
  const wanted = partOf[parameters.part ?? ''] ?? parameters.part ?? ''
  return (
    <Stack>
      {leads && <SuppressionNotice email={data.email} of="staff" />}
      <Tabs
        value={parts.includes(wanted) ? wanted : 'week'}
        onChange={(part) => change({ part: part ?? '' })}
        keepMounted
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="week">{t('providers.week')}</Tabs.Tab>
          <Tabs.Tab value="dates">{t('providers.dates')}</Tabs.Tab>
          <Tabs.Tab value="calendars">{t('calendars.title')}</Tabs.Tab>
          {booking && (
            <>
              <Tabs.Tab value="services">{t('providers.services')}</Tabs.Tab>
              <Tabs.Tab value="details">{t('providers.details')}</Tabs.Tab>
            </>
          )}
        </Tabs.List>
        <Tabs.Panel value="week">
          <ProviderWeek provider={data} />
        </Tabs.Panel>
        <Tabs.Panel value="dates">
          <ProviderDates provider={data} />
        </Tabs.Panel>
        <Tabs.Panel value="calendars">
          <ProviderCalendars providerId={id} />
        </Tabs.Panel>
        {booking && (
          <>
            <Tabs.Panel value="services">
              <ProviderServices provider={data} booking={booking} />
            </Tabs.Panel>
            <Tabs.Panel value="details">
              <ProviderDetails provider={data} booking={booking} />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </Stack>
  )
}
