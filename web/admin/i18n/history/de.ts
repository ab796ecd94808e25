import type { Words } from '../messages.ts'

/** Texts of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Verlauf',
    text: 'Wer wann was geändert hat, mit den Werten vorher und nachher.',
    when: 'Wann',
    who: 'Wer',
    what: 'Was',
    object: 'Objekt',
    type: 'Art der Änderung',
    anyType: 'Alle',
    objectId: 'Objekt',
    objectHint: 'Zum Beispiel r_… oder 7',
    actor: 'Von',
    actorHint: 'Kennung eines Benutzers oder Tokens',
    empty: 'Noch keine Änderungen.',
    undo: 'Diese Änderung rückgängig machen',
    undone: 'Rückgängig gemacht: {{type}}, {{object}}.',
    isUndone: 'Rückgängig gemacht',
    undid: 'Dieser Eintrag hat eine frühere Änderung rückgängig gemacht.',
    asks: {
      move: {
        title: 'Buchung zurückverschieben?',
        text: 'Die Buchung wird auf die vorherige Zeit zurückverschoben. Die Zeit muss frei sein; andere Regeln werden nicht angewendet.',
        action: 'Zurückverschieben',
      },
      cancel: {
        title: 'Buchung wieder stornieren?',
        text: 'Vor dieser Änderung war die Buchung storniert. Sie wird wieder storniert, und ihre Zeit wird für andere frei.',
        action: 'Buchung stornieren',
      },
      remove: {
        title: 'Hinzugefügten Eintrag entfernen?',
        text: 'Was mit dieser Änderung hinzugefügt wurde, wird entfernt. Der Verlauf behält die Werte, aber das Entfernen lässt sich nicht rückgängig machen.',
        action: 'Entfernen',
      },
    },
    events: {
      reservation: {
        created: 'Buchung angelegt',
        updated: 'Buchung geändert',
        rescheduled: 'Buchung verschoben',
        pending: 'Buchung wieder offen',
        confirmed: 'Buchung bestätigt',
        cancelled: 'Buchung storniert',
        restored: 'Buchung wiederhergestellt',
        removed: 'Buchung gelöscht',
        attendance: 'Anwesenheit markiert',
        zone_changed: 'Buchung von geänderten Zeitzonenregeln betroffen',
      },
      customer: {
        created: 'Kunde angelegt',
        updated: 'Kunde geändert',
        removed: 'Kunde gelöscht',
        merged: 'Kunden zusammengeführt',
        erased: 'Kundendaten getilgt',
      },
      customer_note: {
        created: 'Notiz angelegt',
        removed: 'Notiz gelöscht',
      },
      sms_consent: {
        given: 'Kurznachrichten zugestimmt',
        withdrawn: 'Zustimmung zu Kurznachrichten widerrufen',
      },
      service: {
        created: 'Leistung angelegt',
        updated: 'Leistung geändert',
        removed: 'Leistung gelöscht',
      },
      provider: {
        created: 'Anbieter angelegt',
        updated: 'Anbieter geändert',
        removed: 'Anbieter gelöscht',
      },
      time_off: {
        created: 'Abwesenheit angelegt',
        updated: 'Abwesenheit geändert',
        removed: 'Abwesenheit gelöscht',
      },
      host_user: {
        created: 'Benutzer der Website angelegt',
      },
      token: {
        created: 'API-Token erstellt',
        revoked: 'API-Token widerrufen',
      },
      calendar: {
        created: 'Kalender verbunden',
        updated: 'Verbundener Kalender geändert',
        removed: 'Kalender getrennt',
        feed_created: 'Kalenderadresse erstellt',
        feed_revoked: 'Kalenderadresse widerrufen',
      },
      webhook: {
        created: 'Webhook angelegt',
        updated: 'Webhook geändert',
        removed: 'Webhook gelöscht',
        secret_rotated: 'Geheimnis eines Webhooks ersetzt',
        disabled: 'Webhook abgeschaltet',
        failing: 'Webhook schlägt seit einem Tag fehl',
      },
      site: {
        updated: 'Einstellungen des Betriebs geändert',
        secret_rotated: 'Geheimnis der Slot-IDs ersetzt',
        backup_overdue: 'Sicherung überfällig',
      },
      payment: {
        paid: 'Zahlung eingegangen',
        expired: 'Zahlung abgelaufen',
        returned: 'Verspätete Zahlung zurückgegeben',
        refunded: 'Erstattung ausgeführt',
        refund_failed: 'Erstattung fehlgeschlagen',
      },
      payment_settings: {
        updated: 'Zahlungseinstellungen geändert',
      },
      notification_settings: {
        updated: 'Einstellungen der Benachrichtigungen geändert',
      },
      notification_template: {
        updated: 'Text einer Nachricht geändert',
      },
      booking_page: {
        updated: 'Einstellungen der Buchungsseite geändert',
        link_created: 'Privater Buchungslink erstellt',
        link_revoked: 'Privater Buchungslink widerrufen',
        deletion_requested: 'Kunde bat um Löschung seiner Daten',
        deletion_declined: 'Bitte um Löschung abgelehnt',
        host_secret_set: 'Geheimnis der Host-Website erstellt',
        host_secret_removed: 'Geheimnis der Host-Website entfernt',
      },
      user: {
        created: 'Benutzer angelegt',
        updated: 'Benutzer geändert',
        removed: 'Benutzer gelöscht',
        invited: 'Passwort-Link erstellt',
        password_set: 'Passwort geändert',
        second_factor_changed: 'Zweiter Faktor geändert',
        signed_in: 'Angemeldet',
        signed_out: 'Abgemeldet',
      },
    },
    kinds: {
      token: 'über die API',
      command: 'über die Kommandozeile',
      worker: 'automatisch',
      user: 'in der Verwaltung',
      customer: 'durch den Kunden',
    },
  },
}
