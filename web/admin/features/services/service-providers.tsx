import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../components/dialogs/toast.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { useWrite } from '../../data/queries.ts'
import { providerRoutes, useCheckedWrite } from '../providers/checked-write.tsx'
import type { ShownService } from './service-values.ts'

/** Shows which providers offer a service; a provider that is ticked or unticked is saved at once. */
export function ServiceProviders({ service: { id, providers, others } }: { readonly service: ShownService }) {
  const { t } = useTranslation()
  const all = [
    ...providers.map((one) => ({ ...one, offers: true })),
    ...others.map((one) => ({ ...one, differs: [], offers: false })),
  ].sort((one, other) => one.id - other.id)
  return (
    <Stack gap={6} mt="sm" p={3} mah={320} className="scrolls" role="group" aria-label={t('services.handled')}>
      <Text size="sm" fw={500}>
        {t('services.handled')}
      </Text>
      {providers.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('services.nobody')}
        </Text>
      )}
      {all.map((one) => (
        <ProviderRow key={one.id} serviceId={id} provider={one} />
      ))}
    </Stack>
  )
}

interface ProviderRowProps {
  readonly serviceId: string
  readonly provider: ShownService['providers'][number] & { readonly offers: boolean }
}

function ProviderRow({ serviceId, provider: { id, name, differs, offers } }: ProviderRowProps) {
  const { t } = useTranslation()
  const write = useWrite('POST /providers/offer/', providerRoutes)
  const { save, question } = useCheckedWrite(id)
  const [pending, setPending] = useState(false)
  const set = (to: boolean) => write.mutateAsync({ body: { id, serviceId, offers: to } })
  const change = (to: boolean): void => {
    if (pending) return
    setPending(true)
    void save({
      check: to ? {} : { without: serviceId },
      write: () => set(to),
      undo: () => set(!to),
      done: t('common.saved'),
    })
      .then(undefined, toastError)
      .finally(() => setPending(false))
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Checkbox
        aria-label={name}
        checked={offers}
        // A disabled checkbox would lose the focus.
        aria-busy={pending}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <Text size="sm" className="breakable">
        <ProviderLink id={id} name={differs.length > 0 ? t('services.differs', { name }) : name} alone />
      </Text>
      {question}
    </Group>
  )
}
