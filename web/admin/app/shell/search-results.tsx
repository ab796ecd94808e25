import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { IconCalendarEvent, IconStethoscope, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { admits, leading } from '../../../../src/access/users/role-groups.ts'
import { offeredResults } from '../../components/fields/offered-results.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { normaliseText } from '../../data/normalise-text.ts'
import { useRead } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

const maxResults = 5
const minSearchLength = 2

/** The texts with which the palette shows a result of the server. */
interface FoundAction {
  readonly label: string
  readonly description: string
}

/**
 * Returns the groups of the command palette with the customers, the reservations from today on and the providers that
 * match the typed text, at most five of each; empty for fewer than two characters. `searchText` is the text that the
 * server searches for: the trimmed `query` after the debounce. Until the server has answered for the text as typed,
 * earlier results are included only if their text contains it.
 */
export function useSearchResults(searchText: string, query: string): SpotlightActionGroupData[] {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { role } = useUser()
  const navigate = useNavigate()
  const asks = { enabled: searchText.length >= minSearchLength }
  const page = { search: searchText, page: 1, per_page: maxResults }
  const customers = useRead('GET /customers/', page, asks)
  // Callers also ask about appointments that have begun.
  const reservations = useRead('GET /reservations/', { ...page, when: 'from_today', sort: 'start' }, asks)
  const filters = useRead('GET /reservations/filters/', {}, asks)
  const typed = query.trim()
  if (!asks.enabled || typed.length < minSearchLength) return []
  const search = ({ isPlaceholderData }: { readonly isPlaceholderData: boolean }) => ({
    typed,
    isCurrent: searchText === typed && !isPlaceholderData,
    textOf: ({ label, description }: FoundAction) => `${label} ${description}`,
  })
  const plain = normaliseText(typed)
  const mayOpen = admits(leading, role)
  const providers = (filters.data?.providers ?? [])
    .filter(({ name }) => normaliseText(name).includes(plain))
    .slice(0, maxResults)
  // The palette (Mantine's Spotlight) filters its entries by label, description and keywords, but the server also
  // matches other fields of a record. With the typed text as keyword, each result of the server passes the filter.
  const keywords = [query]
  const foundCustomers = (customers.data?.items ?? []).map(({ id, name, email, phone }) => ({
    id: `customer ${id}`,
    label: name,
    description: [email, phone].filter(Boolean).join(' · '),
    keywords,
    leftSection: <IconUsers size={18} stroke={1.5} />,
    onClick: () => void navigate({ to: '/customers', search: { open: id } }),
  }))
  const foundReservations = (reservations.data?.items ?? []).map(({ id, customer, service, provider, start }) => ({
    id: `reservation ${id}`,
    label: customer.name || t('reservations.removed'),
    description: [dateTime(start), service.name, provider.name].filter(Boolean).join(' · '),
    keywords,
    leftSection: <IconCalendarEvent size={18} stroke={1.5} />,
    onClick: () => void navigate({ to: '/reservations', search: { open: id } }),
  }))
  return [
    {
      group: t('places.customers'),
      actions: offeredResults(foundCustomers, search(customers)),
    },
    {
      group: t('places.reservations'),
      actions: offeredResults(foundReservations, search(reservations)),
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
