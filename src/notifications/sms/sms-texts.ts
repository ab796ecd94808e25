import type { NotificationKind } from '../notification.ts'
import type { Locale } from '../templates/template.ts'

type SmsKind = Extract<
  NotificationKind,
  | 'request_received'
  | 'confirmed'
  | 'declined'
  | 'payment_expired'
  | 'payment_returned'
  | 'card_returned'
  | 'fee_charged'
  | 'fee_requested'
  | 'rescheduled'
  | 'cancelled'
  | 'reminder'
  | 'follow_up'
>

const at = '{{ start }} ({{ timezone }})'

/** The default texts of short messages. */
const smsTexts: Readonly<Record<Locale, Readonly<Record<SmsKind, string>>>> = {
  en: {
    request_received: `{{ site.name }}: We received your request for {{ service.name }} on ${at} and will answer it shortly.`,
    confirmed: `{{ site.name }}: Your appointment is confirmed: {{ service.name }}, ${at}.`,
    declined:
      '{{ site.name }}: Unfortunately we cannot offer you {{ service.name }} on {{ start }}. Please choose another time.',
    payment_expired:
      '{{ site.name }}: Your booking of {{ service.name }} on {{ start_date }} was not completed and has ended. Nothing was charged.',
    payment_returned:
      '{{ site.name }}: Your payment for {{ service.name }} on {{ start_date }} came too late and goes back to you in full.',
    card_returned:
      '{{ site.name }}: Your card for {{ service.name }} on {{ start_date }} was saved too late. It was removed, and nothing was charged.',
    fee_charged:
      '{{ site.name }}: You did not come to {{ service.name }} on {{ start_date }}. As agreed, {{ fee }} was charged to your card.',
    fee_requested:
      '{{ site.name }}: Please pay the no-show fee of {{ fee }} for {{ service.name }} on {{ start_date }}. We have sent you the link by e-mail.',
    rescheduled: `{{ site.name }}: Your appointment has been moved: {{ service.name }}, now ${at}.`,
    cancelled: '{{ site.name }}: Your appointment {{ service.name }} on {{ start }} has been cancelled.',
    reminder: `{{ site.name }}: Reminder of your appointment {{ service.name }}, ${at}.`,
    follow_up: '{{ site.name }}: Thank you for your visit. We would be glad to see you again.',
  },
  de: {
    request_received: `{{ site.name }}: Ihre Anfrage für {{ service.name }} am ${at} ist eingegangen. Wir melden uns in Kürze.`,
    confirmed: `{{ site.name }}: Ihr Termin ist bestätigt: {{ service.name }}, ${at}.`,
    declined:
      '{{ site.name }}: Leider können wir Ihnen {{ service.name }} am {{ start }} nicht anbieten. Bitte wählen Sie eine andere Zeit.',
    payment_expired:
      '{{ site.name }}: Ihre Buchung von {{ service.name }} am {{ start_date }} wurde nicht abgeschlossen und besteht nicht mehr. Es wurde nichts abgebucht.',
    payment_returned:
      '{{ site.name }}: Ihre Zahlung für {{ service.name }} am {{ start_date }} kam zu spät; Sie erhalten sie vollständig zurück.',
    card_returned:
      '{{ site.name }}: Ihre Karte für {{ service.name }} am {{ start_date }} wurde zu spät hinterlegt. Sie wurde entfernt, es wurde nichts abgebucht.',
    fee_charged:
      '{{ site.name }}: Sie sind zu {{ service.name }} am {{ start_date }} nicht erschienen. Wie vereinbart wurden {{ fee }} von Ihrer Karte abgebucht.',
    fee_requested:
      '{{ site.name }}: Bitte bezahlen Sie die Ausfallgebühr von {{ fee }} für {{ service.name }} am {{ start_date }}. Den Link haben Sie per E-Mail erhalten.',
    rescheduled: `{{ site.name }}: Ihr Termin wurde verlegt: {{ service.name }}, jetzt ${at}.`,
    cancelled: '{{ site.name }}: Ihr Termin {{ service.name }} am {{ start }} wurde abgesagt.',
    reminder: `{{ site.name }}: Erinnerung an Ihren Termin {{ service.name }}, ${at}.`,
    follow_up: '{{ site.name }}: Vielen Dank für Ihren Besuch. Wir freuen uns auf ein Wiedersehen.',
  },
  es: {
    request_received: `{{ site.name }}: Hemos recibido su solicitud de {{ service.name }} para el ${at}. Le responderemos en breve.`,
    confirmed: `{{ site.name }}: Su cita está confirmada: {{ service.name }}, ${at}.`,
    declined:
      '{{ site.name }}: Lamentablemente no podemos ofrecerle {{ service.name }} el {{ start }}. Elija otra hora, por favor.',
    payment_expired:
      '{{ site.name }}: Su reserva de {{ service.name }} el {{ start_date }} no se completó y ya no es válida. No se ha cobrado nada.',
    payment_returned:
      '{{ site.name }}: Su pago de {{ service.name }} el {{ start_date }} llegó tarde; se lo devolvemos por completo.',
    card_returned:
      '{{ site.name }}: Su tarjeta para {{ service.name }} el {{ start_date }} se guardó demasiado tarde. Se ha eliminado y no se ha cobrado nada.',
    fee_charged:
      '{{ site.name }}: No acudió a {{ service.name }} el {{ start_date }}. Según lo acordado, se han cobrado {{ fee }} en su tarjeta.',
    fee_requested:
      '{{ site.name }}: Pague el cargo por ausencia de {{ fee }} por {{ service.name }} el {{ start_date }}. Le hemos enviado el enlace por correo electrónico.',
    rescheduled: `{{ site.name }}: Su cita ha cambiado: {{ service.name }}, ahora ${at}.`,
    cancelled: '{{ site.name }}: Su cita de {{ service.name }} del {{ start }} se ha cancelado.',
    reminder: `{{ site.name }}: Le recordamos su cita de {{ service.name }}, ${at}.`,
    follow_up: '{{ site.name }}: Gracias por su visita. Será un placer volver a verle.',
  },
  fr: {
    request_received: `{{ site.name }} : Nous avons reçu votre demande de {{ service.name }} pour le ${at} et vous répondrons sous peu.`,
    confirmed: `{{ site.name }} : Votre rendez-vous est confirmé : {{ service.name }}, ${at}.`,
    declined:
      '{{ site.name }} : Nous ne pouvons malheureusement pas vous proposer {{ service.name }} le {{ start }}. Veuillez choisir une autre heure.',
    payment_expired:
      '{{ site.name }} : Votre réservation de {{ service.name }} le {{ start_date }} n’a pas été finalisée et n’est plus valable. Rien n’a été débité.',
    payment_returned:
      '{{ site.name }} : Votre paiement pour {{ service.name }} le {{ start_date }} est arrivé trop tard et vous est entièrement restitué.',
    card_returned:
      '{{ site.name }} : Votre carte pour {{ service.name }} le {{ start_date }} a été enregistrée trop tard. Elle a été supprimée et rien n’a été débité.',
    fee_charged:
      '{{ site.name }} : Vous avez manqué votre rendez-vous {{ service.name }} du {{ start_date }}. Comme convenu, {{ fee }} ont été débités de votre carte.',
    fee_requested:
      '{{ site.name }} : Merci de régler les frais d’absence de {{ fee }} pour {{ service.name }} le {{ start_date }}. Nous vous avons envoyé le lien par e-mail.',
    rescheduled: `{{ site.name }} : Votre rendez-vous a été déplacé : {{ service.name }}, désormais ${at}.`,
    cancelled: '{{ site.name }} : Votre rendez-vous {{ service.name }} du {{ start }} a été annulé.',
    reminder: `{{ site.name }} : Rappel de votre rendez-vous {{ service.name }}, ${at}.`,
    follow_up: '{{ site.name }} : Merci de votre visite. Nous serons ravis de vous revoir.',
  },
}

/** Returns the default text of a kind in a language; `''` for a kind that is never sent as a short message. */
export function defaultSmsText(kind: NotificationKind, locale: Locale): string {
  const texts: Readonly<Partial<Record<NotificationKind, string>>> = smsTexts[locale]
  return texts[kind] ?? ''
}
