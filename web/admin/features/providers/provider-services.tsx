import { ActionIcon, Badge, Checkbox, Group, NumberInput, Switch, Table, Text } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minorDigits } from '../../../../src/money.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { toMajorUnits, toMinorUnits } from '../../data/dates/money.ts'
import { useWrite } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { providerRoutes, useCheckedWrite } from './checked-write.tsx'

type Provider = Item<'GET /providers/one/'>
type Booking = NonNullable<Provider['booking']>
type ServiceBooking = Booking['services'][number]

interface ProviderServicesProps {
  readonly provider: Provider
  readonly booking: Booking
}

/** Whether the provider gives the chosen services only and, by service id, which are chosen. */
interface ServiceChoice {
  readonly restrictServices: boolean
  readonly [serviceId: string]: boolean
}

/** Edits which services a provider offers, and the service settings for which the provider has values of their own. */
export function ProviderServices({ provider, booking }: ProviderServicesProps) {
  const { t } = useTranslation()
  const { id } = provider
  const { restrictServices, allowedServices, services } = booking
  const edit = useWrite('POST /providers/edit/', providerRoutes)
  const { save, question } = useCheckedWrite(id)
  const [parameters, change] = useQueryParameters()
  const [editing, setEditing] = useState(parameters.service ?? '')
  // Each service is a field, so that those that the user has not changed follow what another user saves meanwhile.
  const form = useWriteForm<ServiceChoice>({
    initialValues: {
      restrictServices,
      ...Object.fromEntries(services.map((service) => [service.id, allowedServices.includes(service.id)])),
    },
    stored: { restrictServices, allowedServices },
    write: (values) => {
      const chosen = services.filter((service) => values[service.id]).map((service) => service.id)
      const changed = { restrictServices: values.restrictServices, allowedServices: chosen }
      return save({
        check: changed,
        write: () => edit.mutateAsync({ body: { id, ...changed, was: { allowedServices } } }),
        undo: () =>
          edit.mutateAsync({ body: { id, restrictServices, allowedServices, was: { allowedServices: chosen } } }),
        done: t('common.saved'),
      })
    },
  })
  const { values } = form.fields
  const edited = services.find((service) => service.id === editing)
  return (
    <>
      <Form form={form} submitText={t('common.save')}>
        <Switch
          label={t('providers.every')}
          description={t('providers.everyHelp')}
          checked={!values.restrictServices}
          onChange={(event) => form.fields.setFieldValue('restrictServices', !event.currentTarget.checked)}
        />
        {values.restrictServices && !services.some((service) => values[service.id]) && (
          <Text size="sm" role="status">
            {t('providers.takesNone')}
          </Text>
        )}
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('providers.service')}</Table.Th>
              <Table.Th>{t('providers.differs')}</Table.Th>
              <Table.Th ta="end">{t('common.actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {services.map((service) => (
              <Table.Tr key={service.id}>
                <Table.Td className="breakable">
                  {values.restrictServices ? (
                    <Checkbox
                      label={service.name}
                      checked={values[service.id] === true}
                      onChange={(event) => form.fields.setFieldValue(service.id, event.currentTarget.checked)}
                    />
                  ) : (
                    service.name
                  )}
                </Table.Td>
                <Table.Td>
                  <Differences of={service} />
                </Table.Td>
                <Table.Td ta="end">
                  <ActionIcon
                    aria-label={t('providers.settingsFor', { name: service.name })}
                    onClick={() => setEditing(service.id)}
                  >
                    <IconEdit size={18} stroke={1.5} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {services.length === 0 && <Text size="sm">{t('providers.noServices')}</Text>}
      </Form>
      {question}
      {edited && (
        <OwnSettings
          key={edited.id}
          provider={provider}
          of={edited}
          close={() => {
            setEditing('')
            if (parameters.service) change({ service: '' })
          }}
        />
      )}
    </>
  )
}

const numbers = [
  'durationMinutes',
  'intervalMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'leadTimeMinutes',
  'horizonDays',
  'capacity',
  'price',
  'priority',
  'weight',
] as const
type NumberName = (typeof numbers)[number]
const atLeastOne: ReadonlySet<NumberName> = new Set(['durationMinutes', 'intervalMinutes', 'capacity'])

function Differences({ of: { own, currency } }: { readonly of: ServiceBooking }) {
  const { t } = useTranslation()
  if (own.participate === false) return <Badge color="gray">{t('providers.doesNotTakePart')}</Badge>
  const differing = numbers.filter((name) => own[name] !== undefined)
  return (
    <Text size="sm" c="dimmed">
      {differing
        .map((name) => `${nameOf(t, name)} ${typedOf(own[name], name, currency)}${unitOf(t, name, currency)}`)
        .join(', ') || '–'}
    </Text>
  )
}

interface OwnSettingsProps {
  readonly provider: Provider
  readonly of: ServiceBooking
  readonly close: () => void
}

interface FormValues extends Readonly<Record<NumberName, number | string>> {
  readonly participate: boolean
}

function OwnSettings({ provider, of, close }: OwnSettingsProps) {
  const { t } = useTranslation()
  const { id } = provider
  const { own, settings, currency } = of
  const write = useWrite('POST /providers/service/', providerRoutes)
  const { save, question } = useCheckedWrite(id, close)
  const before = enteredOf(of)
  const form = useWriteForm<FormValues>({
    initialValues: before,
    stored: of,
    write: async (values) => {
      const bodyWith = (entered: FormValues) => ({
        id,
        serviceId: of.id,
        participate: entered.participate ? null : false,
        ...Object.fromEntries(numbers.map((name) => [name, keptOf(entered[name], name, currency)])),
      })
      return save({
        check: before.participate && !values.participate ? { without: of.id } : {},
        write: () => write.mutateAsync({ body: bodyWith(values) }),
        undo: () => write.mutateAsync({ body: bodyWith(before) }),
        done: t('common.saved'),
      })
    },
  })
  const followed = (name: NumberName): string => {
    if (name === 'priority') return '0'
    if (name === 'weight') return '1'
    const value =
      name === 'intervalMinutes'
        ? (settings.intervalMinutes ?? own.durationMinutes ?? settings.durationMinutes)
        : settings[name]
    return value === null ? '–' : `${typedOf(value, name, currency)}${unitOf(t, name, currency)}`
  }
  return (
    <Modal
      opened
      onClose={close}
      title={t('providers.settingsTitle', { service: of.name, provider: provider.name })}
      size="lg"
    >
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        <Switch
          label={t('services.fields.participate')}
          description={t('providers.participateHelp')}
          data-autofocus
          {...form.fields.getInputProps('participate', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed">
          {t('providers.ownText')}
        </Text>
        <Group gap="sm" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          {numbers.map((name) => (
            <NumberInput
              key={name}
              label={nameOf(t, name)}
              placeholder={followed(name)}
              miw={150}
              {...(name !== 'priority' && { min: atLeastOne.has(name) ? 1 : 0 })}
              decimalScale={name === 'price' ? minorDigits(currency) : 0}
              suffix={unitOf(t, name, currency)}
              {...form.fields.getInputProps(name)}
            />
          ))}
        </Group>
      </Form>
      {question}
    </Modal>
  )
}

function enteredOf({ own, currency }: ServiceBooking): FormValues {
  const entered = (name: NumberName): number | string => {
    const value = own[name]
    return value === undefined ? '' : typedOf(value, name, currency)
  }
  return {
    participate: own.participate !== false,
    durationMinutes: entered('durationMinutes'),
    intervalMinutes: entered('intervalMinutes'),
    bufferBeforeMinutes: entered('bufferBeforeMinutes'),
    bufferAfterMinutes: entered('bufferAfterMinutes'),
    leadTimeMinutes: entered('leadTimeMinutes'),
    horizonDays: entered('horizonDays'),
    capacity: entered('capacity'),
    price: entered('price'),
    priority: entered('priority'),
    weight: entered('weight'),
  }
}

function typedOf(value: number | undefined, name: NumberName, currency: string): number {
  return name === 'price' ? toMajorUnits(value ?? 0, currency) : (value ?? 0)
}

function keptOf(typed: number | string, name: NumberName, currency: string): number | null {
  if (typed === '') return null
  return name === 'price' ? toMinorUnits(Number(typed), currency) : Number(typed)
}

function nameOf(t: TFunction<'words'>, name: NumberName): string {
  return name === 'priority' || name === 'weight' ? t(`providers.${name}`) : t(`services.fields.${name}`)
}

function unitOf(t: TFunction<'words'>, name: NumberName, currency: string): string {
  if (name === 'price') return ` ${currency}`
  if (name === 'horizonDays') return t('services.days')
  return name.endsWith('Minutes') ? t('services.minutes') : ''
}
