import type {
  KnownDeviceTable,
  PasskeyTable,
  RecoveryCodeTable,
  SecurityEventTable,
  SessionTable,
  SetUpLinkTable,
  SpentTable,
  TotpTable,
  UserLinkTable,
  UserTable,
} from './access-tables.ts'
import type {
  BookingLinkTable,
  BookingPageTable,
  BookingStepCountTable,
  BookingsAccessTable,
  DeletionRequestTable,
  HoldTable,
  HostSecretTable,
  RatingTable,
  ServicePageTable,
  ServiceSlugTable,
} from './booking-tables.ts'
import type {
  CalendarAccountTable,
  CalendarAppTable,
  CalendarDestinationTable,
  CalendarEventTable,
  CalendarFeedTable,
  CalendarGrantTable,
  CalendarItemTable,
  CalendarOpeningTable,
  CalendarWatchTable,
  ConnectedCalendarTable,
} from './calendar-tables.ts'
import type { KeptConflictTable } from './conflict-tables.ts'
import type { CustomerNoteTable, CustomerTable, CustomerWordTable } from './customer-tables.ts'
import type {
  EventConsumerTable,
  JobTable,
  NodeTable,
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
} from './job-tables.ts'
import type {
  MailSuppressionTable,
  NotificationSettingsTable,
  NotificationTable,
  NotificationTemplateTable,
  ProviderAgendaTable,
  SmsConsentTable,
  UserLanguageTable,
} from './notification-tables.ts'
import type { PaymentTables } from './payment-tables.ts'
import type { BackupStateTable, SiteLogoTable, SiteTable } from './site-tables.ts'

/**
 * The schema of the database for Kysely: one interface per table. Columns have the type `text` (here `string`),
 * `bigint` or `integer` (here `number`). Instants are Unix seconds; JSON is stored as text; flags are 0 or 1.
 */
export interface Tables extends PaymentTables {
  site: SiteTable
  backup_state: BackupStateTable
  site_logo: SiteLogoTable
  service: ServiceTable
  provider: ProviderTable
  provider_service: ProviderServiceTable
  customer: CustomerTable
  host_user: HostUserTable
  reservation: ReservationTable
  occupancy: OccupancyTable
  hold: HoldTable
  booking_page: BookingPageTable
  service_page: ServicePageTable
  service_slug: ServiceSlugTable
  booking_link: BookingLinkTable
  bookings_access: BookingsAccessTable
  host_secret: HostSecretTable
  deletion_request: DeletionRequestTable
  booking_step_count: BookingStepCountTable
  rating: RatingTable
  busy: BusyTable
  connected_calendar: ConnectedCalendarTable
  calendar_opening: CalendarOpeningTable
  calendar_watch: CalendarWatchTable
  calendar_app: CalendarAppTable
  calendar_grant: CalendarGrantTable
  calendar_account: CalendarAccountTable
  calendar_destination: CalendarDestinationTable
  calendar_event: CalendarEventTable
  calendar_feed: CalendarFeedTable
  calendar_item: CalendarItemTable
  kept_conflict: KeptConflictTable
  assignment: AssignmentTable
  token: TokenTable
  event: EventTable
  idempotency: IdempotencyTable
  migration: MigrationTable
  person: UserTable
  person_link: UserLinkTable
  session: SessionTable
  set_up_link: SetUpLinkTable
  totp: TotpTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  spent: SpentTable
  customer_word: CustomerWordTable
  customer_note: CustomerNoteTable
  known_device: KnownDeviceTable
  user_language: UserLanguageTable
  security_event: SecurityEventTable
  job: JobTable
  node: NodeTable
  event_consumer: EventConsumerTable
  notification_settings: NotificationSettingsTable
  notification_template: NotificationTemplateTable
  notification: NotificationTable
  mail_suppression: MailSuppressionTable
  provider_agenda: ProviderAgendaTable
  sms_consent: SmsConsentTable
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
}

/** One row of the table `service`: a service that customers book, with its settings. */
export interface ServiceTable {
  id: string
  key: string | null
  ordinal: number
  position: number
  name: string
  description: string
  color: string | null
  settings: string
  data: string
  form: string
  created_at: number
  updated_at: number
}

