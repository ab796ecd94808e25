/** Returns a language tag with `-` between its parts; some host platforms write `_`, as in `de_AT`. */
export function hyphenated(tag: string): string {
  return tag.replaceAll('_', '-')
}

/** Returns the language of a tag without region and script, in lower case: `de` for `de-AT` and `DE_at`. */
export function primaryLanguage(tag: string): string {
  return hyphenated(tag.trim()).toLowerCase().split('-', 1)[0] ?? ''
}

/**
 * Returns the tag of a language and, if given, its region: `de-AT` for `de_AT` and `de-AT-1996`. `Intl` throws an error
 * for some other parts of a tag, such as a repeated one.
 */
export function regionalTag(tag: string): string {
  const [, language, region] = /^([a-z]+)(?:-[a-z]{4})?(-(?:[a-z]{2}|\d{3}))?(?![a-z\d])/i.exec(hyphenated(tag)) ?? []
  return language === undefined ? '' : language.toLowerCase() + (region ?? '').toUpperCase()
}
