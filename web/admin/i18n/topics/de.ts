import type { Topics } from './en.ts'

/** The topics that the command palette finds besides pages, in German: a label and search words for each. */
export const topics: Topics = {
  holidays: {
    label: 'Feiertage und Schließtage',
    words: 'geschlossen schließen Feiertag Betriebsferien Weihnachten Urlaub zu',
  },
  noShows: { label: 'Wiederholt nicht erschienen', words: 'verpasst nicht erschienen No-Show' },
  cancelReasons: { label: 'Gründe für Stornierungen', words: 'stornieren Absage Grund' },
  cancellation: {
    label: 'Stornieren und Verschieben durch Kunden',
    words: 'Stornierung Frist Absage Gebühr verschieben umbuchen',
  },
  absence: { label: 'Abwesenheit planen', words: 'krank Krankheit abwesend Urlaub frei' },
  openingHours: {
    label: 'Arbeitszeiten eines Anbieters',
    words: 'Öffnungszeiten Sprechzeiten Dienstplan Pause Wochenzeiten',
  },
  prices: { label: 'Preise der Leistungen', words: 'Preis Gebühr Kosten Honorar' },
  users: { label: 'Benutzer und Rollen', words: 'Benutzer Konto Zugang Mitarbeiter einladen Rechte Rolle Team' },
  secondFactor: { label: 'Anmeldung mit zweitem Faktor', words: '2FA Zwei-Faktor Sicherheit Authenticator Code' },
  appearance: { label: 'Logo und Farben', words: 'Logo Farbe Marke Design Aussehen' },
  siteBasics: { label: 'Name, Sprache, Währung und Zeitzone', words: 'Währung Sprache Zeitzone Adresse' },
  exportCustomers: { label: 'Kunden exportieren (CSV)', words: 'CSV Export herunterladen Excel Liste' },
  importCustomers: { label: 'Kunden importieren (CSV)', words: 'CSV Import hochladen Excel' },
  exportPayments: {
    label: 'Zahlungen exportieren (CSV)',
    words: 'CSV Export herunterladen Buchhaltung Steuer Einnahmen',
  },
  blockCustomer: { label: 'Einen Kunden sperren', words: 'sperren blockieren' },
  mergeCustomers: { label: 'Doppelte Kunden zusammenführen', words: 'doppelt Dublette zusammenführen' },
  mailServer: { label: 'E-Mail-Server', words: 'E-Mail Mail SMTP Absender' },
  templates: { label: 'Texte der Nachrichten', words: 'Vorlage Text E-Mail Erinnerung Bestätigung' },
  sms: { label: 'Kurznachrichten (SMS)', words: 'SMS Handy WhatsApp' },
  coupons: { label: 'Rabattcodes', words: 'Rabatt Code Gutscheincode Aktion' },
  vouchers: { label: 'Gutscheine', words: 'Geschenkgutschein Geschenk Guthaben' },
  calendars: { label: 'Verbundene Kalender', words: 'Google Outlook iCloud ICS CalDAV synchronisieren' },
  embed: { label: 'Buchungsseite auf Ihrer Website', words: 'einbetten Website Widget Link WordPress' },
  tokens: { label: 'API-Token', words: 'API Token Schlüssel Integration' },
  webhooks: { label: 'Webhooks', words: 'Webhook Integration' },
  backup: { label: 'Datensicherung', words: 'Backup Sicherung wiederherstellen' },
  printDay: { label: 'Einen Tag oder eine Woche drucken', words: 'drucken Papier PDF Liste' },
  password: { label: 'Passwort und Passkeys', words: 'Passwort Passkey ändern Anmeldung' },
}
