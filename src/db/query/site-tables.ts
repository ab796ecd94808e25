/**
 * The only row of the table `backup_state`: when the last backup was made, and after how many days the next is overdue.
 */
export interface BackupStateTable {
  id: string
  last_at: number | null
  /** The number of days after the last backup at which the next is overdue; null for never. */
  overdue_days: number | null
  reported_at: number | null
}

/** One row of the table `site_logo`: a logo of the site, present or former. */
export interface SiteLogoTable {
  id: string
  /** The image file of the logo in base64. */
  content: string
  created_at: number
}

/** One row of the table `site`: the settings of the site; there is one row. */
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
  /** The secret that signs the links which customers get by mail. */
  link_secret: string
  catalogue: string
  tx_base: number
  last_provider: number
  /** JSON: the roles that must have a second factor, since when, and the days of grace (`SecondFactorPolicy`). */
  second_factor_policy: string
  /** The Unix time at which a restore or copy paused outbound jobs; null while they are not paused. */
  outbound_paused_at: number | null
  created_at: number
}
