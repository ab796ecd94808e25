import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { askedFields, type FormField } from '../../../../src/catalogue/services/booking-form.ts'

/** The answers to a booking form, by field key. */
export type Answers = Readonly<Record<string, unknown>>

interface AnswerFieldsProps {
  readonly form: readonly FormField[]
  readonly answers: Answers
  readonly onChange: (answers: Answers) => void
  /** The error of each answer; its key is `answers.` followed by the key of the form field. */
  readonly errors: FormErrors
}

/** Renders the fields of a booking form, without those whose condition the answers entered so far do not meet. */
export function AnswerFields({ form, answers, onChange, errors }: AnswerFieldsProps) {
  return (
    <Stack gap="sm">
      {askedFields(form, answers).map((field) => (
        <AnswerField
          key={field.key}
          field={field}
          answer={answers[field.key]}
          onChange={(answer) => onChange({ ...answers, [field.key]: answer })}
          error={errors[`answers.${field.key}`]}
        />
      ))}
    </Stack>
  )
}

/** Returns the answers to send: without those whose fields are not in the form, and with typed numbers as numbers. */
export function answersOfForm(form: readonly FormField[], answers: Answers): Answers {
  return Object.fromEntries(
    form.flatMap(({ key, kind }) => {
      const answer = kind === 'number' ? numberOf(answers[key]) : answers[key]
      return answer === undefined ? [] : [[key, answer]]
    }),
  )
}

/**
 * Converts a typed number to a number. Text that is not a number, such as `-`, is returned, since the server refuses
 * it.
 */
function numberOf(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  if (answer === '') return undefined
  const number = Number(answer)
  return Number.isNaN(number) ? answer : number
}

interface AnswerFieldProps {
  readonly field: FormField
  readonly answer: unknown
  readonly onChange: (answer: unknown) => void
  readonly error: FormErrors[string]
}

function AnswerField({ field, answer, onChange, error }: AnswerFieldProps) {
  const { kind, label, help, required, options } = field
  const common = { label, ...(help && { description: help }), withAsterisk: required, error }
  const text = typeof answer === 'string' ? answer : ''
  switch (kind) {
    case 'long_text':
      return <Textarea {...common} autosize minRows={2} maxRows={8} value={text} onChange={valueTo(onChange)} />
    case 'number':
      return (
        <NumberInput
          {...common}
          // While a decimal is typed, such as `1.`, the value is text; the input would be cleared if it were replaced.
          value={typeof answer === 'number' ? answer : text}
          onChange={onChange}
        />
      )
    case 'choice':
      return <Select {...common} data={options} value={text || null} onChange={onChange} clearable={!required} />
    case 'choices':
      return (
        <Checkbox.Group {...common} value={chosen(answer, options)} onChange={onChange}>
          <Stack gap="xs" mt={4}>
            {options.map((option) => (
              <Checkbox key={option} value={option} label={option} />
            ))}
          </Stack>
        </Checkbox.Group>
      )
    case 'checkbox':
      return (
        <Checkbox
          {...common}
          label={required ? `${label} *` : label}
          checked={answer === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'text':
    case 'date':
      return <TextInput {...common} type={kind} autoComplete="off" value={text} onChange={valueTo(onChange)} />
  }
}

function valueTo(onChange: (answer: string) => void) {
  return (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value)
}

function chosen(answer: unknown, options: readonly string[]): string[] {
  return Array.isArray(answer) ? options.filter((option) => answer.includes(option)) : []
}
