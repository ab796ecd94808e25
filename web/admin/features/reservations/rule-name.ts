import type { TFunction } from 'i18next'
import type { Item } from '../../data/request.ts'

type BrokenRule = Item<'GET /calendar/verdict/'>['broken'][number]

/**
 * Returns the translated short name of a broken booking rule. When the start or the duration of the time matches no
 * slot of the service, the name says so, although the rule is `opening_hours`.
 */
export function brokenRuleName({ rule, message }: Pick<BrokenRule, 'rule' | 'message'>, t: TFunction<'words'>): string {
  const { code } = message
  const name = code === 'slot_off_grid' || code === 'slot_duration_differs' ? 'not_a_start' : rule
  return t(`calendar.against.${name}`)
}
