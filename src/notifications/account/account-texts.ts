import type { Locale } from '../templates/template.ts'

/** The kinds of messages to users of the panel. */
export const accountKinds = [
  'invitation',
  'password_reset',
  'password_changed',
  'second_factor_changed',
  'new_sign_in',
  'webhook_disabled',
  'webhook_failing',
  'backup_overdue',
] as const

/** The kinds that an administrator can switch off; the others concern the security of an account or were asked for. */
export const switchableAccountKinds = [
  'new_sign_in',
  'webhook_disabled',
  'webhook_failing',
  'backup_overdue',
] as const satisfies readonly AccountKind[]

/** A kind of message to a user of the panel. */
export type AccountKind = (typeof accountKinds)[number]

/** The kinds that contain a one-time link. */
export const linkKinds: readonly AccountKind[] = ['invitation', 'password_reset']

/** Where in the panel a kind leads. */
export const panelPaths: Readonly<Partial<Record<AccountKind, string>>> = {
  new_sign_in: '/admin/profile',
  webhook_disabled: '/admin/settings/api?view=webhooks',
  webhook_failing: '/admin/settings/api?view=deliveries',
  backup_overdue: '/admin/settings/system',
}

/** The text of the link to the panel. */
export const panelLink: Readonly<Record<Locale, string>> = {
  en: 'Open in the panel',
  de: 'In der Verwaltung öffnen',
  es: 'Abrir en el panel',
  fr: 'Ouvrir dans l’administration',
}

