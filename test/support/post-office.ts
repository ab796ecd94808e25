import assert from 'node:assert/strict'
import { parseNetworks } from '../../src/http/outbound/address.ts'
import { OutboundClient } from '../../src/http/outbound/outbound-client.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { MailTransport } from '../../src/mail/smtp.ts'
import { accountMailJob } from '../../src/notifications/account/account-mail.job.ts'
import { agendaJob } from '../../src/notifications/agenda/agenda.job.ts'
import { notificationJobs } from '../../src/notifications/send.job.ts'
import { defaultSettings, type NotificationSettings } from '../../src/notifications/settings.ts'
import { smsJobs } from '../../src/notifications/sms/sms.job.ts'
import { ana, now as start } from './clinic.ts'
import { Mailbox } from './mailbox.ts'
import { done, Office } from './office.ts'

/** An office that sends its mail to a real SMTP server, at a time that the test sets. */
export class PostOffice {
  readonly office: Office
  readonly mailbox: Mailbox
  readonly transport = new MailTransport()
  readonly client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8') })
  /** The status with which the server refuses a recipient. */
  readonly refusedWith: Map<string, number>
  now = start

  private constructor(office: Office, mailbox: Mailbox, refusedWith: Map<string, number>) {
    this.office = office
    this.mailbox = mailbox
    this.refusedWith = refusedWith
  }

  static async open(): Promise<PostOffice> {
    const refusedWith = new Map<string, number>()
    const mailbox = await Mailbox.open((to) => refusedWith.get(to))
    const made = new PostOffice(await Office.open(), mailbox, refusedWith)
    await made.configure({})
    return made
  }

  async close(): Promise<void> {
    this.transport.close()
    await this.client.close()
    await this.mailbox.close()
    await this.office.close()
  }

  /** Begins another test: the first time again, and no messages. */
  reset(): void {
    this.now = start
    this.refusedWith.clear()
    this.mailbox.received.length = 0
  }

  async configure(change: Partial<NotificationSettings>): Promise<void> {
    const settings: NotificationSettings = {
      ...defaultSettings,
      enabled: true,
      smtp: { host: '127.0.0.1', port: this.mailbox.port, security: 'none', user: '' },
      from: { name: 'The clinic', address: 'desk@clinic.example' },
      ...change,
    }
    done(await this.office.perform('notifications.settings.edit', { settings }))
  }

  app() {
    const { office } = this
    const perform: typeof office.perform = (name, input, context) =>
      office.perform(name, input, { ...context, now: this.now })
    const log = () => {}
    return { perform, db: office.reads, now: () => this.now, log: { info: log, warn: log, error: log } }
  }

  /** Runs everything that is due at the current time of the test. */
  async run(): Promise<void> {
    const app = this.app()
    await relayEvents(app)
    const more = { findKey: async () => undefined, origin: () => 'https://book.clinic.example' }
    const options = { app, transport: this.transport, ...more }
    const handlers = [
      ...notificationJobs(options),
      accountMailJob(options),
      agendaJob(options),
      ...smsJobs({ ...options, client: this.client }),
    ]
    await new JobRunner({ app, handlers, schedules: [], alone: true }).runDue()
  }

  /** Books the nth slot of the next day for Jo through the API. */
  async book(service = 'plain', nth = 0) {
    const slot = (await this.office.slots(service, ana, this.office.nextDay()))[nth]
    assert.ok(slot)
    return this.office.book(slot)
  }

  /** The entries of the log of messages about a reservation to Jo, by mail unless a number is given. */
  logged(reservationId: string, recipient = 'jo@example.com') {
    const rows = this.office.connection.build.selectFrom('notification').selectAll()
    return rows.where('reservation_id', '=', reservationId).where('recipient', '=', recipient).execute()
  }
}
