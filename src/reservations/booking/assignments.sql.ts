import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'

const count = prepared<{ service: string; provider: number; now: number; turn: number }, never>((db, p) =>
  db
    .insertInto('assignment')
    .values({ service_id: p.service, provider_id: p.provider, count: 1, last_at: p.now, turn: p.turn })
    .onConflict((conflict) =>
      conflict.columns(['service_id', 'provider_id']).doUpdateSet((e) => ({
        count: e('assignment.count', '+', 1),
        last_at: p.now,
        turn: p.turn,
      })),
    ),
)

/**
 * Increments the number of times a provider was assigned to a service, and stores `now` and the sequence number `turn`
 * as those of the last assignment. The caller must hold the lock of the provider's time.
 */
export async function countAssignment(
  db: Database,
  given: { service: string; provider: number; now: number; turn: number },
): Promise<void> {
  await db.run(count, given)
}
