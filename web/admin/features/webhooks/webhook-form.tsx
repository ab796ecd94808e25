import { Button, Code, Group, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindOf } from '../../../../src/history/event.ts'
import { webhookEventTypes } from '../../../../src/webhooks/event-types.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { CancelButton, ErrorAlert, Form, useWriteForm, type WriteForm } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'
import { Secret } from '../access/components/secret.tsx'
import type { Webhook } from './webhook-state.tsx'

interface FormValues {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  /** Additional HTTP headers, one `name: value` per line. */
  readonly headers: string
  readonly template: string
}

const kinds = [...new Set(webhookEventTypes.map((type) => `${kindOf(type)}.*`))]
const choices = ['*', ...kinds, ...webhookEventTypes]

/** The dialog that adds a webhook, then shows its signing secret, which cannot be shown again. */
export function AddWebhook({ close }: { readonly close: () => void }) {
  const { t } = useTranslation()
  const add = useWrite('POST /webhooks/add/', ['GET /webhooks/'])
  const [secret, setSecret] = useState<string>()
  const form = useWriteForm<FormValues>({
    initialValues: { url: '', description: '', events: ['reservation.*'], headers: '', template: '' },
    validate: ({ events }) => (events.length > 0 ? {} : { events: t('webhooks.eventsMissing') }),
    write: async ({ headers, template, events, ...rest }) => {
      const body = { ...rest, events: [...events], headers: parseHeaders(headers), template: template || null }
      setSecret((await add.mutateAsync({ body })).secret)
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t(secret ? 'webhooks.secretTitle' : 'webhooks.addTitle')}
      showsOnce={secret !== undefined}
    >
      {secret ? (
        <Stack>
          <Secret label={t('webhooks.secret')} text={t('webhooks.secretText')}>
            {secret}
          </Secret>
          <Button onClick={close}>{t('common.close')}</Button>
        </Stack>
      ) : (
        <Form form={form} submitText={t('webhooks.add')} beside={<CancelButton onClick={close} />}>
          <Fields form={form} />
        </Form>
      )}
    </Modal>
  )
}

interface EditProps {
  readonly webhook: Webhook
  readonly close: () => void
  readonly saved: () => void
}

/**
 * The form that changes a webhook. The values of stored headers are not shown, so an empty headers field leaves the
 * stored headers unchanged.
 */
export function EditWebhook({ webhook, close, saved }: EditProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /webhooks/edit/', ['GET /webhooks/'])
  const { id, url, description, events, template, headerNames } = webhook
  const form = useWriteForm<FormValues>({
    initialValues: { url, description, events, headers: '', template: template ?? '' },
    validate: ({ events: chosen }) => (chosen.length > 0 ? {} : { events: t('webhooks.eventsMissing') }),
    write: async ({ headers, ...entered }) => {
      const changed = form.changedOf({
        ...entered,
        events: [...entered.events],
        template: entered.template || null,
      })
      const sent = headers.trim() === '' ? changed : { ...changed, headers: parseHeaders(headers) }
      await edit.mutateAsync({ body: { id, ...sent } })
      saved()
    },
  })
  return (
    <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
      <Fields form={form} headerNames={headerNames} />
    </Form>
  )
}

interface FieldsProps {
  readonly form: WriteForm<FormValues>
  readonly headerNames?: readonly string[]
}

function Fields({ form: { fields }, headerNames = [] }: FieldsProps) {
  const { t } = useTranslation()
  const kept = headerNames.length > 0 ? ` ${t('webhooks.headersKept', { names: headerNames.join(', ') })}` : ''
  return (
    <>
      <TextInput
        label={t('webhooks.address')}
        description={t('webhooks.addressHint')}
        type="url"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('url')}
      />
      <TextInput
        label={t('webhooks.description')}
        description={t('webhooks.descriptionHint')}
        maxLength={200}
        autoComplete="off"
        {...fields.getInputProps('description')}
      />
      <TagsInput
        label={t('webhooks.events')}
        description={t('webhooks.eventsHint')}
        data={choices}
        {...fields.getInputProps('events')}
      />
      <Textarea
        label={t('webhooks.headers')}
        description={`${t('webhooks.headersHint')}${kept}`}
        autosize
        minRows={2}
        maxRows={8}
        {...fields.getInputProps('headers')}
      />
      <Textarea
        label={t('webhooks.template')}
        description={t('webhooks.templateHint')}
        autosize
        minRows={2}
        maxRows={16}
        {...fields.getInputProps('template')}
      />
      <Preview template={fields.values.template} events={fields.values.events} />
    </>
  )
}

/**
 * Previews the body template when the user presses a button. The example event has the first type in
 * `webhookEventTypes` to which the webhook subscribes, or `reservation.created` if there is none. Renders nothing
 * without a template.
 */
function Preview({ template, events }: Pick<FormValues, 'template' | 'events'>) {
  const { t } = useTranslation()
  const preview = useWrite('POST /webhooks/preview/')
  if (template === '') return null
  const type = webhookEventTypes.find((one) => events.some((event) => matches(event, one))) ?? 'reservation.created'
  return (
    <Stack gap="xs">
      <Group>
        <Button
          variant="default"
          size="xs"
          loading={preview.isPending}
          onClick={() => preview.mutate({ body: { template, type } })}
        >
          {t('webhooks.preview')}
        </Button>
      </Group>
      <ErrorAlert error={preview.error} />
      {preview.data && (
        <div>
          <Text size="xs" c="dimmed">
            {t('webhooks.previewTitle', { type })}
          </Text>
          <Code block className="breakable" tabIndex={0} role="region" aria-label={t('webhooks.preview')}>
            {preview.data.body}
          </Code>
        </div>
      )}
    </Stack>
  )
}

function matches(event: string, type: string): boolean {
  return event === '*' || event === type || (event.endsWith('.*') && type.startsWith(event.slice(0, -1)))
}

function parseHeaders(text: string): { name: string; value: string }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(':')
      return { name: name.trim(), value: rest.join(':').trim() }
    })
}
