/** One row of the table `totp`: a user's authenticator app, with its encrypted secret. */
export interface TotpTable {
  person_id: string
  secret: string
  created_at: number
  confirmed_at: number | null
  last_step: number
}

/** One row of the table `recovery_code`: a recovery code of a user, by its hash. */
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
