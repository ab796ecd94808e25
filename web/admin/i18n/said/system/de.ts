import type { SaidOf } from '../said.ts'
import type { system as english } from './en.ts'

/** What the service says of the installation: its checks, its backup, its faults. */
export const system: SaidOf<typeof english> = {
  'The service cannot do this right now; try again in a moment.':
    'Der Dienst kann das gerade nicht; versuchen Sie es gleich noch einmal.',
  'Something went wrong on our side; when you report it, name the request id.':
    'Bei uns ist etwas schiefgegangen; nennen Sie die Kennung der Anfrage, wenn Sie es melden.',
  'Too many requests are being worked on; try again in a moment.':
    'Es sind gerade zu viele Anfragen in Arbeit; versuchen Sie es gleich noch einmal.',
  'The first request with this key still runs. Ask again in a moment.':
    'Die erste Anfrage mit diesem Schlüssel läuft noch. Fragen Sie gleich noch einmal.',
  'This key was used for another request. Send a new key with a new request.':
    'Dieser Schlüssel diente einer anderen Anfrage. Schicken Sie mit einer neuen Anfrage einen neuen Schlüssel.',
  'No route matches this address and method.': 'Unter dieser Adresse gibt es mit dieser Methode nichts.',
  'This is not a well-formed HTTP request.': 'Das ist keine richtig gebildete HTTP-Anfrage.',
  'The request took too long to arrive.': 'Die Anfrage brauchte zu lange, um anzukommen.',
  'The address or the headers are too long.': 'Die Adresse oder die Header sind zu lang.',
  'Send the body as JSON, with the header Content-Type: application/json.':
    'Schicken Sie die Anfrage als JSON, mit dem Header Content-Type: application/json.',
  'Send the body as it is, without Content-Encoding.': 'Schicken Sie die Anfrage, wie sie ist, ohne Content-Encoding.',
  'The body is larger than {{#size}} KB; send less.': 'Die Anfrage ist größer als {{#size}} KB; schicken Sie weniger.',
  'No backup was made here yet; make one first.':
    'Hier wurde noch keine Sicherung erstellt; erstellen Sie zuerst eine.',
  'No backup was made here since the service started.':
    'Seit dem Start des Dienstes wurde hier keine Sicherung erstellt.',
  'PostgreSQL is backed up with its own tools; see the operations guide.':
    'PostgreSQL wird mit seinen eigenen Werkzeugen gesichert; siehe die Betriebsanleitung.',
  'A backup is being made already.': 'Es wird schon eine Sicherung erstellt.',
  'The backup is being made.': 'Die Sicherung wird erstellt.',
  'The backup was not written; the log says why.': 'Die Sicherung wurde nicht geschrieben; das Protokoll sagt, warum.',
  'The backup was not written.': 'Die Sicherung wurde nicht geschrieben.',
  'The copy is not sound, as the database is not; see "daybook doctor".':
    'Die Kopie ist nicht in Ordnung, da es die Datenbank nicht ist; siehe „daybook doctor“.',
  'Copied and checked: {{#services}} services, {{#providers}} providers, {{#customers}} customers, {{#reservations}} reservations, {{#events}} events.':
    'Kopiert und geprüft: Leistungen {{#services}}, Anbieter {{#providers}}, Kunden {{#customers}}, Buchungen {{#reservations}}, Ereignisse {{#events}}.',
  runtime: 'Laufzeit',
  'Node {{version}} is too old; run "npm ci", which brings {{wanted}}.':
    'Node {{version}} ist zu alt; führen Sie „npm ci“ aus, das {{wanted}} bringt.',
  'Node {{version}}.': 'Node {{version}}.',
  'zone data': 'Zonendaten',
  '{{version}}; clock changes decreed since are not in it. Upgrade Daybook.':
    '{{version}}; seither beschlossene Zeitumstellungen fehlen darin. Aktualisieren Sie Daybook.',
  database: 'Datenbank',
  'SQLite {{version}}.': 'SQLite {{version}}.',
  'PostgreSQL {{version}}.': 'PostgreSQL {{version}}.',
  'PostgreSQL {{version}} is too old; upgrade it to {{wanted}} or later.':
    'PostgreSQL {{version}} ist zu alt; aktualisieren Sie es auf {{wanted}} oder neuer.',
  extension: 'Erweiterung',
  'btree_gist is missing; as superuser run: create extension btree_gist.':
    'btree_gist fehlt; führen Sie als Superuser aus: create extension btree_gist.',
  'btree_gist {{version}}.': 'btree_gist {{version}}.',
  schema: 'Schema',
  'Migration {{names}} is missing; run "daybook migrate".':
    'Die Migration {{names}} fehlt; führen Sie „daybook migrate“ aus.',
  'Up to date ({{name}}).': 'Auf dem neuesten Stand ({{name}}).',
  'data folder': 'Datenordner',
  '{{folder}} cannot be written to; give it to the user the service runs as.':
    '{{folder}} ist nicht beschreibbar; geben Sie den Ordner dem Benutzer, unter dem der Dienst läuft.',
  "Other users can read {{folder}}, where customers' data is; run chmod 700 on it.":
    'Andere Benutzer können {{folder}} lesen, wo Daten von Kunden liegen; führen Sie chmod 700 darauf aus.',
  "{{folder}} is its owner's alone.": '{{folder}} gehört allein dem Eigentümer.',
  disk: 'Platte',
  '{{#free}} MB free; the database takes {{#database}} MB.':
    '{{#free}} MB frei; die Datenbank belegt {{#database}} MB.',
  '{{=room}} Make room now: without it nothing can be booked.':
    '{{=room}} Schaffen Sie jetzt Platz: Ohne ihn kann nichts gebucht werden.',
  '{{=room}} Make room soon.': '{{=room}} Schaffen Sie bald Platz.',
  log: 'Schreibprotokoll',
  '{{#size}} MB not yet in the database file: something reads it for very long. Restart the service.':
    '{{#size}} MB noch nicht in der Datenbankdatei: Etwas liest sehr lange darin. Starten Sie den Dienst neu.',
  '{{#size}} MB not yet in the database file.': '{{#size}} MB noch nicht in der Datenbankdatei.',
  clock: 'Uhr',
  'It was set by DAYBOOK_NOW; start the service without it.':
    'Sie wurde mit DAYBOOK_NOW gestellt; starten Sie den Dienst ohne.',
  'The machine’s.': 'Die des Rechners.',
  "{{#seconds}} s apart from the database's; set both by a time server.":
    'Geht {{#seconds}} s anders als die der Datenbank; stellen Sie beide nach einem Zeitserver.',
  'At one with the database’s.': 'Stimmt mit der der Datenbank überein.',
  site: 'Betrieb',
  'site address': 'Adresse des Betriebs',
  'None is set; programs that verify their token are told none. Set it in the panel, or as site.siteUrl in a site file.':
    'Keine ist gesetzt; Programme, die ihr Token prüfen, erfahren keine. Setzen Sie sie unter Einstellungen, Betrieb, oder als site.siteUrl in einer Betriebsdatei.',
  tokens: 'Token',
  'None is in use; "daybook token create" makes one.': 'Keines ist in Gebrauch; „daybook token create“ erstellt eines.',
  '{{#count}} in use.': '{{#count}} in Gebrauch.',
  '{{name}} on {{date}}': '{{name}} am {{date}}',
  '{{=names}} and {{#count}} more': '{{=names}} und {{#count}} weitere',
  'Soon to end: {{=names}}. Make new ones with "daybook token create".':
    'Laufen bald ab: {{=names}}. Erstellen Sie neue mit „daybook token create“.',
  'secret key': 'geheimer Schlüssel',
  'Given by DAYBOOK_SECRET_KEY.': 'Mit DAYBOOK_SECRET_KEY gegeben.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; {{#count}} authenticator apps cannot be opened without it.':
    'Keiner: Setzen Sie DAYBOOK_SECRET_KEY, auf jedem Knoten denselben; ohne ihn lassen sich {{#count}} Authenticator-Apps nicht öffnen.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; authenticator apps need it.':
    'Keiner: Setzen Sie DAYBOOK_SECRET_KEY, auf jedem Knoten denselben; Authenticator-Apps brauchen ihn.',
  'None yet; it is made for the first authenticator app.': 'Noch keiner; er entsteht für die erste Authenticator-App.',
  '{{#count}} authenticator apps cannot be opened without it. Put it back from your copy, or lift them with "daybook user link --lift-second-factor".':
    'Ohne ihn lassen sich {{#count}} Authenticator-Apps nicht öffnen. Legen Sie ihn aus Ihrer Kopie zurück, oder heben Sie sie mit „daybook user link --lift-second-factor“ auf.',
  '{{path}} is missing; {{=loss}}': '{{path}} fehlt. {{=loss}}',
  '{{path}} holds no key; {{=loss}}': '{{path}} enthält keinen Schlüssel. {{=loss}}',
  'Other users can read {{path}}; run chmod 600 on it.':
    'Andere Benutzer können {{path}} lesen; führen Sie chmod 600 darauf aus.',
  "{{path}} is its owner's alone; keep a copy of it with the backups.":
    '{{path}} gehört allein dem Eigentümer; bewahren Sie eine Kopie davon bei den Sicherungen auf.',
  feed: 'Feed',
  '{{#seconds}} s behind: a transaction of the database has been open for that long. End it.':
    '{{#seconds}} s im Rückstand: So lange ist schon eine Transaktion der Datenbank offen. Beenden Sie sie.',
  '{{#seconds}} s behind.': '{{#seconds}} s im Rückstand.',
}
