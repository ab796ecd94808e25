import { maxAppointmentMinutes } from '../../catalogue/services/service.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'

/** Refuses an end that is not after the start, or later than the maximum duration of an appointment allows. */
export function requireInterval(start: number, end: number): void {
  if (end > start && end - start <= maxAppointmentMinutes * 60) return
  throw new Refusal({
    code: 'invalid_parameter',
    message: message('appointment_end_invalid'),
    details: { end: message('end_out_of_range') },
  })
}
