import type { Data } from '../../data.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Details } from '../../messages/refusal.ts'
import { parseDate } from '../../scheduling/time/date.ts'

/** The kind of answer that a field of a booking form takes. */
export type FormFieldKind = 'text' | 'long_text' | 'number' | 'date' | 'choice' | 'choices' | 'checkbox'

/**
 * The condition under which a field of a booking form is shown: an earlier field is shown, and its answer is `is` (an
 * option, or the state of a checkbox) or, for the kind `choices`, includes `is`.
 */
export interface FormCondition {
  /** The key of the earlier field whose answer decides. */
  readonly field: string
  readonly is: string | boolean
}

/** One field of a service's booking form, a question that the service asks when it is booked. */
export interface FormField {
  /** The key of the answer in the reservation's data. */
  readonly key: string
  readonly label: string
  readonly kind: FormFieldKind
  /** A help text that the form shows below the label of the field; empty for none. */
  readonly help: string
  /** Whether an answer is required; for a checkbox, whether it must be checked. */
  readonly required: boolean
  /** The options of a field of the kind `choice` or `choices`; empty for other kinds. */
  readonly options: readonly string[]
  /** The condition under which the field is asked; null when it is always asked. */
  readonly when: FormCondition | null
}

/**
 * A field of a booking form in the format of the panel and of the site file (the JSON file that describes the site);
 * absent properties have defaults (see `formOf`).
 */
export type FormFieldEntry = Pick<FormField, 'key' | 'label' | 'kind'> & Partial<FormField>

/** Returns the fields of a booking form with absent properties set to their defaults. */
export function formOf(entries: readonly FormFieldEntry[]): FormField[] {
  return entries.map(({ key, label, kind, help = '', required = false, options = [], when = null }) => ({
    key,
    label,
    kind,
    help,
    required,
    options,
    when,
  }))
}

/**
 * Returns the faults of a booking form, as messages by path (`[index].property`); empty for a valid form. The types of
 * the properties are not checked here.
 */
export function formFaults(form: readonly FormField[]): Map<string, Message> {
  const faults = new Map<string, Message>()
  const earlier = new Map<string, FormField>()
  for (const [at, field] of form.entries()) {
    const { key, options, when } = field
    if (earlier.has(key)) faults.set(`[${at}].key`, message('form_key_duplicate'))
    const isChoice = hasOptions(field)
    if (isChoice && options.length === 0) faults.set(`[${at}].options`, message('form_options_missing'))
    if (!isChoice && options.length > 0) faults.set(`[${at}].options`, message('form_options_unwanted'))
    if (new Set(options).size < options.length) faults.set(`[${at}].options`, message('form_option_duplicate'))
    const fault = when && conditionFault(when, earlier.get(when.field))
    if (fault) faults.set(`[${at}].when`, fault)
    earlier.set(key, field)
  }
  return faults
}

/** Whether a field of the given kind has options. */
export function hasOptions({ kind }: Pick<FormField, 'kind'>): boolean {
  return kind === 'choice' || kind === 'choices'
}

/** Whether the condition of a later field can refer to a field of the given kind. */
export function canDecide(field: Pick<FormField, 'kind'>): boolean {
  return hasOptions(field) || field.kind === 'checkbox'
}

function conditionFault({ is }: FormCondition, on: FormField | undefined): Message | undefined {
  if (!on) return message('form_condition_not_above')
  if (!canDecide(on)) return message('form_condition_kind')
  if (on.kind === 'checkbox') return typeof is === 'boolean' ? undefined : message('form_condition_not_boolean')
  return on.options.some((option) => option === is) ? undefined : message('form_condition_not_option')
}

/** Returns the fields of a booking form that are asked when the given answers are entered. */
export function askedFields(form: readonly FormField[], answers: Data): FormField[] {
  const asked = new Map<string, FormField>()
  for (const field of form) {
    const on = field.when && asked.get(field.when.field)
    if (!field.when || (on && answersWith(on, answers[on.key], field.when.is))) asked.set(field.key, field)
  }
  return [...asked.values()]
}

function answersWith({ kind }: FormField, answer: unknown, is: string | boolean): boolean {
  if (kind === 'checkbox') return (answer === true) === is
  return Array.isArray(answer) ? answer.includes(is) : answer === is
}

/** The result of `readAnswers`: the validated answers, or the errors by field key. */
export type ReadAnswers = { readonly answers: Data } | { readonly invalid: Details }

/**
 * Validates the answers to a booking form. The result contains the non-empty answers to the fields that are asked.
 * Invalid answers to fields that are asked, and answers to unknown fields, are errors; with `complete`, missing
 * required answers are errors as well.
 */
export function readAnswers(
  form: readonly FormField[],
  sent: Data,
  { complete }: { readonly complete: boolean },
): ReadAnswers {
  const known = new Set(form.map(({ key }) => key))
  const strange = Object.keys(sent).filter((key) => !known.has(key))
  const invalid = new Map(strange.map((key) => [key, message('answer_unknown')]))
  const answers = new Map<string, unknown>()
  for (const field of askedFields(form, sent)) {
    const answer = trimmed(sent[field.key])
    if (isEmpty(answer)) {
      if (complete && field.required) invalid.set(field.key, missing[field.kind] ?? message('answer_missing'))
      continue
    }
    const fault = answerFault(field, answer)
    if (fault) invalid.set(field.key, fault)
    else answers.set(field.key, answer)
  }
  return invalid.size > 0 ? { invalid: Object.fromEntries(invalid) } : { answers: Object.fromEntries(answers) }
}

const missing: Partial<Record<FormFieldKind, Message>> = { checkbox: message('answer_unticked') }

function trimmed(answer: unknown): unknown {
  return typeof answer === 'string' ? answer.trim() : answer
}

function isEmpty(answer: unknown): boolean {
  const isNothing = answer === undefined || answer === null || answer === '' || answer === false
  return isNothing || (Array.isArray(answer) && answer.length === 0)
}

const maxText = 500
const maxLongText = 5_000

function answerFault({ kind, options }: FormField, answer: unknown): Message | undefined {
  switch (kind) {
    case 'text':
      return isText(answer, maxText) ? undefined : message('answer_too_long', { most: maxText })
    case 'long_text':
      return isText(answer, maxLongText) ? undefined : message('answer_too_long', { most: maxLongText })
    case 'number':
      return typeof answer === 'number' && Number.isFinite(answer) ? undefined : message('answer_no_number')
    case 'date':
      return isDate(answer) ? undefined : message('answer_no_date')
    case 'choice':
      return options.some((option) => option === answer) ? undefined : message('answer_no_option')
    case 'choices':
      return isSelection(answer, options) ? undefined : message('answer_no_options')
    case 'checkbox':
      return answer === true ? undefined : message('must_be_boolean')
  }
}

function isText(answer: unknown, most: number): boolean {
  return typeof answer === 'string' && answer.length <= most
}

function isDate(answer: unknown): boolean {
  return typeof answer === 'string' && parseDate(answer) !== undefined
}

function isSelection(answer: unknown, options: readonly string[]): boolean {
  if (!Array.isArray(answer) || new Set(answer).size < answer.length) return false
  return answer.every((one) => options.some((option) => option === one))
}
