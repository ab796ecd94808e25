import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { findCalendarsJob } from '../calendars/accounts/find-calendars.job.ts'
import { compareJob } from '../calendars/destinations/compare.job.ts'
import { writeEventJob } from '../calendars/destinations/write-event.job.ts'
import { calendarSyncJob } from '../calendars/sync/sync.job.ts'
import { clock, machineClock } from '../clock.ts'
import { releaseCompiledCode } from '../compiled-code.ts'
import type { Log } from '../db/perform/app.ts'
import { parseNetworks } from '../http/outbound/address.ts'
import { OutboundClient } from '../http/outbound/outbound-client.ts'
import { startEventRelay } from '../jobs/event-relay.ts'
import type { JobHandler } from '../jobs/job.ts'
import { JobRunner } from '../jobs/runner.ts'
import { openLog } from '../log.ts'
import { MailTransport } from '../mail/smtp.ts'
import { parseSmtpUrl } from '../mail/smtp-url.ts'
import { accountMailJob } from '../notifications/account/account-mail.job.ts'
import { agendaJob } from '../notifications/agenda/agenda.job.ts'
import { bookingsMailJob } from '../notifications/bookings/bookings-mail.job.ts'
import { notificationJobs } from '../notifications/send.job.ts'
import { smsJobs } from '../notifications/sms/sms.job.ts'
import type { Daybook, Operations } from '../operations.ts'
import { cardJobs } from '../payments/cards/cards.job.ts'
import { checkoutJobs } from '../payments/checkout/checkout.job.ts'
import { disputeJobs } from '../payments/disputes/disputes.job.ts'
import { reconciliationJobs } from '../payments/reconciliation/reconciliation.job.ts'
import { refundJobs } from '../payments/refunds/refunds.job.ts'
import { paymentCheckJob } from '../payments/settings/payment-check.job.ts'
import { processorOpener } from '../payments/stripe/open-stripe.job.ts'
import { webhookJobHandlers } from '../webhooks/delivery.job.ts'
import { open, openBeside } from './open.ts'
import type { OutboundData, ToOutbound } from './outbound-thread.ts'
import { keyReader } from './secret-key.ts'
import { loggingSecurity } from './security-log.ts'

// Each connection runs one query at a time. Four suffice, because the jobs mostly wait for other systems.
const postgresConnections = 4

if (parentPort) await serve(parentPort, workerData)

async function serve(port: MessagePort, data: OutboundData): Promise<void> {
  releaseCompiledCode()
  const log = openLog(data.logLevel)
  const storage = await openStorage(data, { log, onCommit: () => wake() })
  const app: Daybook = {
    ...storage,
    perform: loggingSecurity(storage.perform, log),
    now: clock(data.clock.startAt, data.clock.began),
    log,
  }
  let origin = ''
  const client = new OutboundClient({ allowed: parseNetworks(data.networks) })
  const transport = new MailTransport()
  const findKey = keyReader({ secretKey: data.secretKey, dataDir: 'dataDir' in data.at ? data.at.dataDir : undefined })
  const smtp = data.smtpUrl === undefined ? undefined : parseSmtpUrl(data.smtpUrl)
  const mail = { app, transport, findKey, smtp, origin: () => origin || 'http://localhost' }
  const payments = {
    app,
    origin: mail.origin,
    connect: processorOpener({ app, client, findKey, apiUrl: data.stripeUrl }),
  }
  const { version, grantUrls } = data
  const calendars = { app, client, findKey, version, grantUrls, origin: mail.origin }
  const handlers: readonly JobHandler[] = [
    ...webhookJobHandlers({ app, client, findKey, version: data.version }),
    ...notificationJobs(mail),
    accountMailJob(mail),
    agendaJob(mail),
    ...smsJobs({ ...mail, client }),
    bookingsMailJob(mail),
    ...checkoutJobs(payments),
    cardJobs(payments),
    ...refundJobs(payments),
    disputeJobs(payments),
    reconciliationJobs(payments),
    paymentCheckJob(payments),
    calendarSyncJob(calendars),
    findCalendarsJob(calendars),
    writeEventJob(calendars),
    compareJob(calendars),
  ]
  // `prepare` is not called for this runner. The runner of the main thread has already added the periodic jobs to the
  // queue, and `prepare` with `alone` would expire the leases of jobs that are running.
  const compared = 'databaseUrl' in data.at && data.clock.startAt === undefined ? machineClock : undefined
  const runner = new JobRunner({ app, handlers, schedules: [], alone: false, machineClock: compared })
  const relay = startEventRelay(app)
  runner.start()
  const wake = (): void => {
    runner.wake()
    relay.wake()
  }
  const stop = async (): Promise<void> => {
    await Promise.all([relay.stop(), runner.stop()])
    // A server that sends its last response slowly, or not at all, would let the thread run on.
    transport.close({ force: true })
    await client.close()
    await storage.close()
    port.close()
  }
  port.on('message', (message: ToOutbound) => {
    if (message === null) return void stop()
    origin = message.origin
    wake()
  })
}

type Storage = Pick<Daybook, 'perform' | 'db'> & { close(): Promise<void> }

async function openStorage(
  { at, writer, operations }: OutboundData,
  { log, onCommit }: { readonly log: Log; readonly onCommit: () => void },
): Promise<Storage> {
  if ('databaseUrl' in at) {
    const warn = (fault: string) => log.warn({ fault }, 'database')
    // With `thread: false` the storage does not follow the cache invalidations of other nodes, since this thread has no
    // caches.
    const more = { thread: false, migrates: false, poolSize: postgresConnections, warn, onCommit }
    return open<Operations>({ at, operations: new URL(operations), ...more })
  }
  if (!writer) throw new Error('There is no writer thread.')
  const { perform, ...storage } = openBeside<Operations>(at.dataDir, writer, { onClose: () => process.exit() })
  return {
    ...storage,
    perform: async (...call) => {
      const outcome = await perform(...call)
      onCommit()
      return outcome
    },
  }
}
