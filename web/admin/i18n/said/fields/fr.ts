import type { SaidOf } from '../said.ts'
import type { fields as english } from './en.ts'

/** What the service says beside fields and of lists, bodies and site files. */
export const fields: SaidOf<typeof english> = {
  'Something is wrong with what was sent; see: {{names}}.':
    'Quelque chose ne va pas dans la saisie ; voir : {{names}}.',
  'Something required is missing: {{names}}.': 'Il manque quelque chose de nécessaire : {{names}}.',
  'Must be {{=expected}}.': 'Doit être {{=expected}}.',
  'Missing: send {{=expected}}.': 'Manque ; il faut {{=expected}}.',
  '{{=expected}}, or {{=other}}': '{{=expected}} ou {{=other}}',
  'one of {{words}}': 'une des valeurs {{words}}',
  null: 'vide',
  'true or false': 'true ou false',
  'a list': 'une liste',
  'an object': 'un objet',
  'a text': 'un texte',
  'a text of {{#least}} to {{#most}} characters': 'un texte de {{#least}} à {{#most}} caractères',
  'a text of at most {{#most}} characters': 'un texte d’au plus {{#most}} caractères',
  'a whole number': 'un nombre entier',
  'a whole number from {{#least}} to {{#most}}': 'un nombre entier de {{#least}} à {{#most}}',
  'a whole number from {{#least}} up': 'un nombre entier à partir de {{#least}}',
  'an e-mail address such as name@example.com': 'une adresse e-mail telle que name@example.com',
  'a CSS colour such as #3366cc': 'une couleur CSS telle que #3366cc',
  'an IANA time zone such as Europe/Berlin': 'un fuseau horaire IANA tel que Europe/Paris',
  'a language tag such as en or pt-BR': 'un code de langue tel que en ou pt-BR',
  'a date such as 2026-12-24': 'une date telle que 2026-12-24',
  'opening hours such as 09:00-17:00 or 22:00-02:00': 'une plage horaire telle que 09:00-17:00 ou 22:00-02:00',
  'a local time such as 2026-12-01T09:00': 'une heure locale telle que 2026-12-01T09:00',
  'an address that begins with http:// or https://': 'une adresse qui commence par http:// ou https://',
  'a currency code such as EUR': 'un code de devise tel que EUR',
  'a key: one line of text, without blanks around it': 'une clé (une ligne de texte sans espaces autour)',
  's_ and 32 letters or digits': 's_ et 32 lettres ou chiffres',
  'c_ and 32 letters or digits': 'c_ et 32 lettres ou chiffres',
  'r_ and 32 letters or digits': 'r_ et 32 lettres ou chiffres',
  'a provider id: a whole number or a text': 'le numéro d’un praticien (un nombre entier ou un texte)',
  'the id of a host user: a whole number from 1 up, or 0 for none':
    'l’identifiant d’un utilisateur du site web (un nombre entier à partir de 1, ou 0 pour aucun)',
  'ids with commas between them': 'une suite d’identifiants séparés par des virgules',
  'provider ids with commas between them': 'une suite de numéros de praticiens séparés par des virgules',
  'Must be true or false.': 'Doit être true ou false.',
  'Must be a whole number.': 'Doit être un nombre entier.',
  'Must be a whole number of minutes from 1 to 10,080.': 'Doit être un nombre entier de minutes, de 1 à 10 080.',
  'Must be a name of 1 to 200 characters.': 'Doit être un nom de 1 à 200 caractères.',
  'Must be a text of at most 10,000 characters.': 'Doit être un texte d’au plus 10 000 caractères.',
  'Must be a CSS colour such as #3366cc, or null.': 'Doit être une couleur CSS telle que #3366cc, ou vide.',
  'Must be a list.': 'Doit être une liste.',
  'Must be a list of at most {{#count}}.': 'Doit être une liste d’au plus {{#count}}.',
  'Must be an object.': 'Doit être un objet.',
  'Must hold at most {{#count}} keys.': 'Peut contenir au plus {{#count}} clés.',
  'Must nest at most {{#count}} levels.': 'Peut avoir au plus {{#count}} niveaux.',
  'Must be at most {{#count}} bytes of JSON.': 'Peut occuper au plus {{#count}} octets de JSON.',
  'Keeps at most {{#count}} keys; remove some first.': 'On garde au plus {{#count}} clés ; retirez-en d’abord.',
  'Keeps at most {{#count}} bytes of JSON; send less.':
    'On garde au plus {{#count}} octets de JSON ; envoyez-en moins.',
  'The data does not fit.': 'Les données ne tiennent pas.',
  'Is not known here.': 'N’est pas connu ici.',
  'Is not known here; did you mean "{{name}}"?': 'N’est pas connu ici ; vouliez-vous dire « {{name}} » ?',
  'Is sent more than once; send it once.': 'Est envoyé plus d’une fois ; envoyez-le une fois.',
  'Some values cannot be kept.': 'Certaines valeurs ne peuvent pas être enregistrées.',
  'Some settings are changed in the panel only.': 'Certains réglages ne se changent que dans l’administration.',
  'Is changed in the panel; leave it as it is.': 'Se change dans l’administration ; laissez-le tel quel.',
  'Differs from the {{name}} sent beside data; send one of them.':
    'Diffère de {{name}} envoyé à côté de data ; envoyez l’un des deux.',
  'Must not be before the first day.': 'Ne peut pas précéder le premier jour.',
  'The period is none that can be counted.': 'Cette période ne peut pas être comptée.',
  'Must be the same date as from or a later one, and no more than {{#days}} days later.':
    'Ne peut pas précéder la première date, ni la suivre de plus de {{#days}} jours.',
  'This list goes no further than its first 10,000 entries.':
    'Cette liste ne va pas plus loin que ses 10 000 premières entrées.',
  'Is behind the first 10,000 entries; narrow the list by a search, or turn its order around.':
    'Se trouve après les 10 000 premières entrées ; resserrez la liste par une recherche, ou inversez son ordre.',
  'Is behind the first 10,000 entries; narrow the list by a filter, or turn its order around.':
    'Se trouve après les 10 000 premières entrées ; resserrez la liste par un filtre, ou inversez son ordre.',
  'More than 10,000 customers are called that.': 'Plus de 10 000 clients portent ce nom.',
  'Fits more than 10,000 customers; type more of the name, the address or the number.':
    'Correspond à plus de 10 000 clients ; saisissez plus du nom, de l’adresse ou du numéro.',
  'More than 500 customers are called that.': 'Plus de 500 clients portent ce nom.',
  'Fits more than 500 customers; type more of the name, the address or the number.':
    'Correspond à plus de 500 clients ; saisissez plus du nom, de l’adresse ou du numéro.',
  file: 'fichier',
  body: 'corps',
  'The {{=what}} is empty; send a JSON object.': 'Le {{=what}} est vide ; envoyez un objet JSON.',
  'The {{=what}} must be a JSON object.': 'Le {{=what}} doit être un objet JSON.',
  'The {{=what}} is not valid JSON in UTF-8; check quotes, commas and brackets.':
    'Le {{=what}} n’est pas du JSON valable en UTF-8 ; vérifiez guillemets, virgules et crochets.',
  'The {{=what}} {{=oddity}}.': 'Le {{=what}} {{=oddity}}.',
  'nests deeper than {{#count}} levels': 'a plus de {{#count}} niveaux',
  'holds a number that is too large': 'contient un nombre trop grand',
  'holds a text with NUL or half a character': 'contient un texte avec NUL ou un demi-caractère',
  'names a key twice in one object': 'nomme deux fois une clé dans un objet',
  'The file is not valid JSON: {{fault}}': 'Le fichier n’est pas du JSON valable : {{fault}}',
  'Nothing was changed: there is one fault in the file.': 'Rien n’a été changé : il y a une erreur dans le fichier.',
  'Nothing was changed: there are {{#count}} faults in the file.':
    'Rien n’a été changé : il y a {{#count}} erreurs dans le fichier.',
  'Is the key of {{kind}}[{{at}}] too; keys are unique.':
    'Est aussi la clé de {{kind}}[{{at}}] ; les clés sont uniques.',
  'Is the id of {{kind}}[{{at}}] too; ids are unique.':
    'Est aussi l’identifiant de {{kind}}[{{at}}] ; les identifiants sont uniques.',
  'Is named like {{kind}}[{{at}}]; give each a key to tell them apart.':
    'Porte le même nom que {{kind}}[{{at}}] ; donnez une clé à chacun pour les distinguer.',
  'Is already the key of {{id}}.': 'Est déjà la clé de {{id}}.',
  'Fits {{#count}} that are there ({{ids}}); say which by its id.':
    'Correspond à {{#count}} déjà présents ({{ids}}) ; dites lequel par son identifiant.',
  'Means the same row as {{kind}}[{{at}}].': 'Désigne la même chose que {{kind}}[{{at}}].',
  'Changes nothing: give it hours, slot, or both.': 'Ne change rien : indiquez hours, slot ou les deux.',
  'Needs either a date, or from and to.': 'Demande soit date, soit from et to.',
  'Lies before from ({{date}}).': 'Précède from ({{date}}).',
  service: 'aucune prestation',
  provider: 'aucun praticien',
  customer: 'aucun client',
  'There is no {{=noun}} with the key or id "{{reference}}", in this file or on the site.':
    'Il n’y a {{=noun}} avec la clé ou l’identifiant « {{reference}} », ni dans ce fichier ni sur le site.',
  'There is no service with the key or id "{{reference}}", in this file or on the site.':
    'Il n’y a aucune prestation avec la clé ou l’identifiant « {{reference}} », ni dans ce fichier ni sur le site.',
  'Must lie after the start, by at most 10,080 minutes.': 'Doit suivre le début, d’au plus 10 080 minutes.',
  'All seats of this slot are taken ({{#count}}).': 'Toutes les places de ce créneau sont prises ({{#count}}).',
  'Overlaps reservations[{{at}}] in the time of {{name}}, buffers included.':
    'Chevauche reservations[{{at}}] dans le temps de {{name}}, marges comprises.',
  'Overlaps a slot being held in the time of {{name}}, buffers included.':
    'Chevauche un créneau mis de côté dans le temps de {{name}}, marges comprises.',
  'Overlaps reservation {{id}} in the time of {{name}}, buffers included.':
    'Chevauche la réservation {{id}} dans le temps de {{name}}, marges comprises.',
  'Is the key of an earlier field; each field needs its own.':
    'Est la clé d’un champ plus haut ; chaque champ a la sienne.',
  'Name what there is to choose from.': 'Indiquez ce qu’on peut choisir.',
  'Only a choice has options; leave them out.': 'Seul un choix a des options ; retirez-les.',
  'Name each option once.': 'Indiquez chaque option une seule fois.',
  'Name a field further up.': 'Indiquez un champ placé plus haut.',
  'Only a choice or a box can decide about another field.': 'Seul un choix ou une case peut décider d’un autre champ.',
  'A box is ticked (true) or not (false).': 'Une case est cochée (true) ou non (false).',
  'Name one of the options of that field.': 'Indiquez une des options de ce champ.',
  'The booking form has no such field.': 'Le formulaire de réservation n’a pas ce champ.',
  'Is needed for the booking.': 'Est nécessaire pour réserver.',
  'Must be ticked for the booking.': 'Doit être cochée pour réserver.',
  'Must be a text of at most {{#most}} characters.': 'Doit être un texte de {{#most}} caractères au plus.',
  'Must be a number.': 'Doit être un nombre.',
  'Must be one of the options.': 'Doit être une des options.',
  'Must be some of the options, each once.': 'Doit être une partie des options, chacune une fois.',
  'a letter, then letters, digits or _': 'une lettre, puis des lettres, des chiffres ou _',
  'Some answers cannot be kept.': 'Certaines réponses ne peuvent être enregistrées.',
  'The booking form cannot be kept.': 'Le formulaire de réservation ne peut être enregistré.',
  'Must be a date such as 2026-12-24.': 'Doit être une date telle que 2026-12-24.',
  'What slots of a date are like is set by those who run the site; leave it as it is.':
    'Ce que sont les créneaux d’une date est fixé par ceux qui gèrent le site ; laissez-le tel quel.',
  'Enter an e-mail address or a phone number.': 'Saisissez une adresse e-mail ou un numéro de téléphone.',
  'Belongs to a customer without an e-mail address; send a real one.':
    'Appartient à un client sans adresse e-mail ; envoyez-en une vraie.',
}
