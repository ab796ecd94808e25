import { ColorInput, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { minorDigits } from '../../../../../src/money.ts'
import { OptionalCurrencySelect } from '../../../components/fields/currency-select.tsx'
import { swatches } from '../../services/service-fields.tsx'
import type { SlotValues } from './slot-values.ts'

interface SlotFieldsProps {
  readonly values: SlotValues
  readonly siteCurrency: string
  readonly fieldOf: (name: keyof SlotValues) => GetInputPropsReturnType
}

/**
 * Form fields for the properties of slots on particular dates, such as the price. For an empty field, the provider's
 * setting for the service applies or, without one, the service's own.
 */
export function SlotFields({ values, siteCurrency, fieldOf }: SlotFieldsProps) {
  const { t } = useTranslation()
  const currency = values.currency || siteCurrency
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      <NumberInput
        label={t('services.fields.price')}
        min={0}
        decimalScale={minorDigits(currency)}
        suffix={` ${currency}`}
        {...fieldOf('price')}
      />
      <OptionalCurrencySelect
        label={t('services.fields.currency')}
        placeholder={siteCurrency}
        {...fieldOf('currency')}
      />
      <NumberInput
        label={t('services.fields.capacity')}
        min={1}
        max={100_000}
        allowDecimal={false}
        {...fieldOf('capacity')}
      />
      <Select
        label={t('services.fields.approval')}
        placeholder={t('providers.asService')}
        data={(['none', 'admin', 'provider'] as const).map((value) => ({
          value,
          label: t(`services.approvals.${value}`),
        }))}
        clearable
        clearButtonProps={{ 'aria-label': t('common.remove') }}
        {...fieldOf('approval')}
      />
      <TextInput label={t('providers.slotTitle')} maxLength={200} autoComplete="off" {...fieldOf('title')} />
      <TextInput label={t('providers.location')} maxLength={1000} autoComplete="off" {...fieldOf('location')} />
      <ColorInput
        label={t('services.color')}
        size="sm"
        swatches={[...swatches]}
        withEyeDropper={false}
        {...fieldOf('color')}
      />
      <Textarea label={t('providers.slotNote')} maxLength={2000} autosize maxRows={6} {...fieldOf('note')} />
    </SimpleGrid>
  )
}
