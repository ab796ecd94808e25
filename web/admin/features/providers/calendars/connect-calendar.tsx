import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { defaultBlocking } from '../../../../../src/calendars/calendar.ts'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm, type WriteForm } from '../../../components/fields/write-form.tsx'
import { refetch, useWrite } from '../../../data/queries.ts'
import { request } from '../../../data/request.ts'
import { translateMessage } from '../../../i18n/index.ts'
import { isTextMissing, OpeningFields, type OpeningValues, openingOf, openingValuesOf } from './opening-fields.tsx'
import type { ShownCalendar } from './shown-calendar.ts'

interface FormValues extends OpeningValues {
  readonly name: string
  readonly url: string
  readonly free: boolean
  readonly tentative: boolean
  readonly outOfOffice: boolean
}

interface ConnectProps {
  readonly providerId: number
  readonly close: () => void
}

const pollMilliseconds = 500

/**
 * The dialog that connects a calendar by its address. The form stays open until the service has read the calendar. If
 * that fails, the calendar is disconnected again, and the error is shown at the address.
 */
export function ConnectCalendar({ providerId, close }: ConnectProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /calendars/connect/', ['GET /calendars/'])
  const remove = useWrite('POST /calendars/remove/', ['GET /calendars/'])
  const form = useWriteForm<FormValues>({
    initialValues: { name: '', url: '', ...defaultBlocking, ...openingValuesOf(null) },
    validate: (entered) => missingFields(t, entered),
    write: async ({ name, url, opens, openText, ...blocking }) => {
      const opening = openingOf({ opens, openText })
      const { id } = await add.mutateAsync({ body: { providerId, name, url, blocking, opening } })
      const { fault, count } = await firstReading(providerId, id)
      if (fault !== null) {
        await remove.mutateAsync({ body: { id } })
        form.fields.setFieldError('url', translateMessage(fault))
        return
      }
      await refetch(['GET /calendars/'])
      toast(t('calendars.connected', { name, count }))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('calendars.connectTitle')} size="lg">
      <Form form={form} submitText={t('calendars.connect')} beside={<CancelButton onClick={close} />}>
        <Fields form={form} addressHint={t('calendars.addressHint')} />
      </Form>
    </Modal>
  )
}

/** Waits until the service has read a calendar for the first time or has failed to; polls every 500 milliseconds. */
async function firstReading(providerId: number, id: string): Promise<Pick<ShownCalendar, 'fault' | 'count'>> {
  for (;;) {
    const { items } = await request('GET /calendars/', { query: { providerId } })
    const found = items.find((calendar) => calendar.id === id)
    if (found?.state !== 'new') return found ?? { fault: null, count: 0 }
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
}

interface EditProps {
  readonly calendar: ShownCalendar
  readonly close: () => void
}

/** The dialog that changes a connected calendar; an empty address leaves the stored address unchanged. */
export function EditCalendar({ calendar, close }: EditProps) {
  const { t } = useTranslation()
  const { id, kind, name, host, blocking, opening } = calendar
  const edit = useWrite('POST /calendars/edit/', ['GET /calendars/'])
  const form = useWriteForm<FormValues>({
    initialValues: { name, url: '', ...blocking, ...openingValuesOf(opening) },
    validate: ({ url: _, ...entered }) => missingFields(t, entered),
    write: async ({ name: entered, url, opens, openText, ...chosen }) => {
      const rule = openingOf({ opens, openText })
      const isOther = rule?.by !== opening?.by || rule?.text !== opening?.text
      const isChanged = Object.entries(chosen).some(([key, value]) => blocking[key as keyof typeof blocking] !== value)
      const changed = { ...(isChanged && { blocking: chosen }), ...(isOther && { opening: rule }) }
      await edit.mutateAsync({ body: { id, name: entered, ...(url.trim() !== '' && { url }), ...changed } })
      toast(t('common.saved'))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('calendars.editTitle', { name })} size="lg">
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        {/* The form for a calendar of an account has no address field, since the account determines the address. */}
        <Fields form={form} {...(kind === 'ics' && { addressHint: t('calendars.addressKept', { host }) })} />
      </Form>
    </Modal>
  )
}

function missingFields(
  t: (key: 'calendars.nameMissing' | 'calendars.addressMissing' | 'calendars.openings.missing') => string,
  values: OpeningValues & Partial<FormValues>,
) {
  return {
    ...(values.name?.trim() === '' && { name: t('calendars.nameMissing') }),
    ...(values.url?.trim() === '' && { url: t('calendars.addressMissing') }),
    ...(isTextMissing(values) && { openText: t('calendars.openings.missing') }),
  }
}

interface FieldsProps {
  readonly form: WriteForm<FormValues>
  /** The hint below the address field; when absent, the form has no address field. */
  readonly addressHint?: string
}

function Fields({ form, addressHint }: FieldsProps) {
  const { t } = useTranslation()
  const { fields } = form
  return (
    <>
      <TextInput
        label={t('calendars.name')}
        description={t('calendars.nameHint')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('name')}
      />
      {addressHint !== undefined && (
        <TextInput
          label={t('calendars.address')}
          description={addressHint}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...fields.getInputProps('url')}
        />
      )}
      <Stack gap="xs" role="group" aria-label={t('calendars.blocking')}>
        <div>
          <Text size="sm" fw={600}>
            {t('calendars.blocking')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('calendars.blockingHint')}
          </Text>
        </div>
        {(['outOfOffice', 'tentative', 'free'] as const).map((one) => (
          <Checkbox
            key={one}
            label={t(`calendars.kinds.${one}`)}
            {...fields.getInputProps(one, { type: 'checkbox' })}
          />
        ))}
      </Stack>
      <OpeningFields form={form} />
    </>
  )
}
