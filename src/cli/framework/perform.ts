import type { InputOf, ResultOf } from '../../db/perform/app.ts'
import { Refusal } from '../../messages/refusal.ts'
import type { Daybook, operations } from '../../operations.ts'

type Table = typeof operations

/**
 * Who performs a write (a command, or a part of the service itself), and whether the write is a dry run, which is
 * validated but not stored.
 */
export interface CommandContext {
  /** The name of the command or part of the service, which the event log records as the actor. */
  readonly by: string
  readonly dryRun?: boolean
}

/**
 * Performs an operation for a command. Throws a `Refusal` when the operation refuses, and an error whose message is one
 * line when the operation fails.
 */
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
  // The message of a fault may contain a stack, which is for the log.
  const [reason = ''] = outcome.message.replace(/^\w*Error: /, '').split('\n', 1)
  throw new Error(outcome.fault === 'unavailable' ? `the database is unavailable (${reason})` : reason)
}
