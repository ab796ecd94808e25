import type { TokenRegister } from '../access/tokens/token.ts'
import { indexAllCustomers } from '../customers/search/search-index.job.ts'
import { startEventRelay } from '../jobs/event-relay.ts'
import type { JobHandler, Schedule } from '../jobs/job.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { JobRunner } from '../jobs/runner.ts'
import { MailTransport } from '../mail/smtp.ts'
import { ClockWatch } from '../maintenance/clock-watch.job.ts'
import { sweepAll } from '../maintenance/sweep.job.ts'
import { accountMailJob } from '../notifications/account/account-mail.job.ts'
import type { SendOptions } from '../notifications/outbox.job.ts'
import { notificationJobs } from '../notifications/send.job.ts'
import type { Daybook } from '../operations.ts'
import { expireAll } from '../reservations/holds/expiry.job.ts'
import { settleZones } from '../reservations/zone-changes/zone-changes.job.ts'
import { type WebhookJobs, webhookJobHandlers } from '../webhooks/delivery.job.ts'

const flushSeconds = 5
const sweepSeconds = 300
const expirySeconds = 60
const zoneSeconds = 86_400
// Seconds between two runs of the job that adds customers stored by earlier versions to the index of the customer search.
// New customers are indexed when they are added.
const wordsSeconds = 3_600

/** What the jobs depend on besides the service. */
export interface JobSources {
  readonly tokens: TokenRegister
  /** Compares this machine's clock with the database's; undefined with an injected clock. */
  readonly clockWatch: ClockWatch | undefined
  /** The client that sends webhooks, the source of the keys of their secrets, and the version of the service. */
  readonly webhooks: Omit<WebhookJobs, 'app'>
  /** Called with the number of upcoming reservations that a change of zone rules displaces. */
  readonly onDisplaced: (count: number) => void
  /** The encryption keys and the origin with which mail is sent. */
  readonly mail: Pick<SendOptions, 'findKey' | 'origin'>
}

/** The running jobs of this node. */
export interface RunningJobs extends Loop {
  /** Looks for due jobs at once; called after each commit. */
  wake(): void
}

/**
 * Starts the jobs of this node. Storing token uses and comparing clocks concern the node itself; sweeping expired rows,
 * handling changes of zone rules and indexing customers run once per site, from the queue.
 */
export async function startJobs(
  app: Daybook,
  { tokens, clockWatch, webhooks, mail, onDisplaced }: JobSources,
): Promise<RunningJobs> {
  const schedules: readonly Schedule[] = [
    { kind: 'customer-words', every: wordsSeconds, atStart: true, run: () => indexAllCustomers(app) },
    { kind: 'sweep', every: sweepSeconds, run: () => sweepAll(app) },
    { kind: 'reservation-expiry', every: expirySeconds, atStart: true, run: () => expireAll(app) },
    { kind: 'zones', every: zoneSeconds, atStart: true, run: async () => onDisplaced(await settleZones(app)) },
  ]
  const transport = new MailTransport()
  const handlers: readonly JobHandler[] = [
    ...webhookJobHandlers({ app, ...webhooks }),
    ...notificationJobs({ app, transport, ...mail }),
    accountMailJob({ app, transport, ...mail }),
  ]
  const runner = new JobRunner({ app, handlers, schedules, alone: app.db.dialect.name === 'sqlite' })
  await runner.prepare()
  runner.start()
  const loops = [startLoop(flushSeconds, { name: 'token use', run: async () => void (await tokens.flush()) }, app.log)]
  if (clockWatch) loops.push(startLoop(ClockWatch.seconds, { name: 'clock', run: () => clockWatch.turn() }, app.log))
  const relay = startEventRelay(app)
  return {
    wake() {
      runner.wake()
      relay.wake()
    },
    async stop() {
      await Promise.all([relay.stop(), runner.stop(), ...loops.map((loop) => loop.stop())])
      transport.close()
    },
  }
}
