/**
 * The kinds of messages to users of the panel that an administrator can switch off. Their templates have the
 * placeholder `detail`, which says what the message is about. The other kinds report a change of the password or the
 * second factors, or are sent when someone requests them.
 */
export const switchableAccountKinds = [
  'new_sign_in',
  'webhook_disabled',
  'webhook_failing',
  'backup_overdue',
  'payment_disputed',
  'dispute_decided',
  'payments_differ',
] as const

/** The kinds of messages to users of the panel. */
export const accountKinds = [
  'invitation',
  'password_reset',
  'password_changed',
  'second_factor_changed',
  ...switchableAccountKinds,
] as const

/** A kind of message to a user of the panel. */
export type AccountMailKind = (typeof accountKinds)[number]

/** The kinds of messages that contain a one-time link. */
export const linkKinds: readonly AccountMailKind[] = ['invitation', 'password_reset']

/**
 * The page of the panel to which messages of a kind link, by kind. A kind is absent when its messages contain a
 * one-time link or no link.
 */
export const panelPaths: Readonly<Partial<Record<string, string>>> = {
  new_sign_in: '/admin/profile',
  webhook_disabled: '/admin/settings/api?view=webhooks',
  webhook_failing: '/admin/settings/api?view=deliveries',
  backup_overdue: '/admin/settings/system',
  payment_disputed: '/admin/payments',
  dispute_decided: '/admin/payments',
  payments_differ: '/admin/settings/payments',
}
