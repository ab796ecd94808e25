import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

interface SearchableSelectProps extends Omit<SelectProps, 'data' | 'value' | 'searchValue' | 'onSearchChange'> {
  readonly data: readonly { readonly value: string; readonly label: string }[]
  readonly value?: string | null
}

/**
 * A select that is filled in by typing: Enter takes the highlighted option, or else the first match. Focus alone does
 * not open the options, so that Escape in an untouched field closes the dialog around the field.
 */
export function SearchableSelect({ data, value = null, ...rest }: SearchableSelectProps) {
  const [search, setSearch] = useState('')
  const chosen = data.find((one) => one.value === value)
  const typed = search.trim().toLowerCase()
  const takeMatch = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || typed === '' || search === chosen?.label) return
    // If an option is highlighted, Mantine's Select itself chooses it on Enter.
    if (event.currentTarget.getAttribute('aria-activedescendant')) return
    event.preventDefault()
    const match = data.find(({ label }) => label.toLowerCase().includes(typed))
    if (match) rest.onChange?.(match.value, match)
  }
  return (
    <Select
      {...rest}
      data={data}
      value={value}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange
      openOnFocus={false}
      limit={100}
      onKeyDown={takeMatch}
    />
  )
}
