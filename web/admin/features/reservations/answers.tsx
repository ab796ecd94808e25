import { Button } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import type { FormField } from '../../../../src/catalogue/services/booking-form.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { AnswerFields, type Answers, answersOfForm } from './answer-fields.tsx'

type Reservation = Item<'GET /reservations/one/'>

/**
 * Returns the entries of a reservation's data with labels: first the answers to the present booking form, then all
 * other values, such as those of integrations, which are labelled with their keys.
 */
export function labelledData(form: readonly FormField[], data: Answers) {
  const answered = form.filter(({ key }) => data[key] !== undefined)
  const others = Object.keys(data).filter((key) => !answered.some((field) => field.key === key))
  return [
    ...answered.map(({ key, label }) => ({ key, label, value: data[key] })),
    ...others.map((key) => ({ key, label: key, value: data[key] })),
  ]
}

/** Formats an answer or another value of a reservation's data as text. */
export function answerText(value: unknown, t: TFunction): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

/**
 * A button that edits the answers to a reservation's booking form; renders nothing if the user's role may not edit them
 * or if the form has no fields.
 */
export function EditAnswers({ reservation }: { readonly reservation: Reservation }) {
  const { t } = useTranslation()
  const may = useHasRole(desk)
  const [open, setOpen] = useState(false)
  if (!may || reservation.form.length === 0) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconEdit size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('reservations.editAnswers')}
      </Button>
      {open && <AnswersDialog reservation={reservation} close={() => setOpen(false)} />}
    </>
  )
}

interface AnswersDialogProps {
  readonly reservation: Reservation
  readonly close: () => void
}

function AnswersDialog({ reservation: { id, form, data }, close }: AnswersDialogProps) {
  const { t } = useTranslation()
  const write = useWrite('POST /reservations/answer/', ['GET /reservations/one/'])
  const before = answersOfForm(form, data)
  const own = useWriteForm<{ readonly answers: Answers }>({
    initialValues: { answers: before },
    write: async ({ answers }) => {
      await write.mutateAsync({ body: { id, answers } })
      toast(t('common.saved'), () => write.mutateAsync({ body: { id, answers: before } }))
      close()
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t('reservations.editAnswers')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={own} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        <AnswerFields
          form={form}
          answers={own.fields.values.answers}
          onChange={(answers) => own.fields.setFieldValue('answers', answers)}
          errors={own.fields.errors}
        />
      </Form>
    </Modal>
  )
}
