import type { PanelTexts } from '../messages.ts'

/** Panel texts in French: short messages (SMS). */
export const sms: Pick<PanelTexts, 'sms'> = {
  sms: {
    sending: 'Messages courts',
    text: 'SMS ou messages de discussion aux clients qui les ont acceptés, en plus de l’e-mail, par l’interface HTTP d’un fournisseur.',
    enabled: 'Envoyer des messages courts',
    sendingOff: 'L’envoi est entièrement désactivé, sous Réglages. Les messages courts partent dès qu’il est activé.',
    gateway: 'Passerelle',
    gatewayText:
      'Une requête est envoyée pour chaque message. Votre fournisseur documente l’adresse, les identifiants et le corps.',
    preset: 'Commencer avec les réglages de',
    presetHelp: 'Remplit les champs ci-dessous ; remplacez les mots en majuscules.',
    presetNone: 'Choisir un fournisseur',
    url: 'Adresse',
    urlHelp: 'URL qui reçoit les requêtes ; https.',
    method: 'Méthode',
    contentType: 'Type de contenu',
    sender: 'Expéditeur',
    senderHelp: 'Le numéro ou le nom que votre fournisseur a enregistré pour vous.',
    user: 'Nom d’utilisateur',
    userHelp: 'Pour l’authentification HTTP Basic ; vide sinon.',
    passwordHelp: 'Enregistré chiffré.',
    passwordKept: 'Un mot de passe est enregistré. N’en saisissez un que pour le remplacer.',
    headers: 'En-têtes supplémentaires',
    headersHelp:
      'Un par ligne, comme Authorization: Bearer abc. Les valeurs sont enregistrées chiffrées et ne sont plus affichées.',
    headersKept: 'Enregistrés : {{names}}. Votre saisie les remplace.',
    body: 'Corps',
    bodyHelp:
      'Un modèle Liquid avec to, to_digits, sender, text, kind, locale, id et les variables des textes. Avec GET, la chaîne de requête.',
    refusals: 'Signes d’un numéro erroné',
    refusalsHelp:
      'Un texte par ligne. Si une réponse en contient un, le numéro ne peut pas recevoir de messages : plus rien ne lui est envoyé.',
    kinds: 'Messages envoyés',
    kindsHelp: 'Les rappels suivent les délais et les heures calmes des réglages.',
    urlMissing: 'Saisissez l’adresse.',
    bodyMissing: 'Saisissez le corps.',
    placeholderLeft: 'Remplacez les mots en majuscules par ceux de votre compte.',
    test: 'Message de test',
    testText: 'Envoie un message court avec les réglages enregistrés, même si l’envoi est désactivé.',
    testTo: 'Numéro de mobile',
    testToHelp: 'Avec l’indicatif du pays, comme +33 6 12 34 56 78.',
    testSent: 'La passerelle a accepté le message pour {{to}}. Vérifiez qu’il arrive.',
    consent: 'Messages courts',
    agreed: 'Acceptés au {{number}}',
    agreedAt: 'depuis le {{date}}',
    notAgreed: 'Non acceptés.',
    agree: 'Enregistrer le consentement',
    withdraw: 'Retirer le consentement',
    agreeTitle: 'Consentement aux messages courts',
    agreeText:
      'N’enregistrez un consentement que si le client l’a donné. L’historique conserve quand et par qui il a été enregistré.',
    number: 'Numéro de mobile',
    numberHelp: 'Avec l’indicatif du pays, comme +33 6 12 34 56 78.',
    agreedDone: 'Le consentement est enregistré.',
    withdrawnDone: 'Le consentement est retiré.',
    channel: 'Canal',
    channels: {
      email: 'E-mail',
      sms: 'Message court',
    },
    length:
      '{{count}} caractères ; les fournisseurs facturent par tranches de 160, ou de 70 avec des caractères spéciaux.',
    suppressedText: 'La passerelle a refusé le numéro le {{date}} : {{detail}}',
  },
}
