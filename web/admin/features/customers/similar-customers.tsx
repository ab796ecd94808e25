import { Anchor, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { useLookup } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'

/** An existing customer who may be the same person as another one, with the reasons. */
export type SimilarCustomer = Item<'POST /customers/similar/'>['items'][number]

interface NewCustomer {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly birthday?: string | null
}

interface SimilarProps {
  /** The data entered so far for the customer who is about to be added. */
  readonly query: NewCustomer
  /** Called when the user picks an existing customer from the warning. */
  readonly open: (id: string, name: string) => void
}

const debounceMilliseconds = 400
const shortest = 2
const few = 3

/** Warns of existing customers who may be the same person as the new customer; renders nothing when there are none. */
export function SimilarCustomers({ query, open }: SimilarProps) {
  const { t } = useTranslation()
  const [settled] = useDebouncedValue(query, debounceMilliseconds)
  const { name, email, phone, birthday } = settled
  const texts = { name: name.trim(), email: email.trim(), phone: phone.trim() }
  const asked = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.length >= shortest))
  const { data, isPlaceholderData } = useLookup(
    'POST /customers/similar/',
    { body: { ...asked, ...(birthday && { birthday }) } },
    { enabled: Object.keys(asked).length > 0 },
  )
  const items = data && !isPlaceholderData && Object.keys(asked).length > 0 ? data.items : []
  if (items.length === 0) return null
  return (
    <WarningAlert title={t('customers.similarTitle')}>
      <List size="sm">
        {items.slice(0, few).map((one) => (
          <List.Item key={one.id} className="breakable">
            <Anchor component="button" type="button" size="sm" onClick={() => open(one.id, one.name)}>
              {one.name}
            </Anchor>{' '}
            <Reasons of={one} />
          </List.Item>
        ))}
      </List>
    </WarningAlert>
  )
}

/** Renders why a similar customer may be the same person, and the similar customer's contact data. */
export function Reasons({ of: { email, phone, reasons } }: { readonly of: SimilarCustomer }) {
  const { t } = useTranslation()
  return (
    <Text size="sm" span>
      {[...reasons.map((reason) => t(`customers.like.${reason}`)), email, phone].filter(Boolean).join(' · ')}
    </Text>
  )
}
