import type { SaidOf } from '../said.ts'
import type { people as english } from './en.ts'

/** What the service says of who signs in, and of tokens. */
export const people: SaidOf<typeof english> = {
  'A password has at least {{#count}} characters.': 'Un mot de passe a au moins {{#count}} caractères.',
  'A password has at most {{#count}} characters.': 'Un mot de passe a au plus {{#count}} caractères.',
  'A password cannot consist of spaces alone.': 'Un mot de passe ne peut pas se composer uniquement d’espaces.',
  'A password cannot repeat the same few characters.':
    'Un mot de passe ne peut pas répéter les mêmes quelques caractères.',
  'A password cannot be a sequence of neighbouring characters.':
    'Un mot de passe ne peut pas être une suite de caractères voisins.',
  'A password cannot be made of your name, your e-mail address or the name of the site.':
    'Un mot de passe ne peut pas être formé de votre nom, de votre adresse e-mail ou du nom du site.',
  'This password is among those that are tried first; choose several words, or something longer.':
    'Ce mot de passe fait partie de ceux qu’on essaie en premier ; choisissez plusieurs mots ou quelque chose de plus long.',
  'Confirm that it is you, then this can go on.': 'Confirmez que c’est bien vous, puis cela pourra continuer.',
  'Your role needs a second factor; set one up first.':
    'Votre rôle exige un second facteur ; configurez-en d’abord un.',
  'E-mail, password or code is wrong; check them and try again.':
    'L’adresse e-mail, le mot de passe ou le code est faux ; vérifiez-les et réessayez.',
  'Too many attempts to sign in; wait a little, then try again.':
    'Trop de tentatives de connexion ; attendez un peu, puis réessayez.',
  'Sign in to the panel first.': 'Connectez-vous d’abord.',
  'This session is over; sign in again.': 'Cette session est terminée ; reconnectez-vous.',
  'There is no such session; it may have ended by itself.':
    'Cette session n’existe pas ; elle s’est peut-être terminée d’elle-même.',
  'This is for people with the role {{roles}}.': 'C’est réservé aux personnes ayant ce rôle : {{roles}}.',
  'Only the panel itself may ask this. Behind a proxy: it must pass the header Host on, or --public-url must name its address.':
    'Seule l’administration elle-même peut demander cela. Derrière un proxy : il doit transmettre l’en-tête Host, ou --public-url doit donner son adresse.',
  'There is a user with the address {{email}} already.': 'Il y a déjà quelqu’un avec l’adresse {{email}}.',
  'There is no user with this id; the list shows them all.':
    'Personne n’a cet identifiant ; la liste montre tout le monde.',
  'This is the only administrator; make another one first.':
    'C’est le seul administrateur ; créez-en d’abord un autre.',
  'Only a person with the role provider is a provider; leave it out or null.':
    'Seule une personne ayant le rôle Praticien est un praticien ; laissez ce champ vide.',
  'There is no provider {{id}}.': 'Il n’y a pas de praticien {{id}}.',
  'This link was used or is too old; ask for a new one.':
    'Ce lien a déjà servi ou est trop ancien ; demandez-en un autre.',
  'This link was used or is too old. While there is no administrator, each start of the service prints a new one.':
    'Ce lien a déjà servi ou est trop ancien. Tant qu’il n’y a pas d’administrateur, chaque démarrage du service en affiche un nouveau.',
  'The code is wrong; check that the clocks of both devices are right.':
    'Le code est faux ; vérifiez que les horloges des deux appareils sont à l’heure.',
  'This code was used already; wait for the next one.': 'Ce code a déjà servi ; attendez le suivant.',
  'Whoever runs the service must set DAYBOOK_SECRET_KEY first; see the operations guide.':
    'L’exploitant du service doit d’abord définir DAYBOOK_SECRET_KEY ; voir le guide d’exploitation.',
  'There is an authenticator app already; remove it first.':
    'Il y a déjà une application d’authentification ; retirez-la d’abord.',
  'No authenticator app waits to be confirmed.': 'Aucune application d’authentification n’attend d’être confirmée.',
  'Recovery codes stand in for a second factor; set one up first.':
    'Les codes de secours remplacent un second facteur ; installez-en d’abord un.',
  'This passkey is registered already, or took too long; begin again.':
    'Cette clé d’accès est déjà ajoutée, ou cela a pris trop de temps ; recommencez.',
  'There is no such passkey; the list shows yours.': 'Cette clé d’accès n’existe pas ; la liste montre les vôtres.',
  'The browser’s answer does not fit what was asked; begin again.':
    'La réponse du navigateur ne correspond pas à la demande ; recommencez.',
  'This passkey is not known here; sign in another way.':
    'Cette clé d’accès n’est pas connue ici ; connectez-vous autrement.',
  'A token needs a name.': 'Un jeton a besoin d’un nom.',
  'Send a name.': 'Saisissez un nom.',
  'A token must expire in the future.': 'Un jeton doit expirer dans le futur.',
  'Send a later time, or null.': 'Choisissez un moment plus tard, ou laissez ce champ vide.',
  'There is no token with this id. "daybook token list" shows them all.':
    'Aucun jeton n’a cet identifiant. « daybook token list » les montre tous.',
}
