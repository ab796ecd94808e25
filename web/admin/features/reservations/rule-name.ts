import type { TFunction } from 'i18next'
import type { Item } from '../../data/request.ts'

type Broken = Item<'GET /calendar/verdict/'>['broken'][number]

/**
 * Returns the short name of a broken rule. A time within opening hours that no slot starts at has a name of its own.
 */
export function brokenRuleName({ rule, message }: Pick<Broken, 'rule' | 'message'>, t: TFunction<'words'>): string {
  const { code } = message
  const name = code === 'slot_off_grid' || code === 'slot_duration_differs' ? 'not_a_start' : rule
  return t(`calendar.against.${name}`)
}
