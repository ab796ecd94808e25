import type { SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { regionalTag } from '../../../../src/messages/language-tag.ts'
import { isLanguage } from '../../i18n/index.ts'
import { SearchableSelect } from './searchable-select.tsx'

/**
 * A searchable select of languages by name and tag, those of the service's own texts first. A typed tag with a region,
 * such as `de-AT`, is offered too; the current value is listed even if it is unknown.
 */
export function LanguageSelect({ value = null, ...rest }: Omit<SelectProps, 'data'>) {
  const locale = useTranslation().i18n.language
  const names = useMemo(() => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }), [locale])
  const known = useMemo(() => knownLanguages(names, locale), [names, locale])
  const isKnown = (tag: string): boolean => known.some((one) => one.value === tag)
  const option = (tag: string) => ({ value: tag, label: labelOf(tag, names) ?? tag })
  const data = value && !isKnown(value) ? [option(value), ...known] : known
  // Only a tag with a region is offered as typed: letters alone, such as `deu`, search for a name.
  const typedOption = (search: string) => {
    const tag = search.includes('-') ? tagOf(search) : ''
    return tag === '' || tag === value || isKnown(tag) ? undefined : option(tag)
  }
  return <SearchableSelect allowDeselect={false} {...rest} value={value} data={data} typedOption={typedOption} />
}

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Returns the languages that have a tag of two letters and one of the names, in the order of the locale. */
function knownLanguages(names: Intl.DisplayNames, locale: string) {
  const options = letters
    .flatMap((first) => letters.map((second) => first + second))
    // Obsolete tags, such as `iw`, are left out.
    .filter((tag) => Intl.getCanonicalLocales(tag)[0] === tag)
    .flatMap((tag) => {
      const label = labelOf(tag, names)
      return label === undefined ? [] : [{ value: tag, label }]
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale))
  const hasTexts = ({ value }: { readonly value: string }) => isLanguage(value)
  return [...options.filter(hasTexts), ...options.filter((one) => !hasTexts(one))]
}

/** Returns a tag in its usual form, as `de-AT` for `de-at` and `de_at`; empty for another text. */
function tagOf(text: string): string {
  return /^[a-z]{2,3}([-_]([a-z]{2}|\d{3}))?$/i.test(text.trim()) ? regionalTag(text.trim()) : ''
}

function labelOf(tag: string, names: Intl.DisplayNames): string | undefined {
  const known = tagOf(tag)
  const name = known === '' ? undefined : names.of(known)
  return name && `${name} (${tag})`
}
