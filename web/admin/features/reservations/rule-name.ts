import type { TFunction } from 'i18next'
import type { Item } from '../../data/request.ts'

type BrokenRule = Item<'GET /calendar/verdict/'>['broken'][number]

/**
 * Returns the translated short name of a broken booking rule. When the rule is `opening_hours`, but the cause is a
 * start or duration that matches no slot of the service, the name states that cause instead.
 */
export function brokenRuleName({ rule, message }: Pick<BrokenRule, 'rule' | 'message'>, t: TFunction<'words'>): string {
  const { code } = message
  const name = code === 'slot_off_grid' || code === 'slot_duration_differs' ? 'not_a_start' : rule
  return t(`calendar.against.${name}`)
}
