import {
  Anchor,
  ColorInput,
  Fieldset,
  NumberInput,
  Select,
  SimpleGrid,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { maxAppointmentMinutes, maxBufferMinutes, routingModes } from '../../../../src/catalogue/services/service.ts'
import { minorDigits } from '../../../../src/money.ts'
import { OptionalCurrencySelect } from '../../components/fields/currency-select.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { FormEditor } from './form-editor.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { limitNames, type ServiceValues } from './service-values.ts'

interface ServiceFieldsProps {
  readonly fields: UseFormReturnType<ServiceValues>
  readonly siteCurrency: string
  /** The name of the field that receives the focus; empty for the first field. */
  readonly focused: string
  /** The id of the service; undefined for a service that does not exist yet. */
  readonly serviceId: string | undefined
}

// The vertical order of the parts of a field. The description is last, so that the inputs of adjacent fields are
// aligned whatever the length of their descriptions.
const below: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

/** The CSS colours suggested by the colour fields of services, and of slots that have a colour of their own. */
export const swatches = ['#2f6fd0', '#0c8599', '#2f9e44', '#e8590c', '#c2255c', '#6741d9', '#5f6b7a']

/** Form fields for the settings, the payment rule and the booking form of a service. */
export function ServiceFields({ fields, siteCurrency, focused, serviceId }: ServiceFieldsProps) {
  const { t } = useTranslation()
  const own = (name: string) => ({ ...fields.getInputProps(name), 'data-autofocus': name === focused || undefined })
  const minutes = (name: TimeName, min: number, max: number): ReactNode => (
    <NumberInput
      label={t(`services.fields.${name}`)}
      description={t(`services.help.${name}`)}
      suffix={name === 'horizonDays' ? t('services.days') : t('services.minutes')}
      min={min}
      max={max}
      allowDecimal={false}
      inputWrapperOrder={below}
      {...own(name)}
    />
  )
  const currency = fields.values.currency === '' ? siteCurrency : fields.values.currency
  return (
    <>
      <FieldGroup title={t('services.basics')} wide>
        <TextInput
          label={t('services.name')}
          autoComplete="off"
          {...own('name')}
          data-autofocus={focused === '' || undefined}
        />
        <Textarea label={t('services.description')} autosize minRows={2} maxRows={8} {...own('description')} />
        <ColorInput
          label={t('services.color')}
          size="sm"
          swatches={swatches}
          withEyeDropper={false}
          {...own('color')}
        />
        <Switch
          label={t('services.fields.active')}
          description={t('services.help.active')}
          {...fields.getInputProps('active', { type: 'checkbox' })}
          data-autofocus={focused === 'active' || undefined}
        />
      </FieldGroup>
      <FieldGroup title={t('services.times')}>
        {minutes('durationMinutes', 1, maxAppointmentMinutes)}
        {minutes('intervalMinutes', 1, maxAppointmentMinutes)}
        {minutes('bufferBeforeMinutes', 0, maxBufferMinutes)}
        {minutes('bufferAfterMinutes', 0, maxBufferMinutes)}
      </FieldGroup>
      <FieldGroup title={t('services.booking')}>
        {minutes('leadTimeMinutes', 0, 525_600)}
        {minutes('horizonDays', 0, 3_660)}
        <NumberInput
          label={t('services.fields.capacity')}
          description={t('services.help.capacity')}
          min={1}
          max={100_000}
          allowDecimal={false}
          inputWrapperOrder={below}
          {...own('capacity')}
        />
        <Select
          label={t('services.fields.approval')}
          description={t('services.help.approval')}
          data={(['none', 'admin', 'provider'] as const).map((value) => ({
            value,
            label: t(`services.approvals.${value}`),
          }))}
          allowDeselect={false}
          inputWrapperOrder={below}
          {...own('approval')}
        />
        <Switch
          label={t('services.fields.pendingBlocks')}
          description={t('services.help.pendingBlocks')}
          {...fields.getInputProps('pendingBlocks', { type: 'checkbox' })}
        />
        <Switch
          label={t('meeting.online')}
          description={t('meeting.onlineText')}
          {...fields.getInputProps('online', { type: 'checkbox' })}
        />
      </FieldGroup>
      <FieldGroup title={t('services.routing')} wide>
        <Select
          label={t('services.fields.routingMode')}
          description={t(`services.routingHelp.${fields.values.routingMode}`)}
          data={routingModes.map((value) => ({ value, label: t(`services.routingModes.${value}`) }))}
          allowDeselect={false}
          {...own('routingMode')}
        />
        {serviceId && (
          <Anchor component={PanelLink} to="/services/fairness" search={{ serviceId }} size="sm">
            {t('fairness.link')}
          </Anchor>
        )}
      </FieldGroup>
      <FieldGroup title={t('services.fields.limits')}>
        {limitNames.map((limit, at) => (
          <NumberInput
            key={limit}
            label={t(`services.fields.${limit}`)}
            placeholder={t('services.noLimit')}
            min={1}
            max={limit === 'minutesPerProviderWeek' ? 10_080 : 100_000}
            allowDecimal={false}
            {...fields.getInputProps(`limits.${limit}`)}
            data-autofocus={limit === focused || (focused === 'limits' && at === 0) || undefined}
          />
        ))}
      </FieldGroup>
      <FieldGroup title={t('services.fields.price')}>
        <NumberInput
          label={t('services.fields.price')}
          description={t('services.help.price')}
          min={0}
          decimalScale={minorDigits(currency)}
          suffix={` ${currency}`}
          inputWrapperOrder={below}
          {...own('price')}
        />
        <OptionalCurrencySelect
          label={t('services.fields.currency')}
          description={t('services.help.currency', { currency: siteCurrency })}
          placeholder={siteCurrency}
          inputWrapperOrder={below}
          {...own('currency')}
        />
        <PaymentFields fields={fields} currency={currency} />
      </FieldGroup>
      <FormEditor fields={fields} />
    </>
  )
}

type TimeName =
  | 'durationMinutes'
  | 'intervalMinutes'
  | 'bufferBeforeMinutes'
  | 'bufferAfterMinutes'
  | 'leadTimeMinutes'
  | 'horizonDays'

interface FieldGroupProps {
  readonly title: string
  /** Whether the fields are stacked in one column; otherwise, a wide screen shows them in two columns. */
  readonly wide?: boolean
  readonly children: ReactNode
}

function FieldGroup({ title, wide = false, children }: FieldGroupProps) {
  return (
    <Fieldset legend={title} p="sm">
      <SimpleGrid cols={wide ? 1 : { base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        {children}
      </SimpleGrid>
    </Fieldset>
  )
}
