import type { Locale } from '../templates/template.ts'

interface BookingsText {
  readonly subject: string
  /** The paragraphs of the message; the link follows the first one. */
  readonly paragraphs: readonly string[]
}

/** The texts of the message by language. `{site}` stands for the name of the site. */
export const bookingsTexts: Readonly<Record<Locale, BookingsText>> = {
  en: {
    subject: 'Your bookings at {site}',
    paragraphs: [
      'See and change your bookings at {site} with this link, which works once and for one hour:',
      'If you did not ask for it, ignore this message.',
    ],
  },
  de: {
    subject: 'Ihre Buchungen bei {site}',
    paragraphs: [
      'Mit diesem Link sehen und ändern Sie Ihre Buchungen bei {site}. Er gilt einmal und eine Stunde lang:',
      'Wenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht.',
    ],
  },
  es: {
    subject: 'Sus reservas en {site}',
    paragraphs: [
      'Vea y cambie sus reservas en {site} con este enlace, que sirve una vez y durante una hora:',
      'Si no lo ha pedido, ignore este mensaje.',
    ],
  },
  fr: {
    subject: 'Vos réservations chez {site}',
    paragraphs: [
      'Consultez et modifiez vos réservations chez {site} avec ce lien, valable une fois et pendant une heure :',
      'Si vous ne l’avez pas demandé, ignorez ce message.',
    ],
  },
}
