import type { TFunction } from 'i18next'
import { isColor } from '../../../../../src/catalogue/services/color.ts'
import type { Approval } from '../../../../../src/catalogue/services/service.ts'
import { toMajorUnits, toMinorUnits } from '../../../data/dates/money.ts'
import type { DateMarkOverride } from './date-marks.ts'

type Slot = NonNullable<DateMarkOverride['slot']>

/**
 * Form values of the slot properties, such as the price, that apply on the dates of an override. For an empty value,
 * that of the service applies.
 */
export interface SlotValues {
  /**
   * The price in major units of `currency`, or of the site's currency if `currency` is empty. An empty text means the
   * service's price.
   */
  readonly price: number | string
  readonly currency: string
  readonly capacity: number | string
  readonly location: string
  readonly title: string
  readonly note: string
  readonly color: string
  readonly approval: Approval | null
}

/**
 * Converts the slot properties of an override, such as the price, to form values. Where the override sets neither a
 * price nor a currency, the currency is that of the site, so that a price that the user enters is stored with a
 * currency. A stored price without a currency is in the currency of the service; the form shows it in the site's
 * currency.
 */
export function slotValuesOf(slot: Slot = {}, siteCurrency: string): SlotValues {
  const { price, capacity = '', location = '', title = '', note = '', color = '' } = slot
  const currency = slot.currency ?? (price === undefined ? siteCurrency : '')
  const typed = price === undefined ? '' : toMajorUnits(price, currency || siteCurrency)
  return { price: typed, currency, capacity, location, title, note, color, approval: slot.approval ?? null }
}

/**
 * Converts form values to the slot properties of an override, such as the price; undefined when all values are empty.
 * The site's currency without a price counts as empty.
 */
export function slotOf(values: SlotValues, siteCurrency: string): Slot | undefined {
  const { price, capacity, approval } = values
  const [currency, location, title, note, color] = [
    values.currency,
    values.location,
    values.title,
    values.note,
    values.color,
  ].map((text) => text.trim())
  const slot: Slot = {
    ...(price !== '' && { price: toMinorUnits(Number(price), currency || siteCurrency) }),
    ...(currency && (price !== '' || currency !== siteCurrency) && { currency }),
    ...(capacity !== '' && { capacity: Number(capacity) }),
    ...(location && { location }),
    ...(title && { title }),
    ...(note && { note }),
    ...(color && { color }),
    ...(approval && { approval }),
  }
  return Object.keys(slot).length > 0 ? slot : undefined
}

/** Returns the error of the color in a form of slot properties, by form field. */
export function validateSlot(values: SlotValues, t: TFunction<'words'>) {
  const color = values.color.trim()
  return {
    ...(color !== '' && !isColor(color) && { 'slot.color': t('providers.noColor') }),
  }
}
