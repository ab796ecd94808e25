import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isReauthenticationRequired } from '../../data/refusal.ts'
import { ErrorMessage } from '../states.tsx'
import { useReportedChanges } from './forms-in-dialog.ts'

interface WriteFormOptions<Values extends object> {
  readonly initialValues: Values
  /**
   * What is stored at present, for a form that edits it. When this changes, as by another user, the fields that the
   * user has not changed take the values of `initialValues`; the others keep what was typed.
   */
  readonly stored?: unknown
  /** Validates the values in the browser before the request is sent, and returns the errors by field. */
  readonly validate?: (values: Values) => FormErrors
  /**
   * Sends the request. When the returned promise rejects, the form shows the error. When it resolves to false, nothing
   * was stored, as when the user answers a question with Cancel, and the values remain unsaved changes.
   */
  readonly write: (values: Values) => Promise<unknown>
  /**
   * Maps the name of a field in the request body to the name of the form field; when absent, `formPathOf` converts
   * `form[2].key` to `form.2.key`.
   */
  readonly fieldOf?: (name: string) => string
}

/** A form with its values, the error of the last submission, and whether a submission is pending. */
export interface WriteForm<Values extends object> {
  readonly fields: UseFormReturnType<Values>
  readonly problem: unknown
  readonly pending: boolean
  submit(): void
  /** Whether the fields differ both from what is stored and from what was submitted last. */
  hasChanges(): boolean
  /**
   * Returns the values whose form field of the same name was changed. A form that edits something sends only these,
   * since another user may have changed the others. A value in `also` counts as changed with that form field, too.
   */
  changedOf<Sent extends object>(values: Sent, also?: Partial<Record<keyof Sent, keyof Values>>): Partial<Sent>
}

/**
 * Creates a form that submits a write. An error is shown beside the fields that it names, or above all fields if it
 * names no field that is shown. Nothing is shown when the user cancels the confirmation of identity.
 */
export function useWriteForm<Values extends object>(options: WriteFormOptions<Values>): WriteForm<Values> {
  const [problem, setProblem] = useState<unknown>()
  const [pending, setPending] = useState(false)
  // `pending` changes only with the next render; until then, a second event could submit the form again.
  const busy = useRef(false)
  const fields = useForm<Values>({
    initialValues: options.initialValues,
    ...(options.validate && { validate: options.validate }),
  })
  const submitted = useRef<Partial<Values>>({})
  useStored(options, fields, submitted)
  const handleError = (error: unknown): void => {
    submitted.current = {}
    if (isReauthenticationRequired(error)) return
    const { fieldOf = formPathOf } = options
    const named = Object.keys(failureOf(error).fields)
      .map((name) => [fieldOf(name), name] as const)
      .filter(([field]) => rootOf(field) in options.initialValues)
    if (named.length > 0)
      fields.setErrors(
        Object.fromEntries(named.map(([field, name]) => [field, <FieldError key={field} error={error} name={name} />])),
      )
    else setProblem(error)
  }
  const submit = fields.onSubmit((values) => {
    if (busy.current) return
    busy.current = true
    submitted.current = values
    setProblem(undefined)
    setPending(true)
    void options
      .write(values)
      .then((result) => {
        if (result === false) submitted.current = {}
      }, handleError)
      .finally(() => {
        busy.current = false
        setPending(false)
      })
  })
  const hasChanges = () => fields.isDirty() && JSON.stringify(fields.getValues()) !== JSON.stringify(submitted.current)
  const changedOf: WriteForm<Values>['changedOf'] = (values, also = {}) => {
    const changed: Partial<typeof values> = {}
    for (const name in values) {
      const other = also[name]
      if (fields.isDirty(name) || (other !== undefined && fields.isDirty(String(other)))) changed[name] = values[name]
    }
    return changed
  }
  return { fields, problem, pending, submit, hasChanges, changedOf }
}

/**
 * Keeps a form up to date with what is stored. A value that the form itself submitted counts as unchanged, since the
 * service may have stored it in another form, such as without white space.
 */
function useStored<Values extends object>(
  { initialValues, stored }: WriteFormOptions<Values>,
  fields: Pick<UseFormReturnType<Values>, 'getValues' | 'setValues' | 'resetDirty'>,
  submitted: { current: Partial<Values> },
): void {
  const version = JSON.stringify(stored)
  const [shown, setShown] = useState({ version, initialValues })
  useEffect(() => {
    if (version === shown.version) return
    const before = new Map(Object.entries(shown.initialValues))
    const sent = new Map(Object.entries(submitted.current))
    const changed = Object.entries(fields.getValues()).filter(([field, value]) =>
      [before, sent].every((known) => JSON.stringify(known.get(field)) !== JSON.stringify(value)),
    )
    submitted.current = {}
    setShown({ version, initialValues })
    fields.setValues({ ...initialValues, ...Object.fromEntries(changed) })
    fields.resetDirty(initialValues)
  })
}

