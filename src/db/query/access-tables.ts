/** One row of the table `person`: a user of the panel. */
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
  /**
   * The time at which an administrator's link removed the user's second factors; null when no link has done so, or once
   * the user has dismissed the notice that the panel shows about it.
   */
  factors_lifted_at: number | null
}

/** One row of the table `person_link`: a one-time link for a user, identified by its hash. */
export interface UserLinkTable {
  hash: string
  person_id: string
  purpose: string
  created_at: number
  expires_at: number
  used_at: number | null
  lift_second_factor: number
}

/** One row of the table `session`: a session of a user, identified by the hash of its secret. */
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

/**
 * One row of the table `set_up_link`: the link with which the first administrator is created, identified by its hash.
 */
export interface SetUpLinkTable {
  hash: string
  created_at: number
  expires_at: number
}

/** One row of the table `totp`: a user's authenticator app, with its encrypted secret. */
export interface TotpTable {
  person_id: string
  secret: string
  created_at: number
  confirmed_at: number | null
  last_step: number
}

/** One row of the table `recovery_code`: an unused recovery code of a user, identified by its hash. */
export interface RecoveryCodeTable {
  hash: string
  person_id: string
  created_at: number
}

/** One row of the table `passkey`: a passkey of a user. */
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

/** One row of the table `spent`: the hash of a passkey challenge that was used, stored until the challenge expires. */
export interface SpentTable {
  hash: string
  expires_at: number
}

/** One row of the table `known_device`: a browser with which a user signed in, by the hash of its device cookie. */
export interface KnownDeviceTable {
  hash: string
  person_id: string
  created_at: number
  last_used_at: number
  expires_at: number
}

/** One row of the table `security_event`: an entry of the security history. */
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
