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

vielen Dank für Ihre Anfrage. {{ site.name }} bestätigt sie in Kürze; bis dahin ist der Termin für Sie reserviert.`,
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
    subject: 'Ihre Buchung für {{ start_date }} wurde nicht bezahlt',
    body: `Guten Tag {{ customer.name }},

{{ service.name }} am {{ start }} wurde nicht bezahlt, daher ist die Zeit wieder für andere frei. Es wurde nichts abgebucht. Sie können erneut buchen.`,
  },
  payment_returned: {
    subject: 'Sie erhalten Ihre Zahlung für {{ start_date }} zurück',
    body: `Guten Tag {{ customer.name }},

Ihre Zahlung für {{ service.name }} am {{ start }} kam, als die Buchung nicht mehr bestand. Sie erhalten den vollen Betrag zurück und können eine andere Zeit buchen.`,
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
}

/** The fixed texts of messages in German. */
export const deWords: MessageWords = {
  when: 'Wann',
  service: 'Leistung',
  provider: 'Bei',
  customer: 'Kunde',
  email: 'E-Mail',
  phone: 'Telefon',
  timesIn: 'Alle Zeiten in der Zeitzone {zone}.',
  unsubscribe: 'Keine Erinnerungen und Nachfragen mehr erhalten',
  manage: 'Diesen Termin ansehen, verschieben oder absagen',
  verify: 'Buchung bestätigen',
}
