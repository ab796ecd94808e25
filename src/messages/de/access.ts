import type { access as english } from '../en/access.ts'
import type { Translation } from '../message.ts'

export const access: Translation<typeof english> = {
  password_too_short: 'Ein Passwort muss mindestens {{count, number}} Zeichen haben.',
  password_too_long: 'Ein Passwort darf höchstens {{count, number}} Zeichen haben.',
  password_blank: 'Ein Passwort darf nicht nur aus Leerzeichen bestehen.',
  password_repeats: 'Ein Passwort darf nicht nur dieselben wenigen Zeichen wiederholen.',
  password_sequence: 'Ein Passwort darf keine Folge benachbarter Zeichen sein.',
  password_personal:
    'Ein Passwort darf nicht nur aus Ihrem Namen, Ihrer E-Mail-Adresse oder dem Namen des Betriebs bestehen.',
  password_common: 'Dieses Passwort ist zu gebräuchlich; wählen Sie mehrere Wörter oder etwas Längeres.',
  recent_authentication_required: 'Bestätigen Sie Ihre Identität, um fortzufahren.',
  second_factor_required: 'Ihre Rolle erfordert einen zweiten Faktor; richten Sie zuerst einen ein.',
  sign_in_failed:
    'E-Mail-Adresse, Passwort oder Code ist falsch; prüfen Sie Ihre Eingaben und versuchen Sie es erneut.',
  too_many_sign_ins: 'Zu viele Anmeldeversuche; warten Sie etwas und versuchen Sie es dann erneut.',
  no_session: 'Melden Sie sich zuerst an.',
  session_ended: 'Diese Sitzung ist abgelaufen; melden Sie sich erneut an.',
  session_not_found: 'Diese Sitzung gibt es nicht; vielleicht ist sie abgelaufen.',
  role_required: 'Das dürfen nur Benutzer mit einer dieser Rollen: {{roles, list}}.',
  role_admin: 'Administrator',
  role_manager: 'Leitung',
  role_receptionist: 'Empfang',
  role_provider: 'Anbieter',
  role_read_only: 'Nur lesen',
  cross_site:
    'Diese Anfrage darf nur die Verwaltung selbst stellen. Hinter einem Proxy muss der Header Host weitergegeben werden oder --public-url die öffentliche Adresse nennen.',
  user_exists: 'Es gibt bereits einen Benutzer mit der Adresse {{email}}.',
  user_not_found: 'Es gibt keinen Benutzer mit dieser Kennung; die Liste zeigt alle Benutzer.',
  user_disabled: 'Dieser Benutzer ist gesperrt. Heben Sie die Sperre zuerst auf.',
  last_administrator: 'Das ist der einzige Administrator; fügen Sie zuerst einen weiteren hinzu.',
  provider_for_role_only:
    'Nur ein Benutzer mit der Rolle Anbieter kann mit einem Anbieter verknüpft sein; lassen Sie das leer.',
  no_such_provider_id: 'Es gibt keinen Anbieter {{id}}.',
  link_invalid: 'Dieser Link wurde bereits verwendet oder ist abgelaufen; bitten Sie um einen neuen.',
  set_up_link_invalid:
    'Dieser Link wurde bereits verwendet oder ist abgelaufen. Solange es keinen Administrator gibt, gibt der Dienst bei jedem Start einen neuen aus.',
  code_wrong: 'Der Code ist falsch; prüfen Sie, ob die Uhren beider Geräte richtig gehen.',
  code_used: 'Dieser Code wurde bereits verwendet; warten Sie auf den nächsten.',
  secret_key_missing: 'Der Betreiber des Dienstes muss zuerst DAYBOOK_SECRET_KEY setzen; siehe Betriebshandbuch.',
  totp_exists: 'Es ist bereits eine Authenticator-App eingerichtet; entfernen Sie sie zuerst.',
  totp_not_begun: 'Es wird gerade keine Authenticator-App eingerichtet.',
  recovery_codes_alone: 'Wiederherstellungscodes setzen einen zweiten Faktor voraus; richten Sie zuerst einen ein.',
  passkey_not_registered:
    'Dieser Passkey ist bereits registriert, oder es hat zu lange gedauert; beginnen Sie von vorn.',
  passkey_not_found: 'Diesen Passkey gibt es nicht; die Liste zeigt Ihre.',
  passkey_answer_wrong: 'Die Antwort des Browsers passt nicht zur Anfrage; beginnen Sie von vorn.',
  passkey_unknown: 'Dieser Passkey ist hier nicht registriert; melden Sie sich auf andere Weise an.',
  token_name_missing: 'Ein Token braucht einen Namen.',
  send_name: 'Geben Sie einen Namen ein.',
  token_expires_in_past: 'Ein Token muss in der Zukunft ablaufen.',
  send_later_time: 'Wählen Sie eine spätere Zeit, oder lassen Sie das leer.',
  token_not_found: 'Kein Token hat diese Kennung. „daybook token list“ zeigt alle.',
  missing_token: 'Senden Sie ein API-Token im Header „Authorization: Bearer <Token>“ oder X-SVC-API-Key.',
  invalid_token: 'Dieses API-Token ist ungültig; prüfen Sie, ob es vollständig kopiert wurde.',
  revoked_token: 'Dieses API-Token wurde widerrufen; verwenden Sie ein anderes.',
  expired_token: 'Dieses API-Token ist abgelaufen; verwenden Sie ein anderes.',
  ambiguous_credentials: 'Senden Sie genau ein API-Token in genau einem Header.',
  scope_required: 'Dafür ist ein Token mit der Berechtigung {{scope}} erforderlich.',
  too_many_wrong_tokens:
    'Von dieser Adresse kamen zu viele falsche Token; warten Sie, und senden Sie dann das richtige.',
  token_rate_exceeded: 'Dieses Token hat sein Anfragelimit für diese Minute erreicht; warten Sie etwas.',
}
