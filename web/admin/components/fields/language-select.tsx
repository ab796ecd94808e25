import { Select, type SelectProps } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regionalTag } from '../../../../src/messages/language-tag.ts'
import { isLanguage } from '../../i18n/index.ts'

/**
 * A searchable select of languages by name and tag, those of the service's own texts first. A typed tag with a region,
 * such as `de-AT`, is offered too; the current value is listed even if it is unknown.
 */
export function LanguageSelect({ value = null, ...rest }: Omit<SelectProps, 'data'>) {
  const locale = useTranslation().i18n.language
  const [search, setSearch] = useState('')
  const known = useMemo(() => knownLanguages(locale), [locale])
  const more = [value ?? '', tagOf(search)].filter((tag) => tag !== '')
  const added = [...new Set(more)].filter((tag) => !known.some((one) => one.value === tag))
  return (
    <Select
      allowDeselect={false}
      limit={100}
      selectFirstOptionOnChange
      {...rest}
      searchable
      value={value}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...added.map((tag) => ({ value: tag, label: labelOf(tag, locale) ?? tag })), ...known]}
    />
  )
}

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Returns the languages that have a tag of two letters and a name in the given locale. */
function knownLanguages(locale: string) {
  const options = letters
    .flatMap((first) => letters.map((second) => first + second))
    // Obsolete tags, such as `iw`, are left out.
    .filter((tag) => Intl.getCanonicalLocales(tag)[0] === tag)
    .flatMap((tag) => {
      const label = labelOf(tag, locale)
      return label === undefined ? [] : [{ value: tag, label }]
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale))
  const hasTexts = ({ value }: { readonly value: string }) => isLanguage(value)
  return [...options.filter(hasTexts), ...options.filter((one) => !hasTexts(one))]
}

/** Returns the tag that a user typed, as `de-AT` for `de_at`; empty for another text. */
function tagOf(typed: string): string {
  return /^[a-z]{2,3}([-_]([a-z]{2}|\d{3}))?$/i.test(typed.trim()) ? regionalTag(typed.trim()) : ''
}

function labelOf(tag: string, locale: string): string | undefined {
  const known = tagOf(tag)
  const name =
    known === '' ? undefined : new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(known)
  return name && `${name} (${tag})`
}
