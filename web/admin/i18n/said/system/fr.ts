import type { SaidOf } from '../said.ts'
import type { system as english } from './en.ts'

/** What the service says of the installation: its checks, its backup, its faults. */
export const system: SaidOf<typeof english> = {
  'The service cannot do this right now; try again in a moment.':
    'Le service ne peut pas le faire pour l’instant ; réessayez dans un moment.',
  'Something went wrong on our side; when you report it, name the request id.':
    'Quelque chose a échoué de notre côté ; en le signalant, donnez l’identifiant de la requête.',
  'Too many requests are being worked on; try again in a moment.':
    'Trop de requêtes sont en cours ; réessayez dans un moment.',
  'The first request with this key still runs. Ask again in a moment.':
    'La première requête avec cette clé est encore en cours. Redemandez dans un moment.',
  'This key was used for another request. Send a new key with a new request.':
    'Cette clé a servi à une autre requête. Envoyez une nouvelle clé avec une nouvelle requête.',
  'No route matches this address and method.': 'Aucune route ne correspond à cette adresse et à cette méthode.',
  'This is not a well-formed HTTP request.': 'Ce n’est pas une requête HTTP bien formée.',
  'The request took too long to arrive.': 'La requête a mis trop longtemps à arriver.',
  'The address or the headers are too long.': 'L’adresse ou les en-têtes sont trop longs.',
  'Send the body as JSON, with the header Content-Type: application/json.':
    'Envoyez le corps en JSON, avec l’en-tête Content-Type: application/json.',
  'Send the body as it is, without Content-Encoding.': 'Envoyez le corps tel quel, sans Content-Encoding.',
  'The body is larger than {{#size}} KB; send less.': 'Le corps dépasse {{#size}} Ko ; envoyez-en moins.',
  'No backup was made here yet; make one first.': 'Aucune sauvegarde n’a encore été faite ici ; faites-en une d’abord.',
  'No backup was made here since the service started.':
    'Aucune sauvegarde n’a été faite ici depuis le démarrage du service.',
  'PostgreSQL is backed up with its own tools; see the operations guide.':
    'PostgreSQL se sauvegarde avec ses propres outils ; voir le guide d’exploitation.',
  'A backup is being made already.': 'Une sauvegarde est déjà en cours.',
  'The backup is being made.': 'La sauvegarde est en cours.',
  'The backup was not written; the log says why.': 'La sauvegarde n’a pas été écrite ; le journal dit pourquoi.',
  'The backup was not written.': 'La sauvegarde n’a pas été écrite.',
  'The copy is not sound, as the database is not; see "daybook doctor".':
    'La copie n’est pas saine, car la base ne l’est pas ; voir « daybook doctor ».',
  'Copied and checked: {{#services}} services, {{#providers}} providers, {{#customers}} customers, {{#reservations}} reservations, {{#events}} events.':
    'Copié et vérifié : prestations {{#services}}, praticiens {{#providers}}, clients {{#customers}}, réservations {{#reservations}}, événements {{#events}}.',
  runtime: 'environnement',
  'Node {{version}} is too old; run "npm ci", which brings {{wanted}}.':
    'Node {{version}} est trop ancien ; lancez « npm ci », qui apporte {{wanted}}.',
  'Node {{version}}.': 'Node {{version}}.',
  'zone data': 'données des fuseaux',
  '{{version}}; clock changes decreed since are not in it. Upgrade Daybook.':
    '{{version}} ; les changements d’heure décidés depuis n’y sont pas. Mettez Daybook à jour.',
  database: 'base de données',
  'SQLite {{version}}.': 'SQLite {{version}}.',
  'PostgreSQL {{version}}.': 'PostgreSQL {{version}}.',
  'PostgreSQL {{version}} is too old; upgrade it to {{wanted}} or later.':
    'PostgreSQL {{version}} est trop ancien ; passez à {{wanted}} ou plus récent.',
  extension: 'extension',
  'btree_gist is missing; as superuser run: create extension btree_gist.':
    'btree_gist manque ; en superutilisateur, lancez : create extension btree_gist.',
  'btree_gist {{version}}.': 'btree_gist {{version}}.',
  schema: 'schéma',
  'Migration {{names}} is missing; run "daybook migrate".':
    'La migration {{names}} manque ; lancez « daybook migrate ».',
  'Up to date ({{name}}).': 'À jour ({{name}}).',
  'data folder': 'dossier des données',
  '{{folder}} cannot be written to; give it to the user the service runs as.':
    'Impossible d’écrire dans {{folder}} ; donnez-le à l’utilisateur sous lequel tourne le service.',
  "Other users can read {{folder}}, where customers' data is; run chmod 700 on it.":
    'D’autres utilisateurs peuvent lire {{folder}}, où sont des données de clients ; appliquez-lui chmod 700.',
  "{{folder}} is its owner's alone.": '{{folder}} n’est accessible qu’à son propriétaire.',
  disk: 'disque',
  '{{#free}} MB free; the database takes {{#database}} MB.': '{{#free}} Mo libres ; la base occupe {{#database}} Mo.',
  '{{=room}} Make room now: without it nothing can be booked.':
    '{{=room}} Faites de la place tout de suite : sans elle, rien ne peut être réservé.',
  '{{=room}} Make room soon.': '{{=room}} Faites bientôt de la place.',
  log: 'journal d’écriture',
  '{{#size}} MB not yet in the database file: something reads it for very long. Restart the service.':
    '{{#size}} Mo pas encore dans le fichier de la base : quelque chose le lit depuis très longtemps. Redémarrez le service.',
  '{{#size}} MB not yet in the database file.': '{{#size}} Mo pas encore dans le fichier de la base.',
  clock: 'horloge',
  'It was set by DAYBOOK_NOW; start the service without it.':
    'Elle a été réglée par DAYBOOK_NOW ; démarrez le service sans.',
  'The machine’s.': 'Celle de la machine.',
  "{{#seconds}} s apart from the database's; set both by a time server.":
    'Diffère de {{#seconds}} s de celle de la base ; réglez les deux sur un serveur de temps.',
  'At one with the database’s.': 'D’accord avec celle de la base.',
  site: 'site',
  'site address': 'adresse du site',
  'None is set; programs that verify their token are told none. Set it in the panel, or as site.siteUrl in a site file.':
    'Aucune n’est définie ; les programmes qui vérifient leur jeton n’en reçoivent pas. Définissez-la sous Réglages, Site, ou par site.siteUrl dans un fichier du site.',
  tokens: 'jetons',
  'None is in use; "daybook token create" makes one.': 'Aucun n’est en service ; « daybook token create » en fait un.',
  '{{#count}} in use.': '{{#count}} en service.',
  '{{name}} on {{date}}': '{{name}} le {{date}}',
  '{{=names}} and {{#count}} more': '{{=names}} et {{#count}} de plus',
  'Soon to end: {{=names}}. Make new ones with "daybook token create".':
    'Expirent bientôt : {{=names}}. Faites-en de nouveaux avec « daybook token create ».',
  'secret key': 'clé secrète',
  'Given by DAYBOOK_SECRET_KEY.': 'Donnée par DAYBOOK_SECRET_KEY.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; {{#count}} authenticator apps cannot be opened without it.':
    'Aucune : définissez DAYBOOK_SECRET_KEY, la même sur chaque nœud ; sans elle, {{#count}} applications d’authentification ne peuvent être ouvertes.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; authenticator apps need it.':
    'Aucune : définissez DAYBOOK_SECRET_KEY, la même sur chaque nœud ; les applications d’authentification en ont besoin.',
  'None yet; it is made for the first authenticator app.':
    'Aucune encore ; elle est faite pour la première application d’authentification.',
  '{{#count}} authenticator apps cannot be opened without it. Put it back from your copy, or lift them with "daybook user link --lift-second-factor".':
    'Sans elle, {{#count}} applications d’authentification ne peuvent être ouvertes. Remettez-la depuis votre copie, ou levez-les avec « daybook user link --lift-second-factor ».',
  '{{path}} is missing; {{=loss}}': '{{path}} manque. {{=loss}}',
  '{{path}} holds no key; {{=loss}}': '{{path}} ne contient pas de clé. {{=loss}}',
  'Other users can read {{path}}; run chmod 600 on it.':
    'D’autres utilisateurs peuvent lire {{path}} ; appliquez-lui chmod 600.',
  "{{path}} is its owner's alone; keep a copy of it with the backups.":
    '{{path}} n’est accessible qu’à son propriétaire ; gardez-en une copie avec les sauvegardes.',
  feed: 'flux',
  '{{#seconds}} s behind: a transaction of the database has been open for that long. End it.':
    '{{#seconds}} s de retard : une transaction de la base est ouverte depuis ce temps. Terminez-la.',
  '{{#seconds}} s behind.': '{{#seconds}} s de retard.',
}
