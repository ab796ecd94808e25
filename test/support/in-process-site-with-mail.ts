import assert from 'node:assert/strict'
import { parseNetworks } from '../../src/http/outbound/address.ts'
import { OutboundClient } from '../../src/http/outbound/outbound-client.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { MailTransport } from '../../src/mail/smtp.ts'
import { accountMailJob } from '../../src/notifications/account/account-mail.job.ts'
import { agendaJob } from '../../src/notifications/agenda/agenda.job.ts'
import { bookingsMailJob } from '../../src/notifications/bookings/bookings-mail.job.ts'
import { notificationJobs } from '../../src/notifications/send.job.ts'
import { defaultSettings, type NotificationSettings } from '../../src/notifications/settings.ts'
import { smsJobs } from '../../src/notifications/sms/sms.job.ts'
import { ana, now as start } from './clinic.ts'
import { InProcessSite, resultOf } from './in-process-site.ts'
import { MailServer } from './mail-server.ts'

/** An `InProcessSite` that sends its mail to a local SMTP server, and whose clock the test sets. */
export class InProcessSiteWithMail {
  readonly site: InProcessSite
  readonly mailServer: MailServer
  readonly transport = new MailTransport()
  readonly client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8') })
  /** The SMTP status with which the server refuses each recipient, by address. */
  readonly refusedWith: Map<string, number>
  /** Called while a mail is being sent, before the server answers about its recipient. */
  whileSending: (to: string) => Promise<void> = async () => {}
  now = start

  private constructor(site: InProcessSite, mailServer: MailServer, refusedWith: Map<string, number>) {
    this.site = site
    this.mailServer = mailServer
    this.refusedWith = refusedWith
  }

  static async open(): Promise<InProcessSiteWithMail> {
    const refusedWith = new Map<string, number>()
    const mailServer = await MailServer.open(async (to) => {
      await made.whileSending(to)
      return refusedWith.get(to)
    })
    const made = new InProcessSiteWithMail(await InProcessSite.open(), mailServer, refusedWith)
    await made.configure({})
    return made
  }

  async close(): Promise<void> {
    this.transport.close()
    await this.client.close()
    await this.mailServer.close()
    await this.site.close()
  }

  /**
   * Prepares for the next test: sets the clock to its start, accepts all recipients and removes the messages that the
   * SMTP server has stored.
   */
  reset(): void {
    this.now = start
    this.refusedWith.clear()
    this.whileSending = async () => {}
    this.mailServer.received.length = 0
  }

  async configure(change: Partial<NotificationSettings>): Promise<void> {
    const settings: NotificationSettings = {
      ...defaultSettings,
      enabled: true,
      smtp: { host: '127.0.0.1', port: this.mailServer.port, security: 'none', user: '' },
      from: { name: 'The clinic', address: 'desk@clinic.example' },
      ...change,
    }
    resultOf(await this.site.perform('notifications.settings.edit', { settings }))
  }

  app() {
    const { site } = this
    const perform: typeof site.perform = (name, input, context) =>
      site.perform(name, input, { ...context, now: this.now })
    const log = () => {}
    return { perform, db: site.reads, now: () => this.now, log: { info: log, warn: log, error: log } }
  }

  /**
   * Passes new events to the parts of the product that follow the event log, such as notifications, and then runs all
   * notification jobs that are due by the test's clock.
   */
  async runDueJobs(): Promise<void> {
    const app = this.app()
    await relayEvents(app)
    const more = { findKey: async () => undefined, origin: () => 'https://book.clinic.example' }
    const options = { app, transport: this.transport, ...more }
    const handlers = [
      ...notificationJobs(options),
      accountMailJob(options),
      agendaJob(options),
      bookingsMailJob(options),
      ...smsJobs({ ...options, client: this.client }),
    ]
    await new JobRunner({ app, handlers, schedules: [], alone: true }).runDue()
  }

  /** Books, for the customer Jo with the provider Ana, slot number `nth` (from 0) of the next unused date. */
  async book(service = 'plain', nth = 0) {
    const slot = (await this.site.slots(service, ana, this.site.nextDay()))[nth]
    assert.ok(slot)
    return this.site.book(slot)
  }

  /** Returns the log entries of messages about a reservation to a recipient, by default Jo's e-mail address. */
  messageLog(reservationId: string, recipient = 'jo@example.com') {
    const rows = this.site.connection.build.selectFrom('notification').selectAll()
    return rows.where('reservation_id', '=', reservationId).where('recipient', '=', recipient).execute()
  }
}
