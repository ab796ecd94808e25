/**
 * The shape of the database as Kysely sees it: one interface a table, columns as kept (`text`, `bigint`, `integer`).
 * Instants are Unix seconds; JSON is kept as text; flags are 0 or 1.
 */
export interface Tables {
  site: SiteTable
  service: ServiceTable
  provider: ProviderTable
  provider_service: ProviderServiceTable
  customer: CustomerTable
  host_user: HostUserTable
  reservation: ReservationTable
  occupancy: OccupancyTable
  busy: BusyTable
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
  security_event: SecurityEventTable
}

export interface SiteTable {
  id: number
  name: string
  timezone: string
  site_url: string
  language: string
  currency: string
  holidays: string
  policies: string
  secret: string
  previous_secret: string | null
  secret_rotated_at: number | null
  catalogue: string
  tx_base: number
  last_provider: number
  /** JSON, see `SecondFactorPolicy`. */
  second_factor_policy: string
  created_at: number
}

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
  created_at: number
  updated_at: number
}

export interface ProviderServiceTable {
  provider_id: number
  service_id: string
  settings: string
  data: string
}

export interface CustomerTable {
  id: string
  key: string | null
  ordinal: number
  name: string
  email: string
  email_key: string
  phone: string
  host_user_id: number
  status: number
  timezone: string | null
  language: string
  created_at: number
  updated_at: number
  /** 1 once the words are written that the customer is found by. */
  worded: number
}

export interface CustomerWordTable {
  customer_id: string
  word: string
}

export interface CustomerNoteTable {
  id: string
  customer_id: string
  person_id: string
  text: string
  created_at: number
}

export interface HostUserTable {
  id: number
  email: string
  email_key: string
  name: string
  role: string
  created_at: number
}

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
}

export interface OccupancyTable {
  id: string
  reservation_id: string | null
  resource: string
  slot: string
  seat: number
  start_at: number
  end_at: number
  expires_at: number | null
}

export interface BusyTable {
  id: string
  provider_id: number
  source: string
  start_at: number
  end_at: number
  note: string
}

export interface AssignmentTable {
  service_id: string
  provider_id: number
  count: number
  last_at: number
  turn: number
}

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

export interface IdempotencyTable {
  scope: string
  key: string
  hash: string
  outcome: string
  expires_at: number
}

export interface UserTable {
  id: string
  email: string
  email_key: string
  role: string
  provider_id: number | null
  name: string
  password_hash: string | null
  status: string
  created_at: number
  updated_at: number
  role_since: number
  /** When second factors were lifted, until the person has dismissed the notice. */
  factors_lifted_at: number | null
}

export interface UserLinkTable {
  hash: string
  person_id: string
  purpose: string
  created_at: number
  expires_at: number
  used_at: number | null
  lift_second_factor: number
}

export interface SessionTable {
  hash: string
  id: string
  person_id: string
  device: string
  address: string
  created_at: number
  last_seen_at: number
  expires_at: number
  authenticated_at: number
}

export interface SetUpLinkTable {
  hash: string
  created_at: number
  expires_at: number
}

export interface TotpTable {
  person_id: string
  secret: string
  created_at: number
  confirmed_at: number | null
  last_step: number
}

export interface RecoveryCodeTable {
  hash: string
  person_id: string
  created_at: number
}

export interface PasskeyTable {
  id: string
  person_id: string
  name: string
  public_key: string
  counter: number
  transports: string
  created_at: number
  last_used_at: number | null
}

export interface SpentTable {
  hash: string
  expires_at: number
}

export interface KnownDeviceTable {
  hash: string
  person_id: string
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface SecurityEventTable {
  id: string
  bucket: string | null
  kind: string
  person_id: string | null
  actor_kind: string
  actor_id: string
  address: string
  detail: string
  count: number
  created_at: number
  last_at: number
}

export interface MigrationTable {
  name: string
  applied_at: number
}
