import { Button, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { DateTimeField } from '../../components/fields/date-field.tsx'
import { SearchableSelect } from '../../components/fields/searchable-select.tsx'
import { CancelButton, ErrorAlert, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useFormats, useZone } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { request } from '../../data/request.ts'
import { useHasRole, useUser } from '../../data/session.ts'
import { SimilarCustomers } from '../customers/similar-customers.tsx'
import { askAnnouncement } from '../notifications/announcement.ts'
import { AnswerFields, type Answers, answersOfForm } from '../reservations/answer-fields.tsx'
import { BrokenRules, isDoubleBooking, ReasonField, useMayOverrideRules } from '../reservations/broken-rules.tsx'
import { CustomerChoice } from '../reservations/customer-choice.tsx'
import { type FreeTimeChoice, FreeTimes, nearestOf, useFreeTimes } from '../reservations/free-times.tsx'

interface BookDialogProps {
  /** The service selected when the dialog opens; undefined when no service is selected. */
  readonly serviceId?: string | undefined
  readonly providerId: number | undefined
  /** The customer selected when the dialog opens; no customer is when absent. */
  readonly customer?: { readonly id: string; readonly name: string } | undefined
  /** The start selected when the dialog opens, in Unix seconds; undefined for the next available start. */
  readonly start: number | undefined
  readonly close: () => void
}

interface Values {
  readonly serviceId: string | null
  readonly providerId: string | null
  readonly start: string
  readonly customerId: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly answers: Answers
  readonly note: string
  readonly override: string
}

const shown = [
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
  'GET /reservations/',
  'GET /today/',
  'GET /customers/',
] as const

/** The dialog that books an appointment for an existing customer or for a new one. */
export function BookDialog({ serviceId: givenService, providerId, customer, start, close }: BookDialogProps) {
  const { t } = useTranslation()
  const { dateTime, time } = useFormats()
  const { providerId: own } = useUser()
  const serves = useHasRole(desk)
  const clock = clockOf(useZone())
  const [from, setFrom] = useState(() => (start === undefined ? 0 : clock.at(clock.dateOf(start), 0)))
  const [picked, setPicked] = useState<FreeTimeChoice>()
  const [pointed, setPointed] = useState(start)
  // The time that was pointed at or displayed, if another one had to be selected in its place.
  const [unavailableAt, setUnavailableAt] = useState<number>()
  // Until the user chooses a time, the form selects the next available time of the chosen service and provider, and
  // another one only when that is taken.
  const [takesNext, setTakesNext] = useState(start === undefined)
  const { data: choices } = useRead('GET /why/choices/', {})
  const add = useWrite('POST /customers/add/', ['GET /customers/'])
  const book = useWrite('POST /calendar/book/', shown)
  const [adding, setAdding] = useState(false)
  const [known, setKnown] = useState(customer)
  const form = useWriteForm<Values>({
    initialValues: {
      serviceId: givenService ?? null,
      providerId: providerId === undefined ? (own === null ? null : String(own)) : String(providerId),
      start: start === undefined ? '' : clock.text(start),
      customerId: customer?.id ?? '',
      name: '',
      email: '',
      phone: '',
      answers: {},
      note: '',
      override: '',
    },
    validate: (values) => ({
      ...(values.serviceId === null && { serviceId: t('calendar.serviceMissing') }),
      ...(found && values.start !== '' && !providerOf(values) && { providerId: t('calendar.nobodyFree') }),
      ...(clock.parse(values.start) === undefined && { start: t('calendar.timeMissing') }),
      ...(!adding && values.customerId === '' && { customerId: t('calendar.customerMissing') }),
      ...(adding && values.name.trim() === '' && { name: t('calendar.nameMissing') }),
      ...(mayOverride && values.override.trim() === '' && { override: t('calendar.reasonMissing') }),
    }),
    write: async (values) => {
      const at = clock.parse(values.start) ?? 0
      const withProvider = providerOf(values) ?? (await freeProvider(values.serviceId ?? '', at))
      if (withProvider === undefined) {
        form.fields.setFieldError('providerId', t('calendar.nobodyFree'))
        return false
      }
      const customerId = adding ? await addCustomer(values) : values.customerId
      const wanted = { serviceId: values.serviceId ?? '', providerId: withProvider, customerId, start: at }
      const notify = await askAnnouncement([{ ...wanted, ...(verdictNow && { end: verdictNow.end }) }])
      if (notify === undefined) return false
      await book.mutateAsync({
        body: {
          ...wanted,
          answers: answersOfForm(formFields, values.answers),
          ...(values.note.trim() !== '' && { note: values.note }),
          ...(mayOverride && { override: { reason: values.override, ...(doubles && { doubleBook: true }) } }),
          ...(!notify && { notify }),
        },
      })
      toast(
        t('calendar.booked', {
          time: dateTime(at),
          service: choices?.services.find(({ id }) => id === wanted.serviceId)?.name ?? '',
          provider: choices?.providers.find(({ id }) => id === withProvider)?.name ?? '',
        }),
      )
      close()
      return true
    },
  })
  // Returns the chosen provider. If none is chosen, returns the provider that the server would choose for a booking at
  // the entered start, or undefined when no loaded available time, nor the last picked one (`picked`), has that start.
  function providerOf({ providerId: named, start: text }: Values): number | undefined {
    if (named !== null) return Number(named)
    const time = clock.parse(text)
    return [...(found?.times ?? []), picked].find((one) => one?.start === time)?.providerIds[0]
  }
  const addCustomer = async ({ name, email, phone }: Values): Promise<string> => {
    const { id } = await add.mutateAsync({ body: { name, email, phone } })
    // The service has stored the new customer at this point, even if the booking fails, so the form selects that
    // customer.
    form.fields.setFieldValue('customerId', id)
    setKnown({ id, name })
    setAdding(false)
    return id
  }
  const addNamed = (typed: string): void => {
    const field = typed.includes('@') ? 'email' : /^[+\d\s()/.-]+$/.test(typed) ? 'phone' : 'name'
    form.fields.setFieldValue(field, typed)
    setAdding(true)
  }
  const { values, getInputProps } = form.fields
  const at = clock.parse(values.start)
  const chosenService = values.serviceId ?? ''
  const chosenProvider = values.providerId === null ? undefined : Number(values.providerId)
  const near = useFreeTimes({ serviceId: chosenService, providerId: chosenProvider, from })
  const select = (time: FreeTimeChoice): void => {
    setPicked(time)
    setPointed(undefined)
    form.fields.setFieldValue('start', clock.text(time.start))
    form.fields.clearFieldError('start')
  }
  const choose = (time: FreeTimeChoice): void => {
    setTakesNext(false)
    setUnavailableAt(undefined)
    select(time)
  }
  // When the dialog was opened for a time in the calendar (`pointed`), the nearest available time on the same date is
  // selected.
  const found = near.isPlaceholderData ? undefined : near.data
  useEffect(() => {
    // The booking itself takes the displayed time.
    if (!found || book.isPending || book.data) return
    if (takesNext && !found.times.some(({ start: free }) => free === at)) {
      const nearest = at === undefined ? undefined : nearestOf(found.times, at, clock.dateOf)
      const next = nearest ?? found.times[0]
      if (next) {
        setUnavailableAt(at)
        select(next)
      }
    }
    if (pointed === undefined) return
    const nearest = nearestOf(found.times, pointed, clock.dateOf)
    if (!nearest) return
    setUnavailableAt(nearest.start === pointed ? undefined : pointed)
    select(nearest)
  })
  const { data: bookingForm } = useRead(
    'GET /services/form/',
    { id: values.serviceId ?? '' },
    { enabled: values.serviceId !== null },
  )
  const formFields = values.serviceId === null ? [] : (bookingForm?.fields ?? [])
  const withProvider = providerOf(values)
  const asks = values.serviceId !== null && withProvider !== undefined && at !== undefined
  const verdict = useRead(
    'GET /calendar/verdict/',
    {
      serviceId: values.serviceId ?? '',
      providerId: withProvider ?? 0,
      start: at ?? 0,
      ...(values.customerId && !adding && { customerId: values.customerId }),
    },
    { enabled: asks },
  )
  const verdictNow = asks && !verdict.isPlaceholderData ? verdict.data : undefined
  const mayOverride = useMayOverrideRules(verdictNow?.broken ?? [])
  const doubles = isDoubleBooking(verdictNow?.broken ?? [])
  const isSameDate = unavailableAt && at && clock.dateOf(unavailableAt) === clock.dateOf(at)
  const named = isSameDate ? time : dateTime
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('calendar.bookTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form
        form={form}
        submitText={t(!mayOverride ? 'calendar.bookNow' : doubles ? 'calendar.doubleBook' : 'calendar.bookAnyway')}
        beside={<CancelButton onClick={close} />}
      >
        <SearchableSelect
          label={t('reservations.service')}
          data={(choices?.services ?? [])
            .filter(({ active }) => active || serves)
            .map(({ id, name, active }) => ({ value: id, label: active ? name : t('why.inactive', { name }) }))}
          data-autofocus
          {...getInputProps('serviceId')}
          onChange={(serviceId) => {
            form.fields.setFieldValue('serviceId', serviceId)
            form.fields.clearFieldError('serviceId')
            if (takesNext) form.fields.setFieldValue('start', '')
            setPicked(undefined)
            setUnavailableAt(undefined)
            const eligible = choices?.providers.find(({ id }) => id === chosenProvider)?.serviceIds
            if (serviceId !== null && own === null && eligible && !eligible.includes(serviceId))
              form.fields.setFieldValue('providerId', null)
          }}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <SearchableSelect
            label={t('reservations.provider')}
            placeholder={t('calendar.anyone')}
            data={(choices?.providers ?? [])
              .filter(({ serviceIds }) => values.serviceId === null || serviceIds.includes(values.serviceId))
              .map(({ id, name }) => ({ value: String(id), label: name }))}
            clearable={own === null}
            clearButtonProps={{ 'aria-label': t('calendar.anyone') }}
            {...getInputProps('providerId')}
            onChange={(id) => {
              form.fields.setFieldValue('providerId', id)
              form.fields.clearFieldError('providerId')
              setUnavailableAt(undefined)
              if (takesNext) form.fields.setFieldValue('start', '')
            }}
          />
          <DateTimeField
            label={`${t('calendar.start')} (${clock.zone})`}
            {...getInputProps('start')}
            onChange={(typed) => {
              setTakesNext(false)
              setPointed(undefined)
              setUnavailableAt(undefined)
              form.fields.setFieldValue('start', typed)
              const time = clock.parse(typed)
              if (time !== undefined) setFrom(clock.at(clock.dateOf(time), 0))
            }}
          />
        </SimpleGrid>
        <Text size="sm" role="status" hidden={unavailableAt === undefined}>
          {unavailableAt !== undefined &&
            at !== undefined &&
            t('calendar.nearestInstead', { time: named(unavailableAt), nearest: named(at) })}
        </Text>
        {chosenService !== '' && (
          <FreeTimes
            key={`${chosenService} ${chosenProvider} ${from}`}
            serviceId={chosenService}
            providerId={chosenProvider}
            from={from}
            value={at}
            onChoose={choose}
          />
        )}
        {adding ? (
          <>
            <TextInput
              label={t('customers.name')}
              autoComplete="off"
              autoFocus={values.name === ''}
              {...getInputProps('name')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label={t('customers.phone')}
                description={t('customers.contactHelp')}
                type="tel"
                autoComplete="off"
                autoFocus={values.name !== '' && values.phone === ''}
                {...getInputProps('phone')}
              />
              <TextInput label={t('customers.email')} type="email" autoComplete="off" {...getInputProps('email')} />
            </SimpleGrid>
            <SimilarCustomers
              query={values}
              open={(id, name) => {
                setKnown({ id, name })
                form.fields.setFieldValue('customerId', id)
                setAdding(false)
              }}
            />
            <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setAdding(false)}>
              {t('calendar.knownCustomer')}
            </Button>
          </>
        ) : (
          <>
            <CustomerChoice
              {...(known && { known })}
              value={values.customerId}
              onChange={(id, name) => {
                setKnown({ id, name })
                form.fields.setFieldValue('customerId', id)
              }}
              error={form.fields.errors.customerId}
              {...(serves && { onNew: addNamed })}
            />
            {serves && (
              <Button
                variant="subtle"
                size="compact-sm"
                w="fit-content"
                leftSection={<IconUserPlus size={14} />}
                onClick={() => setAdding(true)}
              >
                {t('calendar.newCustomer')}
              </Button>
            )}
          </>
        )}
        {verdictNow?.noShows && (
          <WarningAlert title={t('calendar.missed', verdictNow.noShows)}>
            <Text size="sm">{t('calendar.missedText', { count: verdictNow.noShows.months })}</Text>
          </WarningAlert>
        )}
        <AnswerFields
          form={formFields}
          answers={values.answers}
          onChange={(answers) => form.fields.setFieldValue('answers', answers)}
          errors={form.fields.errors}
        />
        <Textarea
          label={t('note.title')}
          description={t('note.internal')}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={2_000}
          {...form.fields.getInputProps('note')}
        />
        {verdict.error && asks ? (
          <ErrorAlert error={verdict.error} />
        ) : (
          verdictNow && (
            <BrokenRules
              broken={verdictNow.broken}
              fits={t('calendar.fitsUntil', {
                time: verdictNow.end === undefined ? '' : clock.text(verdictNow.end).slice(11),
              })}
            />
          )
        )}
        {mayOverride && (
          <ReasonField
            doubles={doubles}
            value={values.override}
            onChange={(reason) => form.fields.setFieldValue('override', reason)}
            error={typeof form.fields.errors.override === 'string' ? form.fields.errors.override : undefined}
          />
        )}
        {verdictNow && verdictNow.broken.length > 0 && !mayOverride && (
          <Text size="sm" c="dimmed">
            {t('calendar.noRoom')}
          </Text>
        )}
      </Form>
    </Modal>
  )
}

/**
 * Returns the provider that the server would choose for a booking at a start (Unix seconds); undefined when no provider
 * is free. Used when the form is submitted before the free times have loaded.
 */
async function freeProvider(serviceId: string, start: number): Promise<number | undefined> {
  const { times } = await request('GET /calendar/free/', { query: { serviceId, from: start } })
  return times.find((one) => one.start === start)?.providerIds[0]
}
