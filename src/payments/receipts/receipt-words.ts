import { primaryLanguage, regionalTag } from '../../messages/language-tag.ts'

/** The texts of receipts and credit notes in one language; `{rate}` in `tax` is replaced by the tax rate. */
interface ReceiptWords {
  readonly receipt: string
  readonly creditNote: string
  readonly number: string
  readonly date: string
  readonly correctsReceipt: string
  readonly correctsCreditNote: string
  readonly customer: string
  readonly service: string
  readonly serviceDate: string
  readonly reservation: string
  readonly amountPaid: string
  readonly amountReturned: string
  readonly tax: string
  readonly net: string
  readonly method: string
  readonly online: string
  readonly onSite: string
  readonly voucher: string
  readonly taxNumber: string
}

/** The texts of receipts in each language in which receipts are printed. */
const receiptWords = {
  en: {
    receipt: 'Receipt',
    creditNote: 'Credit note',
    number: 'Number',
    date: 'Date of issue',
    correctsReceipt: 'For receipt',
    correctsCreditNote: 'Replaces credit note',
    customer: 'Customer',
    service: 'Service',
    serviceDate: 'Date of service',
    reservation: 'Reservation',
    amountPaid: 'Amount paid',
    amountReturned: 'Amount returned',
    tax: 'Tax included ({rate})',
    net: 'Amount before tax',
    method: 'Payment',
    online: 'Online',
    onSite: 'On site',
    voucher: 'Gift voucher',
    taxNumber: 'Tax number',
  },
  de: {
    receipt: 'Zahlungsbeleg',
    creditNote: 'Erstattungsbeleg',
    number: 'Nummer',
    date: 'Ausstellungsdatum',
    correctsReceipt: 'Zu Zahlungsbeleg',
    correctsCreditNote: 'Ersetzt Erstattungsbeleg',
    customer: 'Kunde',
    service: 'Leistung',
    serviceDate: 'Datum der Leistung',
    reservation: 'Buchung',
    amountPaid: 'Gezahlter Betrag',
    amountReturned: 'Erstatteter Betrag',
    tax: 'Enthaltene Steuer ({rate})',
    net: 'Betrag ohne Steuer',
    method: 'Zahlung',
    online: 'Online',
    onSite: 'Vor Ort',
    voucher: 'Gutschein',
    taxNumber: 'Steuernummer',
  },
  es: {
    receipt: 'Recibo',
    creditNote: 'Nota de abono',
    number: 'Número',
    date: 'Fecha de emisión',
    correctsReceipt: 'Corresponde al recibo',
    correctsCreditNote: 'Sustituye la nota de abono',
    customer: 'Cliente',
    service: 'Servicio',
    serviceDate: 'Fecha del servicio',
    reservation: 'Reserva',
    amountPaid: 'Importe pagado',
    amountReturned: 'Importe devuelto',
    tax: 'Impuesto incluido ({rate})',
    net: 'Importe sin impuesto',
    method: 'Pago',
    online: 'En línea',
    onSite: 'En el local',
    voucher: 'Cheque regalo',
    taxNumber: 'Número fiscal',
  },
  fr: {
    receipt: 'Reçu',
    creditNote: 'Avoir',
    number: 'Numéro',
    date: 'Date d’émission',
    correctsReceipt: 'Pour le reçu',
    correctsCreditNote: 'Remplace l’avoir',
    customer: 'Client',
    service: 'Prestation',
    serviceDate: 'Date de la prestation',
    reservation: 'Réservation',
    amountPaid: 'Montant payé',
    amountReturned: 'Montant remboursé',
    tax: 'Taxe comprise ({rate})',
    net: 'Montant hors taxe',
    method: 'Paiement',
    online: 'En ligne',
    onSite: 'Sur place',
    voucher: 'Bon cadeau',
    taxNumber: 'Numéro fiscal',
  },
} as const satisfies Readonly<Record<string, ReceiptWords>>

/**
 * Returns the texts for a language tag, with the tag by which `Intl` formats amounts and dates beside them; English when
 * there are no texts in the language.
 */
export function wordsOfReceipt(tag: string): { readonly locale: string; readonly words: ReceiptWords } {
  const language = primaryLanguage(tag)
  const hasWords = (name: string): name is keyof typeof receiptWords => Object.hasOwn(receiptWords, name)
  if (hasWords(language)) return { locale: regionalTag(tag), words: receiptWords[language] }
  return { locale: 'en', words: receiptWords.en }
}
