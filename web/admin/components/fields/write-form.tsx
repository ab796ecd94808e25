import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isUnproven } from '../../data/refusal.ts'
import { Trouble } from '../states.tsx'

interface WriteFormOptions<Values extends object> {
  readonly initialValues: Values
  /** Returns the errors by field that are known before the request. */
  readonly validate?: (values: Values) => FormErrors
  /** Performs the write; the errors of a rejected promise are shown beside their fields. */
  readonly write: (values: Values) => Promise<unknown>
  /** Maps a field of the request body to the form field, where the names differ. */
  readonly fieldOf?: (name: string) => string
}

/** A form with its values, the error of the last submission, and whether a submission is pending. */
export interface WriteForm<Values extends object> {
  readonly fields: UseFormReturnType<Values>
  readonly problem: unknown
  readonly pending: boolean
  submit(): void
}

/** A form that submits a write. Errors of the service are shown beside their fields, and otherwise above the fields. */
export function useWriteForm<Values extends object>(options: WriteFormOptions<Values>): WriteForm<Values> {
  const [problem, setProblem] = useState<unknown>()
  const [pending, setPending] = useState(false)
  const fields = useForm<Values>({
    initialValues: options.initialValues,
    ...(options.validate && { validate: options.validate }),
  })
  const heed = (error: unknown): void => {
    if (isUnproven(error)) return
    const { fieldOf = placeOf } = options
    const named = Object.keys(failureOf(error).fields)
      .map((name) => [fieldOf(name), name] as const)
      .filter(([field]) => rootOf(field) in options.initialValues)
    if (named.length > 0)
      fields.setErrors(
        Object.fromEntries(
          named.map(([field, name]) => [field, <FieldTrouble key={field} error={error} name={name} />]),
        ),
      )
    else setProblem(error)
  }
  const submit = fields.onSubmit((values) => {
    setProblem(undefined)
    setPending(true)
    void options
      .write(values)
      .then(undefined, heed)
      .finally(() => setPending(false))
  })
  return { fields, problem, pending, submit }
}

interface FieldTroubleProps {
  readonly error: unknown
  readonly name: string
}

/** The error of one field, rendered again when the language changes. */
function FieldTrouble({ error, name }: FieldTroubleProps) {
  useTranslation()
  return failureOf(error).fields[name]
}

/** Converts `form[2].key` to `form.2.key`, the path that the form uses. */
function placeOf(name: string): string {
  return name.replace(/\[(\d+)\]/g, '.$1')
}

/** Returns `limits` for `limits.perServiceDay`. */
function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}

interface FormProps {
  readonly form: Pick<WriteForm<object>, 'problem' | 'pending' | 'submit'>
  readonly submitText: string
  /** Content beside the submit button, such as a cancel button. */
  readonly beside?: ReactNode
  /** Whether the submit button takes the full width, as on a sign-in page. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** Renders the error of the last submission, the fields and the submit button. */
export function Form({ form, submitText, beside, wide = false, children }: FormProps) {
  return (
    <form
      noValidate
      // Enter starts a new line in a text of several lines.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        // A field with unparsable text reports the error itself; submitting would omit its value.
        const unreadable = event.currentTarget.querySelector<HTMLElement>('[data-unreadable]')
        if (unreadable) unreadable.focus()
        else form.submit()
      }}
    >
      <Stack gap="sm">
        <Problem error={form.problem} />
        {children}
        <Group justify="flex-end" gap="xs" mt="xs" className="form-actions">
          {beside}
          <Button type="submit" loading={form.pending} fullWidth={wide}>
            {submitText}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The message of a failed write; empty when `error` is undefined. */
export function Problem({ error }: { readonly error: unknown }) {
  if (!error) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      <Trouble error={error} />
    </Alert>
  )
}

/** A button that closes a form without saving. */
export function CancelButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" onClick={onClick}>
      {t('common.cancel')}
    </Button>
  )
}
