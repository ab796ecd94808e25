/** The topics that the command palette finds besides pages, in English: a label and search words for each. */
export const topics = {
  holidays: {
    label: 'Holidays and closed days',
    words: 'closed closure close public holiday bank holiday christmas vacation shut',
  },
  noShows: { label: 'Repeated no-shows', words: 'missed no show penalty' },
  cancelReasons: { label: 'Reasons for cancellations', words: 'cancel reason' },
  cancellation: {
    label: 'Cancelling and moving by customers',
    words: 'cancellation policy deadline notice fee reschedule',
  },
  absence: { label: 'Plan an absence', words: 'ill sick sickness absent away off vacation leave' },
  openingHours: { label: 'Opening hours of a provider', words: 'working hours schedule shift break weekly time off' },
  prices: { label: 'Prices of services', words: 'price fee cost rate charge' },
  users: { label: 'Users and roles', words: 'user account login staff employee invite permission access role team' },
  secondFactor: { label: 'Sign-in with a second factor', words: '2fa two-factor security authenticator code' },
  appearance: { label: 'Logo and colours', words: 'logo colour color brand design look theme' },
  siteBasics: {
    label: 'Name, language, currency and time zone',
    words: 'currency language time zone timezone address',
  },
  exportCustomers: { label: 'Export customers (CSV)', words: 'csv export download excel list' },
  importCustomers: { label: 'Import customers (CSV)', words: 'csv import upload excel' },
  exportPayments: { label: 'Export payments (CSV)', words: 'csv export download accounting accountant tax income' },
  blockCustomer: { label: 'Block a customer', words: 'block ban banned' },
  mergeCustomers: { label: 'Merge duplicate customers', words: 'duplicate double merge same' },
  mailServer: { label: 'E-mail server', words: 'email mail smtp sender' },
  templates: { label: 'Texts of messages', words: 'template wording email text reminder confirmation' },
  sms: { label: 'Text messages (SMS)', words: 'sms text phone whatsapp gateway' },
  coupons: { label: 'Discount codes', words: 'coupon discount code voucher promotion' },
  vouchers: { label: 'Gift vouchers', words: 'gift card voucher balance' },
  calendars: { label: 'Connected calendars', words: 'google outlook microsoft icloud ics caldav sync calendar' },
  embed: { label: 'Booking page on your website', words: 'embed website widget link wordpress iframe' },
  tokens: { label: 'API tokens', words: 'api token key integration developer' },
  webhooks: { label: 'Webhooks', words: 'webhook integration zapier developer' },
  backup: { label: 'Backup', words: 'backup restore save copy' },
  printDay: { label: 'Print a day or a week', words: 'print paper pdf list' },
  password: { label: 'Password and passkeys', words: 'password passkey change sign in' },
}

/** The type of the command palette's topics in any language. */
export type Topics = Readonly<Record<keyof typeof topics, { readonly label: string; readonly words: string }>>