interface FieldErrorProps {
  readonly error: unknown
  readonly name: string
}

/** Renders the error message of one field, translated anew when the language of the panel changes. */
function FieldError({ error, name }: FieldErrorProps) {
  useTranslation()
  return failureOf(error).fields[name]
}

/** Converts a field name of the API to a path of the form library: `form[2].key` becomes `form.2.key`. */
export function formPathOf(name: string): string {
  return name.replace(/\[(\d+)\]/g, '.$1')
}

/** Returns the top-level field of a path: `limits` for `limits.perServiceDay`. */
function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}

interface FormProps {
  readonly form: Pick<WriteForm<object>, 'problem' | 'pending' | 'submit' | 'hasChanges'> & {
    readonly fields: { readonly errors: FormErrors }
  }
  readonly submitText: string
  /** Content beside the submit button, such as a cancel button. */
  readonly beside?: ReactNode
  /** Whether the submit button takes the full width, as on a sign-in page. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/**
 * Renders the error of the last submission, the fields and the submit button. A dialog or drawer around it asks before
 * it discards changes of the form.
 */
export function Form({ form, submitText, beside, wide = false, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const hidden = useHiddenErrors(element, form.fields.errors)
  const scrollToError = useScrollToError(element, form, hidden.length)
  useReportedChanges({ hasChanges: form.hasChanges, isPending: () => form.pending })
  return (
    <form
      ref={element}
      noValidate
      // Ctrl+Enter submits the form also from a multi-line text field, where Enter starts a new line.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (focusUnreadable(event.currentTarget)) return
        scrollToError()
        form.submit()
      }}
    >
      <Stack gap="sm">
        <ErrorAlert error={form.problem} />
        {hidden.length > 0 && (
          <Alert color="red" icon={<IconAlertTriangle />} role="alert">
            {hidden.map(([field, error]) => (
              <Text key={field} size="sm">
                {error}
              </Text>
            ))}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" gap="xs" mt="xs" className="form-actions">
          <FormPending value={form.pending}>{beside}</FormPending>
          <Button type="submit" loading={form.pending} fullWidth={wide}>
            {submitText}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/**
 * Focuses the first date field with text that the field cannot parse, which it marks with `data-unreadable`; returns
 * whether there is one. Such a form is not submitted, since the request would omit the value of that field.
 */
export function focusUnreadable(form: HTMLFormElement): boolean {
  const unreadable = form.querySelector<HTMLElement>('[data-unreadable]')
  unreadable?.focus()
  return unreadable !== null
}

/**
 * Returns a function that is called before the form is submitted: if the form is refused, its first error is scrolled
 * into view, since it may be far above the submit button. The alert with the errors of fields that are not rendered,
 * the number of which is `hidden`, appears one render after these errors.
 */
function useScrollToError(
  element: RefObject<HTMLFormElement | null>,
  { problem, pending, fields: { errors } }: FormProps['form'],
  hidden: number,
): () => void {
  const submitted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with `hidden`, another alert has appeared
  useEffect(() => {
    if (!submitted.current || pending || (!problem && Object.keys(errors).length === 0)) return
    const first =
      element.current?.querySelector('[aria-invalid="true"]') ?? element.current?.querySelector('[role="alert"]')
    if (!first) return
    submitted.current = false
    const target = first.closest('.mantine-InputWrapper-root') ?? first
    target.scrollIntoView({ block: 'nearest' })
  }, [element, problem, pending, errors, hidden])
  return () => {
    submitted.current = true
  }
}

/**
 * Returns the errors by field if none of them is shown in the form, as when their fields are not rendered; otherwise an
 * empty list. A refused form that shows no error would look as if it had not been submitted.
 */
function useHiddenErrors(
  form: RefObject<HTMLFormElement | null>,
  errors: FormErrors,
): (readonly [string, ReactNode])[] {
  const [areHidden, setAreHidden] = useState(false)
  useLayoutEffect(() => {
    const shown = form.current?.querySelector('[aria-invalid="true"], .mantine-InputWrapper-error')
    setAreHidden(Object.keys(errors).length > 0 && !shown)
  })
  return areHidden ? Object.entries(errors) : []
}

/** Shows the message of a failed write; renders nothing when `error` is undefined. */
export function ErrorAlert({ error }: { readonly error: unknown }) {
  if (!error) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      <ErrorMessage error={error} />
    </Alert>
  )
}

/** Whether the form around is being submitted. */
const FormPending = createContext(false)

/** A button that closes a form without saving; disabled while the form is being submitted. */
export function CancelButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation()
  const pending = useContext(FormPending)
  return (
    <Button variant="default" disabled={pending} onClick={onClick}>
      {t('common.cancel')}
    </Button>
  )
}
