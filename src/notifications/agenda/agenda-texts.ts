import type { Locale } from '../templates/template.ts'

interface AgendaText {
  readonly subject: string
  readonly first: string
  readonly pending: string
}

/** The texts of the agenda by language. `{date}` stands for the day, `{count}` for the number of appointments. */
export const agendaTexts: Readonly<Record<Locale, AgendaText>> = {
  en: {
    subject: 'Your appointments on {date}: {count}',
    first: 'Your appointments on {date}:',
    pending: 'waits for approval',
  },
  de: {
    subject: 'Ihre Termine am {date}: {count}',
    first: 'Ihre Termine am {date}:',
    pending: 'noch nicht bestätigt',
  },
  es: {
    subject: 'Sus citas del {date}: {count}',
    first: 'Sus citas del {date}:',
    pending: 'pendiente de aprobación',
  },
  fr: {
    subject: 'Vos rendez-vous du {date} : {count}',
    first: 'Vos rendez-vous du {date} :',
    pending: 'en attente de confirmation',
  },
}
