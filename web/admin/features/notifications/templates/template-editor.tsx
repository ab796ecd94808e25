import { Badge, Button, Grid, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isNotificationKind } from '../../../../../src/notifications/notification.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../../components/dialogs/unsaved-guard.tsx'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { failureOf } from '../../../data/refusal.ts'
import { PlaceholderButtons, usePlaceholders } from './placeholder-buttons.tsx'
import type { CompletionResult } from './placeholder-completion.ts'
import { useCompletion } from './placeholder-list.tsx'
import { TemplatePreview } from './template-preview.tsx'
import type { ShownTemplate, TemplateSelection } from './template-selection.ts'
import { TemplateVersions } from './template-versions.tsx'

const changes = ['GET /notifications/templates/', 'GET /notifications/template/'] as const
const previewDelay = 400

interface TemplateEditorProps {
  readonly selection: TemplateSelection
  readonly template: ShownTemplate
}

/** The editor of one message template, with placeholders, a preview, and earlier versions. */
export function TemplateEditor({ selection, template }: TemplateEditorProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /notifications/template/edit/', changes)
  const { subject, body } = template
  const isMail = selection.channel !== 'sms'
  const form = useWriteForm({
    initialValues: { subject, body },
    stored: { subject, body },
    validate: (values) => ({
      ...(isMail && values.subject.trim() === '' && { subject: t('notifications.subjectMissing') }),
      ...(values.body.trim() === '' && { body: t('notifications.bodyMissing') }),
    }),
    write: async (values) => {
      await edit.mutateAsync({ body: { ...selection, ...values } })
      form.fields.resetDirty()
      toast(t('common.saved'))
    },
  })
  const { fields } = form
  const [reservationId, setReservationId] = useState<string | null>(null)
  const preview = usePreview(selection, fields.values, reservationId)
  const insertion = useInsertion((field, value) => fields.setFieldValue(field, value))
  const placeholders = usePlaceholders(template.placeholders)
  const completions = {
    subject: useCompletion(placeholders, (done) => insertion.replace('subject', done)),
    body: useCompletion(placeholders, (done) => insertion.replace('body', done)),
  }
  const props = (field: 'subject' | 'body') => {
    const given = fields.getInputProps(field)
    return {
      ...given,
      ...completions[field].field,
      error: given.error ?? (completions[field].isTyping ? undefined : preview.faults[field]),
      onFocus: () => insertion.focused(field),
      onBlur: () => {
        given.onBlur?.()
        completions[field].field.onBlur()
      },
    }
  }
  return (
    <Grid gap="md">
      <UnsavedGuard when={fields.isDirty()} />
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <Section title={t(`notifications.kinds.${selection.kind}`)} actions={<Origin {...{ selection, template }} />}>
            <Form form={form} submitText={t('common.save')} beside={<Reset selection={selection} />}>
              <PlaceholderButtons placeholders={placeholders} insert={insertion.insert} />
              {isMail && (
                <div>
                  <TextInput
                    label={t('notifications.subject')}
                    maxLength={500}
                    ref={insertion.refs.subject}
                    {...props('subject')}
                  />
                  {completions.subject.list}
                </div>
              )}
              <div>
                <Textarea
                  label={t('notifications.body')}
                  {...(isMail && {
                    description: `${t('notifications.bodyHelp')} ${t('notifications.completionHelp', { braces: '{{' })}`,
                  })}
                  autosize
                  minRows={6}
                  maxRows={20}
                  maxLength={10_000}
                  ref={insertion.refs.body}
                  {...props('body')}
                />
                {completions.body.list}
              </div>
            </Form>
          </Section>
          <TemplateVersions
            versions={template.versions}
            use={(version) => {
              fields.setValues({ subject: version.subject, body: version.body })
              toast(t('notifications.restored'))
            }}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <TemplatePreview
          message={preview.message}
          isMail={isMail}
          wrong={Object.keys(preview.faults).length > 0}
          {...(isNotificationKind(selection.kind) && {
            reservation: { id: reservationId, choose: setReservationId },
          })}
        />
      </Grid.Col>
    </Grid>
  )
}

type Texts = Pick<ShownTemplate, 'subject' | 'body'>

/**
 * Composes the preview after a pause in typing. While the text has errors, the returned message is the last valid
 * one.
 */
function usePreview(selection: TemplateSelection, values: Texts, reservationId: string | null) {
  const compose = useWrite('POST /notifications/preview/')
  const [message, setMessage] = useState<typeof compose.data>()
  const [{ subject, body }] = useDebouncedValue(values, previewDelay)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mutation is a new object with each render
  useEffect(() => {
    const chosen = reservationId === null ? {} : { reservationId }
    compose.mutate({ body: { ...selection, subject, body, ...chosen } }, { onSuccess: setMessage })
  }, [subject, body, reservationId])
  const faults: Readonly<Record<string, string>> = compose.error ? failureOf(compose.error).fields : {}
  return { message, faults }
}

type Field = 'subject' | 'body'

/** Inserts text at the cursor of the field that had the focus last. */
function useInsertion(change: (field: Field, value: string) => void) {
  const refs = { subject: useRef<HTMLInputElement>(null), body: useRef<HTMLTextAreaElement>(null) }
  const last = useRef<Field>('body')
  const [cursor, setCursor] = useState<{ readonly field: Field; readonly at: number }>()
  // The cursor is set in an effect, since the field has its new value only after it was rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the refs are stable
  useEffect(() => {
    if (!cursor) return
    refs[cursor.field].current?.focus()
    refs[cursor.field].current?.setSelectionRange(cursor.at, cursor.at)
  }, [cursor])
  return {
    refs,
    focused: (field: Field) => {
      last.current = field
    },
    /** Replaces the text of a field and sets its cursor. */
    replace: (field: Field, { text, cursor: at }: CompletionResult) => {
      change(field, text)
      setCursor({ field, at })
    },
    insert: (text: string) => {
      const field = last.current
      const element = refs[field].current
      if (!element) return
      const { value } = element
      const [start, end] = [element.selectionStart ?? value.length, element.selectionEnd ?? value.length]
      change(field, value.slice(0, start) + text + value.slice(end))
      setCursor({ field, at: start + text.length })
    },
  }
}

function Origin({ selection, template }: TemplateEditorProps) {
  const { t } = useTranslation()
  if (useIsOwn(selection)) return <Badge color="teal">{t('notifications.own')}</Badge>
  return <Badge color="gray">{t(template.isDefault ? 'notifications.isDefault' : 'notifications.ofAll')}</Badge>
}

function useIsOwn({ kind, locale, serviceId = '', channel: chosen }: TemplateSelection): boolean {
  const channel = chosen ?? 'email'
  const { data } = useRead('GET /notifications/templates/', { per_page: 500 })
  return (
    data?.items.some(
      (one) => one.kind === kind && one.locale === locale && one.serviceId === serviceId && one.channel === channel,
    ) ?? false
  )
}

function Reset({ selection }: { readonly selection: TemplateSelection }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const reset = useWrite('POST /notifications/template/edit/', changes)
  const ofService = selection.serviceId !== undefined
  if (!useIsOwn(selection)) return null
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t(ofService ? 'notifications.resetService' : 'notifications.reset')}
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={t('notifications.resetTitle')}
        text={t(ofService ? 'notifications.resetServiceText' : 'notifications.resetText')}
        action={t(ofService ? 'notifications.resetService' : 'notifications.reset')}
        confirm={async () => {
          await reset.mutateAsync({ body: { ...selection, subject: '', body: '' } })
          toast(t('notifications.wasReset'))
        }}
      />
    </Group>
  )
}
