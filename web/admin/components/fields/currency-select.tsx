import type { SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchableSelect } from './searchable-select.tsx'

/** A searchable select of currencies by name and code; the current value is listed even if it is unknown. */
export function CurrencySelect({ value = null, ...rest }: Omit<SelectProps, 'data'>) {
  const { language } = useTranslation().i18n
  const data = useMemo(() => currencies(language, value), [language, value])
  return <SearchableSelect allowDeselect={false} {...rest} value={value} data={data} />
}

interface OptionalCurrencySelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The code; empty when none is chosen. */
  readonly value?: string
  readonly onChange?: (code: string) => void
}

/** A `CurrencySelect` that may stay empty, where another setting then applies. */
export function OptionalCurrencySelect({ value = '', onChange, ...rest }: OptionalCurrencySelectProps) {
  const { t } = useTranslation()
  return (
    <CurrencySelect
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
      {...rest}
      value={value === '' ? null : value}
      onChange={(code) => onChange?.(code ?? '')}
    />
  )
}

function currencies(locale: string, value: string | null) {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' })
  const label = (code: string): string => {
    const name = /^[A-Z]{3}$/.test(code) ? names.of(code) : undefined
    return name ? `${name} (${code})` : code
  }
  const codes = new Set([...(value ? [value] : []), ...Intl.supportedValuesOf('currency')])
  return Array.from(codes, (code) => ({ value: code, label: label(code) })).sort((one, other) =>
    one.label.localeCompare(other.label, locale),
  )
}
