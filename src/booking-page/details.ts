import { type FormField, readAnswers } from '../catalogue/services/booking-form.ts'
import { isEmail } from '../customers/customer-email.ts'
import { type Data, tooMuchData } from '../data.ts'
import type { Message } from '../messages/message.ts'
import type { PageSettings } from './settings.ts'
import type { Words } from './words/en.ts'
import { readNumber } from './words/numbers.ts'

/** A person that a seat is booked for; `email` may be empty except for the first person. */
export interface Person {
  readonly name: string
  readonly email: string
}

/** The values that a customer entered in the form for the chosen time. */
export interface BookingDetails {
  /** The persons that seats are booked for, one per seat; the first is the customer who fills in the form. */
  readonly people: readonly Person[]
  /** The phone number as entered; `readPhone` converts it to international form. */
  readonly phone: string
  /** The country of the phone number as a two-letter ISO 3166 code; empty when the form contained none. */
  readonly country: string
  readonly answers: Data
  readonly consent: boolean
  readonly terms: boolean
  /** Whether the customer agrees to short messages at the phone number. */
  readonly sms: boolean
}

/** The message of each invalid field, by the name of its input. */
export type Faults = ReadonlyMap<string, keyof Words>

/**
 * What determines which values a customer must enter, and how: the questions of the service, the page's settings, the
 * number of seats, and the language tag by which numbers are read.
 */
export interface FormRequest {
  readonly form: readonly FormField[]
  readonly settings: PageSettings
  readonly seats: number
  readonly tag: string
}

const maxName = 200
const maxEmail = 254
const maxPhone = 50

/** Returns the details in a posted form, and the errors in them. */
export function readDetails(
  sent: URLSearchParams,
  { form, settings, seats, tag }: FormRequest,
): { readonly details: BookingDetails; readonly faults: Map<string, keyof Words> } {
  const faults = new Map<string, keyof Words>()
  const people = Array.from({ length: seats }, (_, index): Person => {
    const { name, email } = personFields(index)
    const person = { name: oneLine(sent.get(name)), email: oneLine(sent.get(email)) }
    if (person.name === '') faults.set(name, 'missing')
    else if (person.name.length > maxName) faults.set(name, 'tooLong')
    if (person.email === '' && index === 0) faults.set(email, 'missing')
    else if (person.email !== '' && (person.email.length > maxEmail || !isEmail(person.email)))
      faults.set(email, 'invalidEmail')
    return person
  })
  const phone = settings.phone === 'none' ? '' : oneLine(sent.get('phone'))
  if (phone === '' && settings.phone === 'required') faults.set('phone', 'missing')
  if (phone.length > maxPhone) faults.set('phone', 'tooLong')
  const read = readAnswersSent(sent, form, tag)
  for (const [name, fault] of read.faults) faults.set(name, fault)
  const consent = sent.get('consent') === 'on'
  const terms = sent.get('terms') === 'on'
  if (Object.keys(settings.consent).length > 0 && !consent) faults.set('consent', 'mustAgree')
  if (settings.termsUrl !== '' && !terms) faults.set('terms', 'mustAgree')
  const sms = sent.get('sms') === 'on'
  if (sms && phone === '') faults.set('phone', 'missing')
  const country = /^[A-Z]{2}$/.test(sent.get('country') ?? '') ? (sent.get('country') ?? '') : ''
  return { details: { people, phone, country, answers: read.answers, consent, terms, sms }, faults }
}

/**
 * Returns the answers to a service's questions in a posted form, and the errors in them; no answers when any is invalid
 * or missing, or when all of them together are too long for one reservation. Numbers are read by the language tag.
 */
export function readAnswersSent(
  sent: URLSearchParams,
  form: readonly FormField[],
  tag: string,
): { readonly answers: Data; readonly faults: Faults } {
  const read = readAnswers(form, answersOf(sent, form, tag), { complete: true })
  if ('answers' in read) {
    const { answers } = read
    return tooMuchData(answers) ? { answers: {}, faults: longestFault(answers) } : { answers, faults: new Map() }
  }
  const faults = Object.entries(read.invalid).map(([key, { code }]) => [answerField(key), faultOf(code)] as const)
  return { answers: {}, faults: new Map(faults) }
}

/** Returns the error of answers that are too long together, at the longest of them. */
export function longestFault(answers: Data): Faults {
  const lengthOf = (key: string): number => JSON.stringify(answers[key]).length
  const [longest = ''] = Object.keys(answers).toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return new Map([[answerField(longest), 'tooLong']])
}

/** Returns the names of the inputs for the name and e-mail address of a person; the first person is number 0. */
export function personFields(index: number): { readonly name: string; readonly email: string } {
  return index === 0
    ? { name: 'name', email: 'email' }
    : { name: `guest${index + 1}name`, email: `guest${index + 1}email` }
}

/** Returns the name of the input for a question of the service. */
export function answerField(key: string): string {
  return `a.${key}`
}

/**
 * Returns the parameters of an address that fill in the form for the details. They contain no consent, terms or
 * agreement to text messages, because only the customer agrees, in a form.
 */
export function prefilledEntries(query: URLSearchParams): readonly (readonly [string, string])[] {
  return [...query].filter(
    ([name, value]) => value !== '' && (/^(?:name|email|phone)$/.test(name) || name.startsWith(answerField(''))),
  )
}

/**
 * Returns the entries of a posted form that contain details, to be sent along as hidden fields from the calendar and
 * from the summary of the booking.
 */
export function keptEntries(sent: URLSearchParams): readonly (readonly [string, string])[] {
  return [...sent].filter(
    ([name, value]) =>
      value !== '' &&
      (/^(?:name|email|phone|country|sms|pays|consent|terms|guest\d{1,2}(?:name|email))$/.test(name) ||
        name.startsWith(answerField(''))),
  )
}

/** Returns the discount and voucher codes in a posted form, to be sent along from the calendar, which has no inputs. */
export function codeEntries(sent: URLSearchParams): readonly (readonly [string, string])[] {
  return [...sent].filter(([name, value]) => value !== '' && /^(?:code|voucher)$/.test(name))
}

/**
 * Converts the entries of a posted form to answers: a number is read by the language, and a ticked checkbox is true.
 * The text of a number that cannot be read is returned as it is, which is an invalid answer.
 */
function answersOf(sent: URLSearchParams, form: readonly FormField[], tag: string): Data {
  return Object.fromEntries(
    form.flatMap(({ key, kind }): (readonly [string, unknown])[] => {
      const values = sent.getAll(answerField(key)).filter((value) => value !== '')
      const [value] = values
      if (value === undefined) return []
      if (kind === 'choices') return [[key, values]]
      if (kind === 'checkbox') return [[key, value === 'on']]
      if (kind !== 'number') return [[key, value.replace(/\r\n/g, '\n')]]
      return [[key, readNumber(value, tag) ?? value]]
    }),
  )
}

function faultOf(code: Message['code']): keyof Words {
  switch (code) {
    case 'answer_too_long':
      return 'tooLong'
    case 'answer_no_number':
      return 'invalidNumber'
    case 'answer_no_date':
      return 'invalidDate'
    case 'answer_unticked':
      return 'mustAgree'
    case 'answer_no_option':
    case 'answer_no_options':
      return 'invalidChoice'
    default:
      return 'missing'
  }
}

/** Returns the text without line breaks; empty when it has no visible character, such as a zero-width space alone. */
function oneLine(text: string | null): string {
  const line = (text ?? '').replace(/\p{Cc}+/gu, ' ').trim()
  return /[^\p{C}\p{Z}]/u.test(line) ? line : ''
}
