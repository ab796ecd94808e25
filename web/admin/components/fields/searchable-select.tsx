import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

interface SearchableSelectProps extends Omit<SelectProps, 'data' | 'value' | 'searchValue' | 'onSearchChange'> {
  readonly data: readonly SearchableOption[]
  readonly value?: string | null
  /** Returns an option to offer first for a typed text; undefined when there is none beside those of `data`. */
  readonly typedOption?: (search: string) => SearchableOption | undefined
}

interface SearchableOption {
  readonly value: string
  readonly label: string
}

/**
 * A select that is filled in by typing: Enter takes the highlighted option, or else the first match. Focus alone does
 * not open the options, so that Escape in an untouched field closes the dialog around the field.
 */
export function SearchableSelect({ data: listed, value = null, typedOption, ...rest }: SearchableSelectProps) {
  const [search, setSearch] = useState('')
  const added = typedOption?.(search)
  const data = added ? [added, ...listed] : listed
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
