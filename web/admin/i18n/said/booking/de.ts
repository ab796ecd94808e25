import type { SaidOf } from '../said.ts'
import type { booking as english } from './en.ts'

/** What the service says of booking: verdicts, refusals, reasons. */
export const booking: SaidOf<typeof english> = {
  'The service is offered.': 'Die Leistung wird angeboten.',
  'This service is not offered at the moment.': 'Diese Leistung wird zurzeit nicht angeboten.',
  'It starts at or after the earliest start, {{time}}.': 'Der Beginn liegt nicht vor dem frühestmöglichen, {{time}}.',
  'It starts too soon: the earliest start is {{time}}. Choose a later one.':
    'Der Beginn ist zu früh: Frühestens möglich ist {{time}}. Wählen Sie einen späteren.',
  'It starts at or before the latest start, {{time}}.': 'Der Beginn liegt nicht nach dem spätestmöglichen, {{time}}.',
  'It is too far ahead: the latest start is {{time}}. Choose an earlier one.':
    'Das ist zu weit im Voraus: Spätestens möglich ist {{time}}. Wählen Sie einen früheren Beginn.',
  'The provider is away at this time. Choose another time.':
    'Der Anbieter ist zu dieser Zeit abwesend. Wählen Sie eine andere Zeit.',
  'No time off is in the way.': 'Keine Abwesenheit steht dem entgegen.',
  'The provider is busy at this time. Choose another time.':
    'Der Anbieter ist zu dieser Zeit belegt. Wählen Sie eine andere Zeit.',
  'No connected calendar is in the way.': 'Kein verbundener Kalender steht dem entgegen.',
  'The provider has another booking then. Choose another time.':
    'Der Anbieter hat dann eine andere Buchung. Wählen Sie eine andere Zeit.',
  'No other booking is in the way.': 'Keine andere Buchung steht dem entgegen.',
  'No limit is reached.': 'Keine Obergrenze ist erreicht.',
  'The provider takes no more bookings of this service that day. Choose another day.':
    'Der Anbieter nimmt an diesem Tag keine Buchungen dieser Leistung mehr an. Wählen Sie einen anderen Tag.',
  'This service takes no more bookings that day. Choose another day.':
    'Für diese Leistung werden an diesem Tag keine Buchungen mehr angenommen. Wählen Sie einen anderen Tag.',
  'The provider takes no more bookings of this service that week. Choose another week.':
    'Der Anbieter nimmt in dieser Woche keine Buchungen dieser Leistung mehr an. Wählen Sie eine andere Woche.',
  'The customer has as many bookings of this service that day as it allows. Choose another day.':
    'Der Kunde hat an diesem Tag schon so viele Buchungen dieser Leistung, wie sie erlaubt. Wählen Sie einen anderen Tag.',
  'The provider does not take part in this service. Choose another provider.':
    'Der Anbieter nimmt an dieser Leistung nicht teil. Wählen Sie einen anderen Anbieter.',
  'The provider does not handle this service. Choose another one.':
    'Der Anbieter übernimmt diese Leistung nicht. Wählen Sie einen anderen.',
  'All providers of this service are booked together, under provider {{id}}.':
    'Alle Anbieter dieser Leistung werden zusammen gebucht, geführt bei Anbieter {{id}}.',
  'The provider handles this service.': 'Der Anbieter übernimmt diese Leistung.',
  'It is one of the starts of an opening window.': 'Es ist einer der Anfänge innerhalb der Öffnungszeiten.',
  'An appointment of this service takes {{#minutes}} minutes here. Ask for the times on offer.':
    'Ein Termin dieser Leistung dauert hier {{#minutes}} Minuten. Wählen Sie unter den angebotenen Zeiten.',
  'It does not lie within the opening hours. Choose another time.':
    'Das liegt nicht innerhalb der Öffnungszeiten. Wählen Sie eine andere Zeit.',
  'Appointments begin every {{#minutes}} minutes from the start of opening hours. Choose one of those times.':
    'Termine beginnen ab dem Anfang der Öffnungszeiten alle {{#minutes}} Minuten. Wählen Sie eine dieser Zeiten.',
  'There is a seat left.': 'Ein Platz ist noch frei.',
  'Every seat of this slot is taken. Choose another time.':
    'Alle Plätze dieser Zeit sind vergeben. Wählen Sie eine andere Zeit.',
  'This slot is fully booked. Choose another time.': 'Diese Zeit ist ausgebucht. Wählen Sie eine andere Zeit.',
  'There is no such provider.': 'Diesen Anbieter gibt es nicht.',
  'There is no such service.': 'Diese Leistung gibt es nicht.',
  'This customer may not be given new reservations.': 'Dieser Kunde darf keine neuen Buchungen bekommen.',
  'The provider is no longer free at this time.': 'Der Anbieter ist zu dieser Zeit nicht mehr frei.',
  'The availabilityId does not belong to this service, provider, start and end. Ask for availability again.':
    'Die availabilityId gehört nicht zu dieser Leistung, diesem Anbieter, Beginn und Ende. Rufen Sie die freien Zeiten neu ab.',
  'The price of this slot has changed. Ask for availability again.':
    'Der Preis dieser Zeit hat sich geändert. Fragen Sie die Verfügbarkeit erneut ab.',
  'The availabilityId was shown too long ago. Ask for availability again.':
    'Die availabilityId ist zu alt. Rufen Sie die freien Zeiten neu ab.',
  'By its wall time it has begun already.': 'Nach der Uhr vor Ort hat sie schon begonnen.',
  'The start and end must lie between the years 1970 and 9999.':
    'Beginn und Ende müssen zwischen den Jahren 1970 und 9999 liegen.',
  'Must lie between the years 1970 and 9999, in Unix seconds.':
    'Muss zwischen den Jahren 1970 und 9999 liegen, in Unix-Sekunden.',
  'The end must be later than the start.': 'Das Ende muss nach dem Beginn liegen.',
  'Must be later than start.': 'Muss nach dem Beginn liegen.',
  'The service {{id}} of this reservation is no longer there.':
    'Die Leistung {{id}} dieser Buchung gibt es nicht mehr.',
  'Reservations of this site are never removed. Cancel it instead.':
    'Buchungen werden in diesem Betrieb nie entfernt. Sagen Sie sie stattdessen ab.',
  'This reservation is still active. Cancel it before removing it.':
    'Diese Buchung gilt noch. Sagen Sie sie ab, bevor Sie sie entfernen.',
  'This customer has pending or confirmed reservations. Cancel or remove those first.':
    'Dieser Kunde hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab, oder entfernen Sie sie.',
  'This customer has pending or confirmed reservations to come. Cancel those first.':
    'Dieser Kunde hat noch kommende offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab.',
  'This service has pending or confirmed reservations. Cancel or remove those first, or switch it off in the panel.':
    'Diese Leistung hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab oder entfernen Sie sie, oder bieten Sie die Leistung nicht mehr an.',
  'This provider has pending or confirmed reservations. Cancel or remove those first, or have the provider take no bookings.':
    'Dieser Anbieter hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab oder entfernen Sie sie, oder lassen Sie ihn keine Buchungen mehr annehmen.',
  'No service has this id.': 'Keine Leistung hat diese Kennung.',
  'No provider has this id.': 'Kein Anbieter hat diese Kennung.',
  'No customer has this id.': 'Kein Kunde hat diese Kennung.',
  'No reservation has this id.': 'Keine Buchung hat diese Kennung.',
  'Some of these services do not exist.': 'Einige dieser Leistungen gibt es nicht.',
  'No service has the id {{ids}}.': 'Keine Leistung hat die Kennung {{ids}}.',
  'A customer cannot be merged with itself.': 'Ein Kunde kann nicht mit sich selbst zusammengeführt werden.',
  'Is the same customer; choose another one.': 'Das ist derselbe Kunde; wählen Sie einen anderen.',
  'Keeps at most {{#count}} notes; remove one first.':
    'Es gibt höchstens {{#count}} Notizen; entfernen Sie zuerst eine.',
  'This note is gone already.': 'Diese Notiz ist schon weg.',
  'The status of customers is not for your role.': 'Der Status von Kunden ist nicht für Ihre Rolle.',
  'Leave it out: the status of customers is not for your role.':
    'Lassen Sie das weg: Der Status von Kunden ist nicht für Ihre Rolle.',
  'Provider {{listed}} was listed and is still free; the rule would now pick provider {{picked}}. {{=because}}':
    'Anbieter {{listed}} stand in der Liste und ist noch frei; die Regel würde jetzt Anbieter {{picked}} wählen. {{=because}}',
  'Provider {{id}} was asked for.': 'Anbieter {{id}} wurde gewünscht.',
  'All providers of the service are needed at once; provider {{id}} has the lowest id.':
    'Die Leistung braucht alle ihre Anbieter zugleich; Anbieter {{id}} hat die niedrigste Nummer.',
  'Provider {{id}} has never been assigned.': 'Anbieter {{id}} bekam noch keine Buchung.',
  'Provider {{id}} was assigned least recently, at {{time}}.':
    'Anbieter {{id}} bekam am längsten keine Buchung, zuletzt um {{time}}.',
  'Provider {{id}} has the fewest minutes reserved that day: {{#minutes}}.':
    'Anbieter {{id}} hat an diesem Tag die wenigsten Minuten belegt: {{#minutes}}.',
  'Provider {{id}} has the highest priority of those free: {{#priority}}.':
    'Anbieter {{id}} hat unter den Freien den höchsten Rang: {{#priority}}.',
  'Provider {{id}} is furthest below its share: weight {{#weight}}, assigned {{#count}} times.':
    'Anbieter {{id}} liegt am weitesten unter seinem Anteil: Gewicht {{#weight}}, {{#count}}-mal zugeteilt.',
  'Provider {{id}} was drawn by lot.': 'Anbieter {{id}} wurde ausgelost.',
  'Booked anyway, against: {{rules}}.': 'Trotzdem gebucht, gegen: {{rules}}.',
  'Must be at most two years after start; add another time off behind.':
    'Darf höchstens zwei Jahre nach dem Beginn liegen; fügen Sie dahinter eine weitere freie Zeit an.',
  'The calendar shows a stretch of time of at most 46 days.': 'Der Kalender zeigt höchstens 46 Tage.',
  'Must be later than from, by 46 days at the most.': 'Muss nach dem Beginn liegen, höchstens 46 Tage.',
  'The calendar shows at most {{#count}} providers at once.':
    'Der Kalender zeigt höchstens {{#count}} Anbieter zugleich.',
  'Name at most {{#count}}.': 'Nennen Sie höchstens {{#count}}.',
  'No appointment can end then.': 'Dann kann kein Termin enden.',
  'Must be later than start, by a week at the most.': 'Muss nach dem Beginn liegen, höchstens eine Woche.',
  'Booking against the rules is for those who run the site; ask one of them.':
    'Gegen die Regeln buchen dürfen nur die, die den Standort führen; fragen Sie dort.',
  'This is no stretch of time off.': 'Das ist keine freie Zeit.',
  'One reservation lies in this time. Move or cancel it, or keep the time off despite it.':
    'Eine Buchung liegt in dieser Zeit. Verschieben Sie sie oder sagen Sie sie ab, oder behalten Sie die freie Zeit trotzdem.',
  '{{#count}} reservations lie in this time. Move or cancel them, or keep the time off despite them.':
    '{{#count}} Buchungen liegen in dieser Zeit. Verschieben Sie sie oder sagen Sie sie ab, oder behalten Sie die freie Zeit trotzdem.',
  'This time off is gone already.': 'Diese freie Zeit ist schon weg.',
  'Too many requests of this client are in flight; wait for them first.':
    'Von diesem Gerät oder Netz sind zu viele Anfragen unterwegs; warten Sie, bis sie beantwortet sind.',
  'You have too many screens of the panel open; close some of them.':
    'Sie haben die Verwaltung zu oft geöffnet; schließen Sie einige Fenster.',
  'Too many screens listen for changes; try later.': 'Zu viele Fenster warten auf Änderungen; versuchen Sie es später.',
  'A secret that was replaced does not come back.': 'Ein ersetztes Geheimnis kommt nicht zurück.',
  'What was removed does not come back; add it again.':
    'Was entfernt wurde, kommt nicht zurück; fügen Sie es neu hinzu.',
  'People, their passwords and sessions are changed under Team and Profile.':
    'Personen, ihre Passwörter und Sitzungen werden unter Team und Profil geändert.',
  'A token stays as it is; make another one.': 'Ein Token bleibt, wie es ist; erstellen Sie ein anderes.',
  'This only told of a changed wall time; the reservation stayed as it was.':
    'Das meldete nur eine andere Uhrzeit; die Buchung blieb, wie sie war.',
  'Customers who were merged are not taken apart again.': 'Zusammengeführte Kunden werden nicht wieder getrennt.',
  'What was erased is gone for good.': 'Was gelöscht wurde, ist für immer weg.',
  'A user of the website is not removed here.': 'Ein Benutzer der Website wird hier nicht entfernt.',
  'What stood here was erased.': 'Was hier stand, wurde gelöscht.',
  'This was undone already.': 'Das ist schon rückgängig gemacht.',
  'Changed again since: {{fields}}. Undo the later change first, or change it by hand.':
    'Inzwischen wieder geändert: {{fields}}. Machen Sie zuerst die spätere Änderung rückgängig, oder ändern Sie es von Hand.',
  'It is there again already.': 'Es ist schon wieder da.',
  'The history has no such entry.': 'Diesen Eintrag gibt es im Verlauf nicht.',
}