interface AccountText {
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** `{site}` stands for the name of the site, `{detail}` for what the message is about, such as the address of a webhook; a link follows the first paragraph of kinds that have one. */
export const accountTexts: Readonly<Record<Locale, Readonly<Record<AccountKind, AccountText>>>> = {
  en: {
    invitation: {
      subject: 'Your account at {site}',
      paragraphs: [
        'An account has been created for you at {site}. Set your password with this link, which works once and for one hour:',
        'If the link has expired, ask your administrator for a new one.',
      ],
    },
    password_reset: {
      subject: 'Reset your password at {site}',
      paragraphs: [
        'Set a new password with this link, which works once and for one hour:',
        'If you did not ask for it, ignore this message; your password stays as it is.',
      ],
    },
    password_changed: {
      subject: 'Your password at {site} was changed',
      paragraphs: [
        'The password of your account has been changed. If it was not you, tell your administrator at once.',
      ],
    },
    second_factor_changed: {
      subject: 'The second factors of your account at {site} were changed',
      paragraphs: [
        'An authenticator app, a passkey or recovery codes of your account have been changed. If it was not you, tell your administrator at once.',
      ],
    },
    webhook_disabled: {
      subject: 'A webhook of {site} was switched off',
      paragraphs: [
        'The webhook {detail} has been switched off, as its deliveries failed for five days or its receiver is gone. Its events are kept: switch it on again in the panel and replay them.',
      ],
    },
    webhook_failing: {
      subject: 'A webhook of {site} is failing',
      paragraphs: [
        'The webhook {detail} has had no success for a day. Deliveries are repeated; after five days without success it is switched off. Its delivery log in the panel says why.',
      ],
    },
    backup_overdue: {
      subject: 'A backup of {site} is overdue',
      paragraphs: [
        'No backup of {site} has succeeded within the set time. Last backup: {detail}. Make one in the panel under Settings → System and backup, and check the timer that makes them.',
      ],
    },
    new_sign_in: {
      subject: 'New sign-in to your account at {site}',
      paragraphs: [
        'Your account was used to sign in with a browser that has not signed in before: {detail}. If it was not you, set a new password and end the session in your profile, and tell your administrator.',
      ],
    },
  },
  de: {
    invitation: {
      subject: 'Ihr Zugang bei {site}',
      paragraphs: [
        'Für Sie wurde ein Zugang bei {site} angelegt. Legen Sie mit diesem Link Ihr Passwort fest; er gilt einmal und eine Stunde lang:',
        'Ist der Link abgelaufen, bitten Sie Ihren Administrator um einen neuen.',
      ],
    },
    password_reset: {
      subject: 'Passwort zurücksetzen bei {site}',
      paragraphs: [
        'Legen Sie mit diesem Link ein neues Passwort fest; er gilt einmal und eine Stunde lang:',
        'Haben Sie ihn nicht angefordert, können Sie diese Nachricht ignorieren; Ihr Passwort bleibt unverändert.',
      ],
    },
    password_changed: {
      subject: 'Ihr Passwort bei {site} wurde geändert',
      paragraphs: [
        'Das Passwort Ihres Zugangs wurde geändert. Waren Sie es nicht, wenden Sie sich sofort an Ihren Administrator.',
      ],
    },
    second_factor_changed: {
      subject: 'Die zweiten Faktoren Ihres Zugangs bei {site} wurden geändert',
      paragraphs: [
        'Eine Authenticator-App, ein Passkey oder Wiederherstellungscodes Ihres Zugangs wurden geändert. Waren Sie es nicht, wenden Sie sich sofort an Ihren Administrator.',
      ],
    },
    webhook_disabled: {
      subject: 'Ein Webhook von {site} wurde abgeschaltet',
      paragraphs: [
        'Der Webhook {detail} wurde abgeschaltet, weil fünf Tage lang keine Zustellung gelang oder es den Empfänger nicht mehr gibt. Die Ereignisse bleiben erhalten: Schalten Sie ihn in der Verwaltung wieder ein und wiederholen Sie sie.',
      ],
    },
    webhook_failing: {
      subject: 'Ein Webhook von {site} schlägt fehl',
      paragraphs: [
        'An den Webhook {detail} gelang seit einem Tag keine Zustellung. Zustellungen werden wiederholt; nach fünf Tagen ohne Erfolg wird er abgeschaltet. Das Protokoll der Zustellungen in der Verwaltung nennt den Grund.',
      ],
    },
    backup_overdue: {
      subject: 'Eine Sicherung von {site} ist überfällig',
      paragraphs: [
        'Innerhalb der eingestellten Zeit ist keine Sicherung von {site} gelungen. Letzte Sicherung: {detail}. Erstellen Sie eine in der Verwaltung unter Einstellungen → System und Sicherung, und prüfen Sie den Timer, der sie erstellt.',
      ],
    },
    new_sign_in: {
      subject: 'Neue Anmeldung an Ihrem Zugang bei {site}',
      paragraphs: [
        'Mit Ihrem Zugang wurde in einem Browser angemeldet, der bisher nicht verwendet wurde: {detail}. Waren Sie es nicht, legen Sie in Ihrem Profil ein neues Passwort fest, beenden Sie dort die Sitzung und wenden Sie sich an Ihren Administrator.',
      ],
    },
  },
  es: {
    invitation: {
      subject: 'Su cuenta en {site}',
      paragraphs: [
        'Se ha creado una cuenta para usted en {site}. Establezca su contraseña con este enlace, que funciona una sola vez y durante una hora:',
        'Si el enlace ha caducado, pida uno nuevo a su administrador.',
      ],
    },
    password_reset: {
      subject: 'Restablecer su contraseña en {site}',
      paragraphs: [
        'Establezca una contraseña nueva con este enlace, que funciona una sola vez y durante una hora:',
        'Si no lo ha solicitado, ignore este mensaje; su contraseña no cambia.',
      ],
    },
    password_changed: {
      subject: 'Se ha cambiado su contraseña en {site}',
      paragraphs: [
        'Se ha cambiado la contraseña de su cuenta. Si no ha sido usted, avise enseguida a su administrador.',
      ],
    },
    second_factor_changed: {
      subject: 'Han cambiado los segundos factores de su cuenta en {site}',
      paragraphs: [
        'Se ha cambiado una aplicación de autenticación, una llave de acceso o los códigos de recuperación de su cuenta. Si no ha sido usted, avise enseguida a su administrador.',
      ],
    },
    webhook_disabled: {
      subject: 'Se ha desactivado un webhook de {site}',
      paragraphs: [
        'El webhook {detail} se ha desactivado porque sus entregas fallaron durante cinco días o su receptor ya no existe. Los eventos se conservan: actívelo de nuevo en el panel y repítalos.',
      ],
    },
    webhook_failing: {
      subject: 'Un webhook de {site} está fallando',
      paragraphs: [
        'El webhook {detail} no ha tenido ninguna entrega correcta desde hace un día. Las entregas se repiten; tras cinco días sin éxito se desactiva. El registro de entregas del panel indica la causa.',
      ],
    },
    backup_overdue: {
      subject: 'Una copia de seguridad de {site} está atrasada',
      paragraphs: [
        'No se ha completado ninguna copia de seguridad de {site} en el plazo fijado. Última copia: {detail}. Haga una en el panel, en Ajustes → Sistema y copia de seguridad, y compruebe el temporizador que las hace.',
      ],
    },
    new_sign_in: {
      subject: 'Nuevo inicio de sesión en su cuenta en {site}',
      paragraphs: [
        'Se ha iniciado sesión en su cuenta con un navegador que no se había usado antes: {detail}. Si no ha sido usted, establezca una contraseña nueva y cierre la sesión en su perfil, y avise a su administrador.',
      ],
    },
  },
  fr: {
    invitation: {
      subject: 'Votre compte chez {site}',
      paragraphs: [
        'Un compte a été créé pour vous chez {site}. Définissez votre mot de passe avec ce lien, valable une seule fois et pendant une heure :',
        'Si le lien a expiré, demandez-en un nouveau à votre administrateur.',
      ],
    },
    password_reset: {
      subject: 'Réinitialiser votre mot de passe chez {site}',
      paragraphs: [
        'Définissez un nouveau mot de passe avec ce lien, valable une seule fois et pendant une heure :',
        'Si vous n’avez rien demandé, ignorez ce message ; votre mot de passe reste inchangé.',
      ],
    },
    password_changed: {
      subject: 'Votre mot de passe chez {site} a été modifié',
      paragraphs: [
        'Le mot de passe de votre compte a été modifié. Si ce n’était pas vous, prévenez immédiatement votre administrateur.',
      ],
    },
    second_factor_changed: {
      subject: 'Les seconds facteurs de votre compte chez {site} ont été modifiés',
      paragraphs: [
        'Une application d’authentification, une clé d’accès ou des codes de récupération de votre compte ont été modifiés. Si ce n’était pas vous, prévenez immédiatement votre administrateur.',
      ],
    },
    webhook_disabled: {
      subject: 'Un webhook de {site} a été désactivé',
      paragraphs: [
        'Le webhook {detail} a été désactivé, car ses livraisons ont échoué pendant cinq jours ou son destinataire n’existe plus. Les événements sont conservés : réactivez-le dans l’administration et rejouez-les.',
      ],
    },
    webhook_failing: {
      subject: 'Un webhook de {site} est en échec',
      paragraphs: [
        'Le webhook {detail} n’a eu aucune livraison réussie depuis un jour. Les livraisons sont répétées ; après cinq jours sans succès, il est désactivé. Le journal des livraisons dans l’administration en donne la raison.',
      ],
    },
    backup_overdue: {
      subject: 'Une sauvegarde de {site} est en retard',
      paragraphs: [
        'Aucune sauvegarde de {site} n’a abouti dans le délai fixé. Dernière sauvegarde : {detail}. Faites-en une dans l’administration, sous Réglages → Système et sauvegarde, et vérifiez la minuterie qui s’en charge.',
      ],
    },
    new_sign_in: {
      subject: 'Nouvelle connexion à votre compte chez {site}',
      paragraphs: [
        'Une connexion à votre compte a eu lieu avec un navigateur jamais utilisé auparavant : {detail}. Si ce n’était pas vous, définissez un nouveau mot de passe et mettez fin à la session dans votre profil, et prévenez votre administrateur.',
      ],
    },
  },
}
