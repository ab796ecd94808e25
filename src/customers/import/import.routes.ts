import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { customerImportRoutes } from '../../contract/panel/customer-import.ts'
import { newCustomer } from '../../contract/panel/customers.ts'
import type { Handlers } from '../../http/call.ts'
import { compileValidator } from '../../http/request/validate.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Details } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { withoutPlaceholder } from '../customer-email.ts'
import { checkImport } from './import.operations.ts'
import type { ImportRow } from './import-row.ts'

/** Route handlers that check, run and undo an import of customers, whose rows arrive in batches. */
export function customerImportHandlers({
  app,
}: Pick<PanelContext, 'app'>): Handlers<typeof customerImportRoutes, Operations> {
  return {
    'POST /customers/import/check/': async ({ body }) => {
      const read = body.rows.map(readRow)
      const verdicts = (await checkImport(app.db, sound(read))).values()
      return {
        verdicts: read.map(({ row, faults }) => ({
          ...(row ? next(verdicts) : { is: 'faulty' as const, id: null, names: [] }),
          faults,
        })),
      }
    },

    'POST /customers/import/': async ({ body: { rows, shared }, perform }) => {
      const read = rows.map(readRow)
      const outcomes = (await perform('customers.import', { rows: sound(read), shared })).outcomes.values()
      return {
        outcomes: read.map(({ row, faults }) => ({
          ...(row ? next(outcomes) : { is: 'faulty' as const, id: null }),
          faults,
        })),
      }
    },

    'POST /customers/import/undo/': ({ body, perform }) => perform('customers.import.undo', body),
  }
}

interface Read {
  /** The parsed row of the import; undefined when the row is invalid. */
  readonly row: ImportRow | undefined
  readonly faults: Details
}

const reader = compileValidator(newCustomer)

/**
 * Parses one row of an import and validates it like a customer who is added in the panel; a row needs an e-mail address
 * or a phone number.
 */
function readRow(sent: Sent): Read {
  const [name, email] = [sent.name.trim(), withoutPlaceholder(sent.email.trim())]
  const [phone, timezone, language] = [sent.phone.trim(), sent.timezone.trim(), sent.language.trim()]
  const row = { name, email, ...(phone && { phone }), ...(timezone && { timezone }), ...(language && { language }) }
  const faults = new Map<string, Message>()
  const fault = (path: string, wrong: Message): void => void faults.set(path, wrong)
  reader(row, '', { wrong: fault, missing: fault })
  if (email === '' && !/\d/.test(phone)) fault('email', message('contact_missing'))
  return { row: faults.size === 0 ? row : undefined, faults: Object.fromEntries(faults) }
}

type Sent = Readonly<Record<'name' | 'email' | 'phone' | 'timezone' | 'language', string>>

function sound(read: readonly Read[]): ImportRow[] {
  return read.flatMap(({ row }) => row ?? [])
}

function next<T>(values: IteratorObject<T>): T {
  const { value, done } = values.next()
  if (done) throw new Error('There is one answer for each row.')
  return value
}
