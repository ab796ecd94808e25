import type { SaidOf } from '../said.ts'
import type { people as english } from './en.ts'

/** What the service says of who signs in, and of tokens. */
export const people: SaidOf<typeof english> = {
  'A password has at least {{#count}} characters.': 'Ein Passwort hat mindestens {{#count}} Zeichen.',
  'A password has at most {{#count}} characters.': 'Ein Passwort hat höchstens {{#count}} Zeichen.',
  'A password cannot consist of spaces alone.': 'Ein Passwort darf nicht nur aus Leerzeichen bestehen.',
  'A password cannot repeat the same few characters.': 'Ein Passwort darf nicht dieselben wenigen Zeichen wiederholen.',
  'A password cannot be a sequence of neighbouring characters.':
    'Ein Passwort darf keine Folge benachbarter Zeichen sein.',
  'A password cannot be made of your name, your e-mail address or the name of the site.':
    'Ein Passwort darf nicht aus Ihrem Namen, Ihrer E-Mail-Adresse oder dem Namen des Betriebs gebildet sein.',
  'This password is among those that are tried first; choose several words, or something longer.':
    'Dieses Passwort gehört zu denen, die zuerst ausprobiert werden; wählen Sie mehrere Wörter oder etwas Längeres.',
  'Confirm that it is you, then this can go on.': 'Bestätigen Sie, dass Sie es sind, dann geht es weiter.',
  'Your role needs a second factor; set one up first.':
    'Ihre Rolle braucht einen zweiten Faktor; richten Sie zuerst einen ein.',
  'E-mail, password or code is wrong; check them and try again.':
    'E-Mail, Passwort oder Code ist falsch; prüfen Sie sie und versuchen Sie es noch einmal.',
  'Too many attempts to sign in; wait a little, then try again.':
    'Zu viele Anmeldeversuche; warten Sie ein wenig, und versuchen Sie es dann noch einmal.',
  'Sign in to the panel first.': 'Melden Sie sich zuerst an.',
  'This session is over; sign in again.': 'Diese Sitzung ist zu Ende; melden Sie sich neu an.',
  'There is no such session; it may have ended by itself.':
    'Diese Sitzung gibt es nicht; vielleicht ist sie von selbst zu Ende gegangen.',
  'This is for people with the role {{roles}}.': 'Das ist nur für Personen mit dieser Rolle: {{roles}}.',
  'Only the panel itself may ask this. Behind a proxy: it must pass the header Host on, or --public-url must name its address.':
    'Das darf nur die Verwaltung selbst fragen. Hinter einem Proxy: Er muss den Header Host weitergeben, oder --public-url muss seine Adresse nennen.',
  'There is a user with the address {{email}} already.': 'Mit der Adresse {{email}} gibt es schon jemanden.',
  'There is no user with this id; the list shows them all.': 'Niemand hat diese Kennung; die Liste zeigt alle.',
  'This is the only administrator; make another one first.':
    'Das ist der einzige Administrator; legen Sie zuerst einen weiteren an.',
  'Only a person with the role provider is a provider; leave it out or null.':
    'Nur wer die Rolle Anbieter hat, ist ein Anbieter; lassen Sie das leer.',
  'There is no provider {{id}}.': 'Einen Anbieter {{id}} gibt es nicht.',
  'This link was used or is too old; ask for a new one.':
    'Dieser Link wurde benutzt oder ist zu alt; bitten Sie um einen neuen.',
  'This link was used or is too old. While there is no administrator, each start of the service prints a new one.':
    'Dieser Link wurde benutzt oder ist zu alt. Solange es keinen Administrator gibt, gibt jeder Start des Dienstes einen neuen aus.',
  'The code is wrong; check that the clocks of both devices are right.':
    'Der Code ist falsch; prüfen Sie, ob die Uhren beider Geräte richtig gehen.',
  'This code was used already; wait for the next one.': 'Dieser Code wurde schon benutzt; warten Sie auf den nächsten.',
  'Whoever runs the service must set DAYBOOK_SECRET_KEY first; see the operations guide.':
    'Wer den Dienst betreibt, muss zuerst DAYBOOK_SECRET_KEY setzen; siehe die Betriebsanleitung.',
  'There is an authenticator app already; remove it first.':
    'Es gibt schon eine Authenticator-App; entfernen Sie sie zuerst.',
  'No authenticator app waits to be confirmed.': 'Keine Authenticator-App wartet darauf, bestätigt zu werden.',
  'Recovery codes stand in for a second factor; set one up first.':
    'Wiederherstellungscodes vertreten einen zweiten Faktor; richten Sie zuerst einen ein.',
  'This passkey is registered already, or took too long; begin again.':
    'Dieser Passkey ist schon hinzugefügt, oder es hat zu lange gedauert; beginnen Sie noch einmal.',
  'There is no such passkey; the list shows yours.': 'Diesen Passkey gibt es nicht; die Liste zeigt Ihre.',
  'The browser’s answer does not fit what was asked; begin again.':
    'Die Antwort des Browsers passt nicht zu dem, was gefragt war; beginnen Sie noch einmal.',
  'This passkey is not known here; sign in another way.':
    'Dieser Passkey ist hier nicht bekannt; melden Sie sich auf anderem Weg an.',
  'A token needs a name.': 'Ein Token braucht einen Namen.',
  'Send a name.': 'Geben Sie einen Namen ein.',
  'A token must expire in the future.': 'Ein Token muss in der Zukunft ablaufen.',
  'Send a later time, or null.': 'Wählen Sie eine spätere Zeit, oder lassen Sie das leer.',
  'There is no token with this id. "daybook token list" shows them all.':
    'Kein Token hat diese Kennung. „daybook token list“ zeigt alle.',
}
