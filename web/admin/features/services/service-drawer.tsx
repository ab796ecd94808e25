import { Box, Grid } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { changedFields } from '../../data/changed-fields.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { useConflictCheck } from '../conflicts/conflict-check.tsx'
import { FormPreview } from './form-preview.tsx'
import { ServiceFields } from './service-fields.tsx'
import { ServicePreview } from './service-preview.tsx'
import { ServiceProviders } from './service-providers.tsx'
import {
  requiredNumbers,
  type ServiceValues,
  type ShownService,
  serviceBodyOf,
  serviceSettingsOf,
  serviceValuesOf,
} from './service-values.ts'

interface ServiceDrawerProps {
  /** The id of the service; `new` for a service that does not exist yet. */
  readonly id: string
  /** The name of the field that receives the focus; empty for the first field. */
  readonly focused: string
  readonly siteCurrency: string
  readonly close: () => void
}

/**
 * The drawer that adds or edits a service: the form of its settings, next to previews of the resulting slots and of the
 * booking form.
 */
export function ServiceDrawer({ id, focused, siteCurrency, close }: ServiceDrawerProps) {
  const { t } = useTranslation()
  if (id === 'new')
    return (
      <Drawer opened onClose={close} size={1040} title={t('services.addTitle')}>
        <ServiceForm service={undefined} siteCurrency={siteCurrency} focused="" close={close} />
      </Drawer>
    )
  return <EditService id={id} focused={focused} close={close} />
}

function EditService({ id, focused, close }: Omit<ServiceDrawerProps, 'siteCurrency'>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /services/one/', { id })
  return (
    <Drawer opened onClose={close} size={1040} title={t('services.editTitle', { name: data?.name ?? '' })}>
      {data?.id === id ? (
        <ServiceForm key={id} service={data} siteCurrency={data.siteCurrency} focused={focused} close={close} />
      ) : error ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <LoadingState />
      )}
    </Drawer>
  )
}

interface ServiceFormProps {
  readonly service: ShownService | undefined
  readonly siteCurrency: string
  readonly focused: string
  readonly close: () => void
}

const changes = ['GET /services/', 'GET /services/one/', 'GET /why/choices/', 'GET /conflicts/'] as const

function ServiceForm({ service, siteCurrency, focused, close }: ServiceFormProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /services/add/', changes)
  const edit = useWrite('POST /services/edit/', changes)
  const conflicts = useConflictCheck()
  const before = serviceValuesOf(service)
  const form = useWriteForm<ServiceValues>({
    initialValues: before,
    stored: service && { ...service, providers: [], others: [] },
    validate: (values) =>
      Object.fromEntries([
        ...(values.name.trim() === '' ? [['name', t('services.nameMissing')]] : []),
        ...values.form.flatMap(({ label }, at) =>
          label.trim() === '' ? [[`form.${at}.label`, t('services.form.labelMissing')]] : [],
        ),
        ...values.payment.refunds.flatMap((step, at) =>
          (['hours', 'percent'] as const)
            .filter((field) => step[field] === '')
            .map((field) => [`payment.refunds.${at}.${field}`, t('services.numberMissing')]),
        ),
        ...requiredNumbers.filter((field) => values[field] === '').map((field) => [field, t('services.numberMissing')]),
      ]),
    write: async (values) => {
      const was = serviceBodyOf(before, siteCurrency)
      const body = serviceBodyOf(values, siteCurrency)
      if (!service) {
        await add.mutateAsync({ body })
        toast(t('services.added', { name: body.name }))
        close()
        return true
      }
      const { id } = service
      const changed = changedFields(was, body)
      const back = changedFields(body, was)
      const { name: _, description: __, color: ___, form: ____, ...settings } = changed
      return conflicts.save({ service: { id, ...settings } }, async () => {
        await edit.mutateAsync({ body: { id, ...changed } })
        toast(
          t('common.saved'),
          Object.keys(back).length > 0 ? () => edit.mutateAsync({ body: { id, ...back } }) : undefined,
        )
        close()
      })
    },
  })
  // The form focuses the field marked with `data-autofocus` when it is mounted: the drawer sets the focus as soon as it
  // opens, when the form of a stored service has not loaded yet.
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <Grid gap="md" ref={place}>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Form
          form={form}
          submitText={service ? t('common.save') : t('services.add')}
          beside={<CancelButton onClick={close} />}
        >
          <ServiceFields fields={form.fields} siteCurrency={siteCurrency} focused={focused} serviceId={service?.id} />
        </Form>
        {conflicts.question}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Box pos="sticky" top={70}>
          <ServicePreview id={service?.id} settings={serviceSettingsOf(form.fields.values, siteCurrency)} />
          {service && <ServiceProviders service={service} />}
          <FormPreview form={form.fields.values.form} />
        </Box>
      </Grid.Col>
    </Grid>
  )
}
