import type { InputOf, ResultOf } from '../../db/perform/app.ts'
import { Refusal } from '../../messages/refusal.ts'
import type { Daybook, operations } from '../../operations.ts'

type Table = typeof operations

/** How a write is asked for by a command or by the service itself. */
export interface CommandContext {
  /** Which command or part of the service asks; the log of events names it. */
  readonly by: string
  readonly dryRun?: boolean
}

/** Has a write performed for a command; a refusal is thrown as such, a fault as an error with its message. */
export async function performCommand<Name extends keyof Table & string>(
  app: Pick<Daybook, 'perform' | 'now'>,
  name: Name,
  input: InputOf<Table, Name>,
  { by, dryRun = false }: CommandContext,
): Promise<ResultOf<Table, Name>> {
  const outcome = await app.perform(name, input, {
    now: app.now(),
    actor: { kind: 'command', id: by },
    requestId: null,
    dryRun,
    idempotency: null,
  })
  if ('ok' in outcome) return outcome.ok
  if ('refused' in outcome) throw new Refusal(outcome.refused)
  throw new Error(outcome.message)
}
