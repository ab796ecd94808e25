import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { IconCalendarEvent, IconStethoscope, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { admits, leading } from '../../../../src/access/users/role-groups.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

const few = 5
const shortest = 2

/**
 * Groups of the command palette with the customers, upcoming reservations and providers that match a text; empty for a
 * short text.
 */
export function useSearchResults(sought: string, query: string): SpotlightActionGroupData[] {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { role } = useUser()
  const navigate = useNavigate()
  const asks = { when: sought.length >= shortest }
  const page = { search: sought, page: 1, per_page: few }
  const customers = useRead('GET /customers/', page, asks)
  const reservations = useRead('GET /reservations/', { ...page, when: 'upcoming', sort: 'start' }, asks)
  const filters = useRead('GET /reservations/filters/', {}, asks)
  if (!asks.when) return []
  const plain = folded(sought)
  const mayOpen = admits(leading, role)
  const providers = (filters.data?.providers ?? []).filter(({ name }) => folded(name).includes(plain)).slice(0, few)
  // The server matches on more than the label, so Spotlight must not filter its results again.
  const keywords = [query]
  return [
    {
      group: t('places.customers'),
      actions: (customers.data?.items ?? []).map(({ id, name, email, phone }) => ({
        id: `customer ${id}`,
        label: name,
        description: [email, phone].filter(Boolean).join(' · '),
        keywords,
        leftSection: <IconUsers size={18} stroke={1.5} />,
        onClick: () => void navigate({ to: '/customers', search: { open: id } }),
      })),
    },
    {
      group: t('places.reservations'),
      actions: (reservations.data?.items ?? []).map(({ id, customer, service, provider, start }) => ({
        id: `reservation ${id}`,
        label: customer.name || t('reservations.removed'),
        description: [dateTime(start), service.name, provider.name].filter(Boolean).join(' · '),
        keywords,
        leftSection: <IconCalendarEvent size={18} stroke={1.5} />,
        onClick: () => void navigate({ to: '/reservations', search: { open: id } }),
      })),
    },
    {
      group: t('places.providers'),
      actions: providers.map(({ id, name }) => ({
        id: `provider ${id}`,
        label: name,
        keywords,
        leftSection: <IconStethoscope size={18} stroke={1.5} />,
        onClick: () =>
          void navigate(
            mayOpen
              ? { to: '/providers', search: { open: String(id) } }
              : { to: '/calendar', search: { providers: String(id) } },
          ),
      })),
    },
  ]
}

/** Lower-cases a text and removes accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