/** One row of the table `provider`: a provider of services, with weekly opening hours and dates that override them. */
export interface ProviderTable {
  id: number
  key: string | null
  name: string
  email: string
  timezone: string
  restrict_services: number
  allowed_services: string
  weekly: string
  overrides: string
  /** 1 when staff may deliberately book the provider's time twice. */
  double_booking: number
  /** The link of online appointments, or a template of such links; empty for none. */
  meeting_link: string
  created_at: number
  updated_at: number
}

/**
 * One row of the table `provider_service`: a provider's own settings for one service, which override those of the
 * service.
 */
export interface ProviderServiceTable {
  provider_id: number
  service_id: string
  settings: string
  data: string
}

/** One row of the table `host_user`: an account of the host platform that customers may be linked to. */
export interface HostUserTable {
  id: number
  email: string
  email_key: string
  name: string
  role: string
  created_at: number
}

/** One row of the table `reservation`: an appointment of a customer for a service with a provider. */
export interface ReservationTable {
  id: string
  key: string | null
  service_id: string
  customer_id: string
  provider_id: number
  availability_id: string
  start_at: number
  end_at: number
  status: string
  data: string
  price: number | null
  currency: string | null
  local_start: string
  zone: string
  tz_version: string
  assigned_because: string | null
  series_id: string | null
  group_id: string | null
  version: number
  created_at: number
  updated_at: number
  /** The time at which the pending reservation expires; null when it does not expire. */
  expires_at: number | null
  /**
   * JSON: the page on which the customer booked and where the customer came from (`ReservationSource`); null for none.
   */
  source: string | null
  attendance: string
  /** JSON: the state of attendance with the times at which states were marked; null while the customer is expected. */
  attendance_record: string | null
  /** The internal note of staff; empty for none. */
  note: string
  cancel_reason: string
  /** The address of the reservation's online meeting; null when it has none, for example before its confirmation. */
  meeting: string | null
  /**
   * What a pending reservation waits for: `email` (the customer must confirm the e-mail address) or `payment`; null for
   * neither. A cancelled reservation retains the value that it had while pending.
   */
  awaits: string | null
  /** JSON: how the reservation is paid and what was paid; null while no payment is agreed. */
  payment: string | null
  /** The number of times that the reservation got another customer. */
  link_version: number
}

/**
 * One row of the table `occupancy`: one seat (the place for one reservation) in a slot of a resource such as a provider
 * or room, taken by a reservation or temporarily reserved for an open booking form.
 */
export interface OccupancyTable {
  id: string
  reservation_id: string | null
  hold_id: string | null
  resource: string
  slot: string
  seat: number
  start_at: number
  end_at: number
  expires_at: number | null
}

/** One row of the table `busy`: time of a provider that is blocked by time off or a calendar. */
export interface BusyTable {
  id: string
  provider_id: number
  source: string
  start_at: number
  end_at: number
  note: string
  /** The connected calendar that the time was read from; null for time off. */
  calendar_id: string | null
}

/** One row of the table `assignment`: how often, and when last, a provider was given a reservation of a service. */
export interface AssignmentTable {
  service_id: string
  provider_id: number
  count: number
  last_at: number
  turn: number
}

/** One row of the table `token`: an API token, identified by its hash. */
export interface TokenTable {
  id: string
  name: string
  scope: string
  hash: string
  rate_limit: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  last_used_ip: string | null
}

/** One row of the table `event`: one entry of the event log. */
export interface EventTable {
  tx: number
  n: number
  id: string
  type: string
  kind: string
  object_id: string
  body: string | null
  body_version: number
  actor_kind: string
  actor_id: string
  request_id: string | null
  created_at: number
  salt: string | null
  digest: string | null
  undid: string | null
}

/** One row of the table `idempotency`: the outcome of a write under its idempotency key. */
export interface IdempotencyTable {
  scope: string
  key: string
  hash: string
  outcome: string
  expires_at: number
}

/** One row of the table `migration`: an applied migration. */
export interface MigrationTable {
  name: string
  applied_at: number
}
