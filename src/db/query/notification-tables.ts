/** One row of the table `notification_settings`; there is only one. */
export interface NotificationSettingsTable {
  id: string
  /** The settings as JSON. */
  body: string
  /** The encrypted password of the SMTP server. */
  smtp_password: string | null
  updated_at: number
}

/** One row of the table `notification_template`. */
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

/** One row of the table `notification`. */
export interface NotificationTable {
  id: string
  kind: string
  reservation_id: string | null
  customer_id: string | null
  recipient: string
  locale: string
  subject: string
  state: string
  reason: string
  attempts: number
  created_at: number
  updated_at: number
}

/** One row of the table `mail_suppression`. */
export interface MailSuppressionTable {
  address_key: string
  reason: string
  detail: string
  created_at: number
}

/** One row of the table `provider_agenda`. */
export interface ProviderAgendaTable {
  provider_id: number
  /** `YYYY-MM-DD` in the provider's zone. */
  last_date: string
}
