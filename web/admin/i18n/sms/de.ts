import type { PanelTexts } from '../messages.ts'

/** Panel texts in German: short messages (SMS). */
export const sms: Pick<PanelTexts, 'sms'> = {
  sms: {
    sending: 'Kurznachrichten',
    text: 'SMS oder Chatnachrichten an Kunden, die zugestimmt haben, zusätzlich zur E-Mail, über die HTTP-Schnittstelle eines Anbieters.',
    enabled: 'Kurznachrichten versenden',
    sendingOff:
      'Der Versand ist insgesamt ausgeschaltet, unter Einstellungen. Kurznachrichten werden versendet, sobald er eingeschaltet ist.',
    gateway: 'Gateway',
    gatewayText:
      'Für jede Nachricht wird eine Anfrage gesendet. Ihr Anbieter dokumentiert Adresse, Zugangsdaten und Inhalt.',
    preset: 'Mit den Einstellungen beginnen von',
    presetHelp: 'Füllt die Felder unten aus; ersetzen Sie die Wörter in Großbuchstaben.',
    presetNone: 'Anbieter auswählen',
    url: 'Adresse',
    urlHelp: 'URL, an die die Anfragen gehen; https.',
    method: 'Methode',
    contentType: 'Inhaltstyp',
    sender: 'Absender',
    senderHelp: 'Die Nummer oder der Name, die Ihr Anbieter für Sie eingerichtet hat.',
    user: 'Benutzername',
    userHelp: 'Für HTTP Basic Authentication; sonst leer.',
    passwordHelp: 'Wird verschlüsselt gespeichert.',
    passwordKept: 'Ein Passwort ist gespeichert. Geben Sie nur zum Ersetzen eines ein.',
    headers: 'Zusätzliche Header',
    headersHelp:
      'Einer je Zeile, zum Beispiel Authorization: Bearer abc. Die Werte werden verschlüsselt gespeichert und nicht wieder angezeigt.',
    headersKept: 'Gespeichert: {{names}}. Ihre Eingabe ersetzt sie.',
    body: 'Inhalt',
    bodyHelp:
      'Eine Liquid-Vorlage mit to, to_digits, sender, text, kind, locale, id und den Platzhaltern der Texte. Bei GET die Abfragezeichenfolge.',
    refusals: 'Zeichen einer falschen Nummer',
    refusalsHelp:
      'Ein Text je Zeile. Enthält eine Antwort einen davon, kann die Nummer keine Nachrichten empfangen: An sie wird nichts mehr gesendet.',
    kinds: 'Nachrichten, die versendet werden',
    kindsHelp: 'Für Erinnerungen gelten die Zeiten und Ruhezeiten der Einstellungen.',
    urlMissing: 'Geben Sie die Adresse ein.',
    bodyMissing: 'Geben Sie den Inhalt ein.',
    placeholderLeft: 'Ersetzen Sie die Wörter in Großbuchstaben durch die Ihres Kontos.',
    test: 'Testnachricht',
    testText: 'Sendet eine Kurznachricht mit den gespeicherten Einstellungen, auch bei ausgeschaltetem Versand.',
    testTo: 'Mobilnummer',
    testToHelp: 'Mit Landesvorwahl, zum Beispiel +49 151 23456789.',
    testSent: 'Das Gateway hat die Nachricht an {{to}} angenommen. Prüfen Sie, ob sie ankommt.',
    consent: 'Kurznachrichten',
    agreed: 'Zugestimmt für {{number}}',
    agreedAt: 'seit {{date}}',
    notAgreed: 'Nicht zugestimmt.',
    agree: 'Zustimmung festhalten',
    withdraw: 'Zustimmung widerrufen',
    agreeTitle: 'Zustimmung zu Kurznachrichten',
    agreeText:
      'Halten Sie eine Zustimmung nur fest, wenn der Kunde sie gegeben hat. Der Verlauf bewahrt, wann und durch wen sie festgehalten wurde.',
    number: 'Mobilnummer',
    numberHelp: 'Mit Landesvorwahl, zum Beispiel +49 151 23456789.',
    agreedDone: 'Die Zustimmung ist festgehalten.',
    withdrawnDone: 'Die Zustimmung ist widerrufen.',
    channel: 'Kanal',
    channels: {
      email: 'E-Mail',
      sms: 'Kurznachricht',
    },
    length: '{{count}} Zeichen; Anbieter berechnen je 160, oder je 70 mit besonderen Zeichen.',
    suppressedText: 'Das Gateway hat die Nummer am {{date}} abgelehnt: {{detail}}',
  },
}
