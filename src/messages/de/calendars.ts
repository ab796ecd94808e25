import type { calendars as english } from '../en/calendars.ts'
import type { Translation } from '../message.ts'

/** The messages about connected calendars, calendar feeds and meeting links, in German. */
export const calendars: Translation<typeof english> = {
  calendar_not_found: 'Dieser Kalender ist nicht verbunden.',
  calendar_limit: 'Ein Anbieter hat höchstens {{count, number}} verbundene Kalender. Trennen Sie zuerst einen.',
  calendar_account_limit: 'Ein Anbieter hat höchstens {{count, number}} Kalenderkonten. Trennen Sie zuerst eines.',
  calendar_app_missing: 'Die Administration trägt zuerst Client-ID und Clientschlüssel in den Einstellungen ein.',
  calendar_grant_expired: 'Die Anmeldung hat zu lange gedauert oder wurde schon verwendet. Beginnen Sie neu.',
  feed_not_found: 'Keine Kalenderadresse hat diese Kennung.',
  feed_limit: 'Hier kann es höchstens {{count, number}} Kalenderadressen geben. Widerrufen Sie zuerst eine.',
  meeting_link_wrong: 'Geben Sie eine Adresse mit https:// ein. Platzhalter: {reservation}, {service}.',
  calendar_url_wrong:
    'Geben Sie die Adresse eines Kalenders ein, die mit https:// oder webcal:// beginnt und aus dem Internet erreichbar ist. Der Betreiber kann andere Netze erlauben.',
  calendar_account_in_use:
    'Kalender von {{host}} werden verwendet. Verbinden Sie den anderen Server als eigenes Konto, oder trennen Sie zuerst diese.',
  slot_calendar_unread:
    'Ein verbundener Kalender des Anbieters konnte zuletzt nicht gelesen werden oder ist so weit im Voraus nicht bekannt. Wählen Sie eine andere Zeit oder einen anderen Anbieter.',
  undo_calendar: 'Ein verbundener Kalender wird bei seinem Anbieter geändert.',
  calendar_fault_url_invalid: 'Das ist keine Adresse eines Kalenders.',
  calendar_fault_not_https: 'Die Adresse muss mit https:// beginnen.',
  calendar_fault_address_not_public:
    'Die Adresse liegt nicht im öffentlichen Internet. Der Betreiber kann andere Netze erlauben.',
  calendar_fault_name_not_resolved: 'Einen Server mit diesem Namen gibt es nicht.',
  calendar_fault_connection_failed: 'Der Server antwortet nicht.',
  calendar_fault_certificate_invalid: 'Das Zertifikat des Servers ist ungültig.',
  calendar_fault_timeout: 'Der Server hat zu lange nicht geantwortet.',
  calendar_fault_aborted: 'Das Lesen wurde unterbrochen und wird wiederholt.',
  calendar_fault_sign_in_refused: 'Der Server verweigert den Zugriff. Prüfen Sie Adresse oder Passwort.',
  calendar_fault_access_ended: 'Der Server verweigert den Zugriff. Melden Sie sich beim Konto erneut an.',
  calendar_fault_not_found: 'Unter dieser Adresse gibt es keinen Kalender mehr.',
  calendar_fault_server_error: 'Der Server meldet einen Fehler ({{detail}}).',
  calendar_fault_too_many_redirects: 'Der Server leitet zu oft weiter.',
  calendar_fault_too_large: 'Der Kalender ist größer als 50 MB.',
  calendar_fault_not_a_calendar: 'Die Adresse führt nicht zu einem Kalender, sondern zum Beispiel zu einer Seite.',
  calendar_fault_malformed: 'Die Datei ist unvollständig oder widerspricht dem Standard.',
  calendar_fault_unknown_zone: 'Ein Termin liegt in einer unbekannten Zeitzone: {{detail}}.',
  calendar_fault_too_many_events: 'Der Kalender hat zu viele Termine oder Wiederholungen.',
  calendar_fault_too_complex: 'Die Wiederholungen eines Termins konnten nicht rechtzeitig berechnet werden.',
  calendar_fault_no_key:
    'Die Adresse lässt sich nicht entschlüsseln: kein Schlüssel oder ein anderer DAYBOOK_SECRET_KEY.',
  check_calendars: 'verbundene Kalender',
  calendars_read: {
    one: '{{count, number}} Kalender, kürzlich gelesen.',
    other: '{{count, number}} Kalender, alle kürzlich gelesen.',
  },
  calendars_failing: {
    one: '{{count, number}} Kalender konnte zuletzt nicht gelesen werden; siehe Anbieter → Kalender in der Verwaltung.',
    other:
      '{{count, number}} Kalender konnten zuletzt nicht gelesen werden; siehe Anbieter → Kalender in der Verwaltung.',
  },
  calendars_too_old: {
    one: '{{count, number}} Kalender wurde zu lange nicht gelesen, daher wird sein Anbieter nicht angeboten; siehe Anbieter → Kalender in der Verwaltung.',
    other:
      '{{count, number}} Kalender wurden zu lange nicht gelesen, daher werden ihre Anbieter nicht angeboten; siehe Anbieter → Kalender in der Verwaltung.',
  },
  check_destinations: 'Kalender, in die Buchungen geschrieben werden',
  destinations_written: {
    one: '{{count, number}} Kalender, alle Termine geschrieben.',
    other: '{{count, number}} Kalender, alle Termine geschrieben.',
  },
  destinations_failing: {
    one: 'In {{count, number}} Kalender konnte zuletzt nicht geschrieben werden; siehe Anbieter → Kalender in der Verwaltung.',
    other:
      'In {{count, number}} Kalender konnte zuletzt nicht geschrieben werden; siehe Anbieter → Kalender in der Verwaltung.',
  },
}
