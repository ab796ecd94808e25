import type { TFunction } from 'i18next'

/** Returns the name of a type of event in the language of the panel; the type itself for one without a name. */
export function eventName(type: string, t: TFunction<'words'>): string {
  const [kind = '', action = ''] = type.split('.')
  return namesIn(t)[kind]?.[action] ?? type
}

/** Returns every type of event with its name, for a choice; also what is chosen when it is none, such as a kind. */
export function eventChoices(t: TFunction<'words'>, chosen = ''): { readonly value: string; readonly label: string }[] {
  const types = Object.entries(namesIn(t)).flatMap(([kind, actions]) =>
    Object.entries(actions).map(([action, label]) => ({ value: `${kind}.${action}`, label })),
  )
  const isOther = chosen !== '' && !types.some(({ value }) => value === chosen)
  return isOther ? [{ value: chosen, label: chosen }, ...types] : types
}

function namesIn(t: TFunction<'words'>): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return t('history.events', { returnObjects: true })
}
