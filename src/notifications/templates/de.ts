import type { MessageWords, Templates } from './template.ts'

/** The default templates in German. */
export const de: Templates = {
  verify_email: {
    subject: 'Bitte bestätigen Sie Ihre Buchung: {{ service.name }} am {{ start_date }}',
    body: `Guten Tag {{ customer.name }},

bitte bestätigen Sie Ihre Buchung mit dem Link unten. Der Termin ist bis {{ deadline }} für Sie reserviert und danach wieder frei.

Wenn Sie nicht gebucht haben, beachten Sie diese Nachricht nicht: Es geschieht nichts weiter.`,
  },
  request_received: {
    subject: 'Ihre Anfrage ist eingegangen: {{ service.name }} am {{ start_date }}',
    body: `Guten Tag {{ customer.name }},

vielen Dank für Ihre Anfrage. {{ site.name }} meldet sich in Kürze bei Ihnen.`,
  },
  confirmed: {
    subject: 'Bestätigt: {{ service.name }} am {{ start_date }} um {{ start_time }}',
    body: `Guten Tag {{ customer.name }},

Ihr Termin ist bestätigt. Wir freuen uns auf Sie.`,
  },
  declined: {
    subject: 'Ihre Anfrage für {{ start_date }} konnten wir nicht bestätigen',
    body: `Guten Tag {{ customer.name }},

leider können wir Ihnen {{ service.name }} am {{ start }} nicht anbieten. Bitte wählen Sie einen anderen Termin.`,
  },
  payment_expired: {
    subject: 'Ihre Buchung für {{ start_date }} wurde nicht abgeschlossen',
    body: `Guten Tag {{ customer.name }},

Ihre Buchung von {{ service.name }} am {{ start }} wurde nicht abgeschlossen, daher ist die Zeit wieder für andere frei. Es wurde nichts abgebucht. Sie können erneut buchen.`,
  },
  payment_returned: {
    subject: 'Sie erhalten Ihre Zahlung für {{ start_date }} zurück',
    body: `Guten Tag {{ customer.name }},

Ihre Zahlung für {{ service.name }} am {{ start }} kam, als die Buchung nicht mehr bestand. Sie erhalten den vollen Betrag zurück und können eine andere Zeit buchen.`,
  },
  card_returned: {
    subject: 'Ihre Karte für {{ start_date }} wurde zu spät hinterlegt',
    body: `Guten Tag {{ customer.name }},

Ihre Karte für {{ service.name }} am {{ start }} wurde hinterlegt, als die Buchung nicht mehr bestand. Wir haben die Karte entfernt, es wurde nichts abgebucht. Sie können eine andere Zeit buchen.`,
  },
  fee_charged: {
    subject: 'Ausfallgebühr für {{ start_date }}: {{ fee }}',
    body: `Guten Tag {{ customer.name }},

Sie sind zu {{ service.name }} am {{ start }} nicht erschienen. Wie bei der Buchung vereinbart haben wir {{ fee }} von Ihrer Karte abgebucht.`,
  },
  fee_requested: {
    subject: 'Bitte bezahlen Sie die Ausfallgebühr für {{ start_date }}: {{ fee }}',
    body: `Guten Tag {{ customer.name }},

Sie sind zu {{ service.name }} am {{ start }} nicht erschienen. Wie bei der Buchung vereinbart, ist eine Ausfallgebühr fällig: {{ fee }}. Ihre Karte konnte nicht belastet werden. Bitte bezahlen Sie mit dem folgenden Link, der 23 Stunden lang gilt.`,
  },
  rescheduled: {
    subject: 'Neuer Termin: {{ service.name }} am {{ start_date }} um {{ start_time }}',
    body: `Guten Tag {{ customer.name }},

Ihr Termin wurde{% if previous_start != "" %} von {{ previous_start }}{% endif %} auf {{ start }} verlegt.`,
  },
  cancelled: {
    subject: 'Abgesagt: {{ service.name }} am {{ start_date }}',
    body: `Guten Tag {{ customer.name }},

Ihr Termin am {{ start }} wurde abgesagt.`,
  },
  reminder: {
    subject: 'Erinnerung: {{ service.name }} am {{ start_date }} um {{ start_time }}',
    body: `Guten Tag {{ customer.name }},

wir erinnern Sie an Ihren Termin am {{ start }}. Falls Sie verhindert sind, sagen Sie uns bitte so früh wie möglich Bescheid.`,
  },
  follow_up: {
    subject: 'Vielen Dank für Ihren Besuch',
    body: `Guten Tag {{ customer.name }},

vielen Dank für Ihren Besuch am {{ start_date }}. Wir freuen uns auf das nächste Mal.`,
  },
  provider_new: {
    subject: 'Neue Buchung: {{ customer.name }}, {{ start_date }} um {{ start_time }}',
    body: `{{ customer.name }} hat {{ service.name }} bei Ihnen gebucht: {{ start }}.`,
  },
  provider_changed: {
    subject: 'Geänderte Buchung: {{ customer.name }}, {{ start_date }} um {{ start_time }}',
    body: `Der Termin von {{ customer.name }} wurde{% if previous_start != "" %} von {{ previous_start }}{% endif %} auf {{ start }} verlegt.`,
  },
  provider_cancelled: {
    subject: 'Abgesagt: {{ customer.name }}, {{ start_date }} um {{ start_time }}',
    body: `Der Termin von {{ customer.name }} am {{ start }} findet nicht mehr bei Ihnen statt.`,
  },
  staff_approval: {
    subject: 'Wartet auf Bestätigung: {{ customer.name }}, {{ start_date }} um {{ start_time }}',
    body: `{{ customer.name }} hat {{ service.name }} bei {{ provider.name }} angefragt: {{ start }}. Bestätigen Sie die Anfrage in der Verwaltung, oder lehnen Sie sie ab.`,
  },
  agenda: {
    subject: 'Ihre Termine am {{ date }}: {{ count }}',
    body: `Ihre Termine am {{ date }}:`,
  },
  bookings_link: {
    subject: 'Ihre Buchungen bei {{ site.name }}',
    body: `Mit diesem Link sehen und ändern Sie Ihre Buchungen bei {{ site.name }}. Er gilt einmal und eine Stunde lang:

Wenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht.`,
  },
  invitation: {
    subject: 'Ihr Konto bei {{ site.name }}',
    body: `Für Sie wurde ein Konto bei {{ site.name }} angelegt. Legen Sie mit diesem Link Ihr Passwort fest; er gilt einmal und eine Stunde lang:

Ist der Link abgelaufen, bitten Sie Ihren Administrator um einen neuen.`,
  },
  password_reset: {
    subject: 'Passwort zurücksetzen bei {{ site.name }}',
    body: `Legen Sie mit diesem Link ein neues Passwort fest; er gilt einmal und eine Stunde lang:

Haben Sie ihn nicht angefordert, können Sie diese Nachricht ignorieren; Ihr Passwort bleibt unverändert.`,
  },
  password_changed: {
    subject: 'Ihr Passwort bei {{ site.name }} wurde geändert',
    body: `Das Passwort Ihres Kontos wurde geändert. Waren Sie es nicht, wenden Sie sich sofort an Ihren Administrator.`,
  },
  second_factor_changed: {
    subject: 'Die zweiten Faktoren Ihres Kontos bei {{ site.name }} wurden geändert',
    body: `Eine Authenticator-App, ein Passkey oder Wiederherstellungscodes Ihres Kontos wurden geändert. Waren Sie es nicht, wenden Sie sich sofort an Ihren Administrator.`,
  },
  new_sign_in: {
    subject: 'Neue Anmeldung an Ihrem Konto bei {{ site.name }}',
    body: `Mit Ihrem Konto hat sich jemand in einem Browser angemeldet, der bisher nicht verwendet wurde: {{ detail }}. Waren Sie es nicht, legen Sie in Ihrem Profil ein neues Passwort fest, beenden Sie dort die Sitzung und wenden Sie sich an Ihren Administrator.`,
  },
  webhook_disabled: {
    subject: 'Ein Webhook von {{ site.name }} wurde abgeschaltet',
    body: `Der Webhook {{ detail }} wurde abgeschaltet, weil fünf Tage lang keine Zustellung gelang oder es den Empfänger nicht mehr gibt. Die Ereignisse bleiben erhalten: Schalten Sie ihn in der Verwaltung wieder ein und wiederholen Sie sie.`,
  },
  webhook_failing: {
    subject: 'Ein Webhook von {{ site.name }} schlägt fehl',
    body: `An den Webhook {{ detail }} gelang seit einem Tag keine Zustellung. Zustellungen werden wiederholt; nach fünf Tagen ohne Erfolg wird er abgeschaltet. Das Protokoll der Zustellungen in der Verwaltung nennt den Grund.`,
  },
  backup_overdue: {
    subject: 'Eine Sicherung von {{ site.name }} ist überfällig',
    body: `Innerhalb der eingestellten Zeit ist keine Sicherung von {{ site.name }} gelungen. Letzte Sicherung: {{ detail }}. Erstellen Sie eine in der Verwaltung unter Einstellungen → System und Sicherung, und prüfen Sie den Timer, der sie erstellt.`,
  },
  payment_disputed: {
    subject: 'Eine Zahlung an {{ site.name }} wurde angefochten',
    body: `Ein Kunde hat eine Zahlung über {{ detail }} bei der Bank angefochten. Die Bank hat das Geld zurückgeholt oder bittet um eine Erklärung. Antworten Sie im Stripe-Dashboard bis zu dem Datum, das dort steht; ohne Antwort gilt die Anfechtung als verloren. Die Buchung bleibt bestehen.`,
  },
  dispute_decided: {
    subject: 'Über eine angefochtene Zahlung an {{ site.name }} ist entschieden',
    body: `Die Bank hat über die angefochtene Zahlung von {{ detail }} entschieden. Das Ergebnis steht in der Verwaltung bei der Zahlung; die Bücher sind auf dem neuesten Stand.`,
  },
  payments_differ: {
    subject: 'Die Bücher von {{ site.name }} weichen vom Zahlungsanbieter ab',
    body: `Der nächtliche Abgleich der Bücher mit dem Zahlungsanbieter hat Abweichungen gefunden, die auch beim zweiten Abgleich bestanden. Anzahl: {{ detail }}. In der Verwaltung stehen sie unter Einstellungen → Zahlungen: Sehen Sie sich jede im Stripe-Dashboard an und erledigen Sie sie dann.`,
  },
}

/** The fixed texts of messages in German. */
export const deWords: MessageWords = {
  when: 'Wann',
  service: 'Leistung',
  provider: 'Bei',
  meeting: 'Online unter',
  customer: 'Kunde',
  email: 'E-Mail',
  phone: 'Telefon',
  timesIn: 'Alle Zeiten in der Zeitzone {zone}.',
  unsubscribe: 'Keine Erinnerungen und Nachrichten nach dem Termin mehr erhalten',
  manage: 'Diesen Termin ansehen, verschieben oder absagen',
  receipt: 'Zahlungsbeleg',
  verify: 'Buchung bestätigen',
  pay: 'Jetzt bezahlen',
  pending: 'noch nicht bestätigt',
  panel: 'In der Verwaltung öffnen',
}
