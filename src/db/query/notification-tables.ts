/** One row of the table `notification_settings`; there is at most one: none until settings are first saved. */
export interface NotificationSettingsTable {
  id: string
  /** The settings of notifications as JSON (`NotificationSettings`). */
  body: string
  /** The encrypted password of the SMTP server; null for none. */
  smtp_password: string | null
  /** JSON, encrypted: the password and the headers for the SMS gateway; null for none. */
  gateway_secret: string | null
  updated_at: number
}

/**
 * One row of the table `notification_template`: a version of a customised template. When the newest version has an
 * empty `body`, the template is no longer customised.
 */
export interface NotificationTemplateTable {
  kind: string
  service_id: string
  locale: string
  version: number
  subject: string
  body: string
  user_id: string
  created_at: number
}

/** One row of the table `notification`: a message in the log of messages. */
export interface NotificationTable {
  id: string
  kind: string
  reservation_id: string | null
  customer_id: string | null
  recipient: string
  locale: string
  /** The channel of the message: `email` or `sms`. */
  channel: string
  subject: string
  state: string
  reason: string
  attempts: number
  created_at: number
  updated_at: number
}

/**
 * One row of the table `mail_suppression`: an e-mail address or phone number that receives no notifications, or no
 * optional ones.
 */
export interface MailSuppressionTable {
  address_key: string
  /** `bounced`, also when the recipient unsubscribed as well, or `unsubscribed`. */
  reason: string
  detail: string
  created_at: number
  /**
   * When the recipient unsubscribed; null when the recipient did not. A version without this column has unsubscriptions
   * in `reason` and `created_at` alone.
   */
  unsubscribed_at: number | null
}

/**
 * One row of the table `provider_agenda`: the last day whose agenda (a list of appointments) was queued for a provider.
 */
export interface ProviderAgendaTable {
  provider_id: number
  /** The day that the last queued agenda of the provider lists: `YYYY-MM-DD` in the provider's zone. */
  last_date: string
}

/** One row of the table `sms_consent`: a customer's consent to receive short messages (SMS). */
export interface SmsConsentTable {
  customer_id: string
  /** The number at which the customer agreed to receive messages, in E.164 form, such as `+4930901820`. */
  number: string
  agreed_at: number
}

/** One row of the table `user_language`: the language in which a user reads the panel. */
export interface UserLanguageTable {
  person_id: string
  language: string
}
