import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import { type FormField, readAnswers } from '../../catalogue/services/booking-form.ts'
import type { Data } from '../../data.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { editReservation } from './edit.operations.ts'
import { lockReservation, requireFittingData } from './reservations.operations.ts'

/** The input of `answerForm`: the answers to the booking form of a reservation. */
export interface AnswerForm {
  /** The id of the reservation. */
  readonly id: string
  /** Answers by field key. The stored answer to a field that is absent here is deleted. */
  readonly answers: Data
}

/**
 * Replaces the answers to the booking form of a reservation. Required answers may be missing, because staff may not
 * know them. Other data of the reservation is unchanged.
 */
export const answerForm: Operation<AnswerForm, Record<string, never>> = async (tx, { id, answers }) => {
  const catalogue = await lockCatalogue(tx)
  const { serviceId } = await lockReservation(tx, id)
  const form = catalogue.service(serviceId)?.form ?? []
  const kept = requireAnswers(form, answers, { complete: false })
  const none = Object.fromEntries(form.map(({ key }) => [key, null]))
  await editReservation(tx, { id, data: { ...none, ...kept } })
  return {}
}

/**
 * Validates answers to the booking form of a service and returns them; refuses invalid answers with a message per
 * field, and answers that exceed the size limits. With `complete`, missing answers to required fields are refused as
 * well.
 */
export function requireAnswers(form: readonly FormField[], sent: Data, how: { readonly complete: boolean }): Data {
  const read = readAnswers(form, sent, how)
  if ('answers' in read) {
    requireFittingData(read.answers)
    return read.answers
  }
  const faults = Object.entries(read.invalid).map(([key, fault]) => [`answers.${key}`, fault])
  throw new Refusal({
    code: 'invalid_parameter',
    message: message('answers_invalid'),
    details: Object.fromEntries(faults),
  })
}
