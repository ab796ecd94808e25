import type { TFunction } from 'i18next'
import type { Item } from '../../data/request.ts'

/**
 * Returns the name of an event type, such as `customer.created`, in the language of the panel; a type without a name
 * is returned unchanged.
 */
export function eventName(type: string, t: TFunction<'words'>): string {
  const [kind = '', action = ''] = type.split('.')
  return namesIn(t)[kind]?.[action] ?? type
}

/** Returns the name of what an entry of the history is about, or its id when it has no name. */
export function subjectName({ subject, objectId }: Pick<Item<'GET /history/'>, 'subject' | 'objectId'>): string {
  return subject.name || objectId
}

/**
 * Returns the options of a select of event types. When `chosen` is not an event type but, for example, the kind
 * `customer`, it is an option too.
 */
export function eventOptions(t: TFunction<'words'>, chosen = ''): { readonly value: string; readonly label: string }[] {
  const types = Object.entries(namesIn(t)).flatMap(([kind, actions]) =>
    Object.entries(actions).map(([action, label]) => ({ value: `${kind}.${action}`, label })),
  )
  const isOther = chosen !== '' && !types.some(({ value }) => value === chosen)
  return isOther ? [{ value: chosen, label: chosen }, ...types] : types
}

function namesIn(t: TFunction<'words'>): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return t('history.events', { returnObjects: true })
}
