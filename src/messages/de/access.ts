import type { access as english } from '../en/access.ts'
import type { Translation } from '../message.ts'

export const access: Translation<typeof english> = {
  password_too_short: 'Ein Passwort hat mindestens {{count, number}} Zeichen.',
  password_too_long: 'Ein Passwort hat höchstens {{count, number}} Zeichen.',
  password_blank: 'Ein Passwort darf nicht nur aus Leerzeichen bestehen.',
  password_repeats: 'Ein Passwort darf nicht dieselben wenigen Zeichen wiederholen.',
  password_sequence: 'Ein Passwort darf keine Folge benachbarter Zeichen sein.',
  password_personal:
    'Ein Passwort darf nicht aus Ihrem Namen, Ihrer E-Mail-Adresse oder dem Namen des Betriebs gebildet sein.',
  password_common:
    'Dieses Passwort gehört zu denen, die zuerst ausprobiert werden; wählen Sie mehrere Wörter oder etwas Längeres.',
  recent_authentication_required: 'Bestätigen Sie, dass Sie es sind, dann geht es weiter.',
  second_factor_required: 'Ihre Rolle braucht einen zweiten Faktor; richten Sie zuerst einen ein.',
  sign_in_failed: 'E-Mail, Passwort oder Code ist falsch; prüfen Sie sie und versuchen Sie es noch einmal.',
  too_many_sign_ins: 'Zu viele Anmeldeversuche; warten Sie ein wenig, und versuchen Sie es dann noch einmal.',
  no_session: 'Melden Sie sich zuerst an.',
  session_ended: 'Diese Sitzung ist zu Ende; melden Sie sich neu an.',
  session_not_found: 'Diese Sitzung gibt es nicht; vielleicht ist sie von selbst zu Ende gegangen.',
  role_required: 'Das ist nur für Personen mit dieser Rolle: {{roles, list}}.',
  cross_site:
    'Diese Anfrage darf nur die Verwaltung selbst stellen. Hinter einem Proxy: Er muss den Header Host weitergeben, oder --public-url muss seine Adresse nennen.',
  user_exists: 'Mit der Adresse {{email}} gibt es schon jemanden.',
  user_not_found: 'Niemand hat diese Kennung; die Liste zeigt alle.',
  last_administrator: 'Das ist der einzige Administrator; legen Sie zuerst einen weiteren an.',
  provider_for_role_only: 'Nur wer die Rolle Anbieter hat, ist ein Anbieter; lassen Sie das leer.',
  no_such_provider_id: 'Einen Anbieter {{id}} gibt es nicht.',
  link_invalid: 'Dieser Link wurde benutzt oder ist zu alt; bitten Sie um einen neuen.',
  set_up_link_invalid:
    'Dieser Link wurde benutzt oder ist zu alt. Solange es keinen Administrator gibt, gibt jeder Start des Dienstes einen neuen aus.',
  code_wrong: 'Der Code ist falsch; prüfen Sie, ob die Uhren beider Geräte richtig gehen.',
  code_used: 'Dieser Code wurde schon benutzt; warten Sie auf den nächsten.',
  secret_key_missing: 'Wer den Dienst betreibt, muss zuerst DAYBOOK_SECRET_KEY setzen; siehe die Betriebsanleitung.',
  totp_exists: 'Es gibt schon eine Authenticator-App; entfernen Sie sie zuerst.',
  totp_not_begun: 'Keine Authenticator-App wartet darauf, bestätigt zu werden.',
  recovery_codes_alone: 'Wiederherstellungscodes vertreten einen zweiten Faktor; richten Sie zuerst einen ein.',
  passkey_not_registered:
    'Dieser Passkey ist schon hinzugefügt, oder es hat zu lange gedauert; beginnen Sie noch einmal.',
  passkey_not_found: 'Diesen Passkey gibt es nicht; die Liste zeigt Ihre.',
  passkey_answer_wrong: 'Die Antwort des Browsers passt nicht zu dem, was gefragt war; beginnen Sie noch einmal.',
  passkey_unknown: 'Dieser Passkey ist hier nicht bekannt; melden Sie sich auf anderem Weg an.',
  token_name_missing: 'Ein Token braucht einen Namen.',
  send_name: 'Geben Sie einen Namen ein.',
  token_expires_in_past: 'Ein Token muss in der Zukunft ablaufen.',
  send_later_time: 'Wählen Sie eine spätere Zeit, oder lassen Sie das leer.',
  token_not_found: 'Kein Token hat diese Kennung. „daybook token list“ zeigt alle.',
  missing_token: 'Senden Sie ein API-Token im Header „Authorization: Bearer <Token>“ oder X-SVC-API-Key.',
  invalid_token: 'Dieses API-Token ist nicht bekannt; prüfen Sie, ob es vollständig kopiert wurde.',
  revoked_token: 'Dieses API-Token wurde widerrufen; verwenden Sie ein anderes.',
  expired_token: 'Dieses API-Token ist abgelaufen; verwenden Sie ein anderes.',
  ambiguous_credentials: 'Senden Sie genau ein API-Token in genau einem Header.',
  scope_required: 'Dafür ist ein Token mit dem Umfang {{scope}} nötig.',
  too_many_wrong_tokens:
    'Von dieser Adresse kamen zu viele falsche Token; warten Sie, und senden Sie dann das richtige.',
  token_rate_exceeded: 'Dieses Token hat seine Anfragen für diese Minute verbraucht; warten Sie ein wenig.',
}
