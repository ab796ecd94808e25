import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../data/refusal.ts'
import { Trouble } from '../states.tsx'

interface WriteFormOptions<Values extends object> {
  readonly initialValues: Values
  /** What is wrong already, by field, before the service is asked. */
  readonly validate?: (values: Values) => FormErrors
  /** Writes; what it throws is shown beside the fields it names. */
  readonly write: (values: Values) => Promise<unknown>
  /** The field of the form for a field of the body, where it is called differently. */
  readonly fieldOf?: (name: string) => string
}

/** A form, what stands above its fields when the service said no, and whether it is being asked. */
export interface WriteForm<Values extends object> {
  readonly fields: UseFormReturnType<Values>
  readonly problem: unknown
  readonly pending: boolean
  submit(): void
}

/** A form that writes: what the service refuses is shown beside the field it is about, else above the fields. */
export function useWriteForm<Values extends object>(options: WriteFormOptions<Values>): WriteForm<Values> {
  const [problem, setProblem] = useState<unknown>()
  const [pending, setPending] = useState(false)
  const fields = useForm<Values>({
    initialValues: options.initialValues,
    ...(options.validate && { validate: options.validate }),
  })
  const heed = (error: unknown): void => {
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

/** What is wrong with one field; in another language once that is chosen. */
function FieldTrouble({ error, name }: FieldTroubleProps) {
  useTranslation()
  return failureOf(error).fields[name]
}

/** `form.2.key` of `form[2].key`: as the form names its fields. */
function placeOf(name: string): string {
  return name.replace(/\[(\d+)\]/g, '.$1')
}

/** `limits` of `limits.perServiceDay`. */
function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}

interface FormProps {
  readonly form: Pick<WriteForm<object>, 'problem' | 'pending' | 'submit'>
  readonly submitText: string
  /** Beside the submit button, such as one that cancels. */
  readonly beside?: ReactNode
  /** The button goes over the whole width, as on a sign-in page. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** The form on the page: what was refused, the fields, and the button. */
export function Form({ form, submitText, beside, wide = false, children }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // Such a field says itself what is wrong; the form would write without it.
        const unreadable = event.currentTarget.querySelector<HTMLElement>('[data-unreadable]')
        if (unreadable) unreadable.focus()
        else form.submit()
      }}
    >
      <Stack gap="sm">
        <Problem error={form.problem} />
        {children}
        <Group justify="flex-end" gap="xs" mt="xs">
          {beside}
          <Button type="submit" loading={form.pending} fullWidth={wide}>
            {submitText}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What a write was refused with; nothing where nothing went wrong. */
export function Problem({ error }: { readonly error: unknown }) {
  if (!error) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      <Trouble error={error} />
    </Alert>
  )
}

/** A button that leaves a form as it is. */
export function CancelButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" onClick={onClick}>
      {t('common.cancel')}
    </Button>
  )
}
