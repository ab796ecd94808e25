import type { SaidOf } from '../said.ts'
import type { system as english } from './en.ts'

/** What the service says of the installation: its checks, its backup, its faults. */
export const system: SaidOf<typeof english> = {
  'The service cannot do this right now; try again in a moment.':
    'El servicio no puede hacerlo en este momento; inténtelo de nuevo enseguida.',
  'Something went wrong on our side; when you report it, name the request id.':
    'Algo ha fallado por nuestra parte; al comunicarlo, indique el identificador de la petición.',
  'Too many requests are being worked on; try again in a moment.':
    'Hay demasiadas peticiones en curso; inténtelo de nuevo enseguida.',
  'The first request with this key still runs. Ask again in a moment.':
    'La primera petición con esta clave sigue en curso. Pregunte de nuevo enseguida.',
  'This key was used for another request. Send a new key with a new request.':
    'Esta clave se usó para otra petición. Envíe una clave nueva con una petición nueva.',
  'No route matches this address and method.': 'Ninguna ruta corresponde a esta dirección y este método.',
  'This is not a well-formed HTTP request.': 'No es una petición HTTP bien formada.',
  'The request took too long to arrive.': 'La petición tardó demasiado en llegar.',
  'The address or the headers are too long.': 'La dirección o las cabeceras son demasiado largas.',
  'Send the body as JSON, with the header Content-Type: application/json.':
    'Envíe el cuerpo como JSON, con la cabecera Content-Type: application/json.',
  'Send the body as it is, without Content-Encoding.': 'Envíe el cuerpo tal cual, sin Content-Encoding.',
  'The body is larger than {{#size}} KB; send less.': 'El cuerpo ocupa más de {{#size}} KB; envíe menos.',
  'No backup was made here yet; make one first.': 'Aquí aún no se ha hecho ninguna copia; haga una primero.',
  'No backup was made here since the service started.':
    'No se ha hecho ninguna copia aquí desde que arrancó el servicio.',
  'PostgreSQL is backed up with its own tools; see the operations guide.':
    'PostgreSQL se copia con sus propias herramientas; consulte la guía de operación.',
  'A backup is being made already.': 'Ya se está haciendo una copia.',
  'The backup is being made.': 'La copia se está haciendo.',
  'The backup was not written; the log says why.': 'La copia no se escribió; el registro dice por qué.',
  'The backup was not written.': 'La copia no se escribió.',
  'The copy is not sound, as the database is not; see "daybook doctor".':
    'La copia no está íntegra, porque la base de datos no lo está; vea «daybook doctor».',
  'Copied and checked: {{#services}} services, {{#providers}} providers, {{#customers}} customers, {{#reservations}} reservations, {{#events}} events.':
    'Copiado y comprobado: servicios {{#services}}, profesionales {{#providers}}, clientes {{#customers}}, reservas {{#reservations}}, sucesos {{#events}}.',
  runtime: 'entorno',
  'Node {{version}} is too old; run "npm ci", which brings {{wanted}}.':
    'Node {{version}} es demasiado antiguo; ejecute «npm ci», que trae {{wanted}}.',
  'Node {{version}}.': 'Node {{version}}.',
  'zone data': 'datos de zonas',
  '{{version}}; clock changes decreed since are not in it. Upgrade Daybook.':
    '{{version}}; faltan los cambios de hora decretados desde entonces. Actualice Daybook.',
  database: 'base de datos',
  'SQLite {{version}}.': 'SQLite {{version}}.',
  'PostgreSQL {{version}}.': 'PostgreSQL {{version}}.',
  'PostgreSQL {{version}} is too old; upgrade it to {{wanted}} or later.':
    'PostgreSQL {{version}} es demasiado antiguo; actualícelo a {{wanted}} o posterior.',
  extension: 'extensión',
  'btree_gist is missing; as superuser run: create extension btree_gist.':
    'Falta btree_gist; ejecute como superusuario: create extension btree_gist.',
  'btree_gist {{version}}.': 'btree_gist {{version}}.',
  schema: 'esquema',
  'Migration {{names}} is missing; run "daybook migrate".': 'Falta la migración {{names}}; ejecute «daybook migrate».',
  'Up to date ({{name}}).': 'Al día ({{name}}).',
  'data folder': 'carpeta de datos',
  '{{folder}} cannot be written to; give it to the user the service runs as.':
    'No se puede escribir en {{folder}}; asígnelo al usuario con el que funciona el servicio.',
  "Other users can read {{folder}}, where customers' data is; run chmod 700 on it.":
    'Otros usuarios pueden leer {{folder}}, donde hay datos de clientes; aplíquele chmod 700.',
  "{{folder}} is its owner's alone.": '{{folder}} es solo de su propietario.',
  disk: 'disco',
  '{{#free}} MB free; the database takes {{#database}} MB.':
    '{{#free}} MB libres; la base de datos ocupa {{#database}} MB.',
  '{{=room}} Make room now: without it nothing can be booked.':
    '{{=room}} Libere espacio ya: sin él no se puede reservar nada.',
  '{{=room}} Make room soon.': '{{=room}} Libere espacio pronto.',
  log: 'registro de escritura',
  '{{#size}} MB not yet in the database file: something reads it for very long. Restart the service.':
    '{{#size}} MB aún fuera del archivo de la base de datos: algo lo lee desde hace mucho. Reinicie el servicio.',
  '{{#size}} MB not yet in the database file.': '{{#size}} MB aún fuera del archivo de la base de datos.',
  clock: 'reloj',
  'It was set by DAYBOOK_NOW; start the service without it.': 'Se ajustó con DAYBOOK_NOW; arranque el servicio sin él.',
  'The machine’s.': 'El de la máquina.',
  "{{#seconds}} s apart from the database's; set both by a time server.":
    'Difiere {{#seconds}} s del de la base de datos; ajuste ambos con un servidor de tiempo.',
  'At one with the database’s.': 'Coincide con el de la base de datos.',
  site: 'sitio',
  'site address': 'dirección del sitio',
  'None is set; programs that verify their token are told none. Set it in the panel, or as site.siteUrl in a site file.':
    'No hay ninguna; los programas que comprueban su token no reciben ninguna. Póngala en Ajustes, Sitio, o como site.siteUrl en un archivo del sitio.',
  tokens: 'tokens',
  'None is in use; "daybook token create" makes one.': 'Ninguno está en uso; «daybook token create» crea uno.',
  '{{#count}} in use.': '{{#count}} en uso.',
  '{{name}} on {{date}}': '{{name}} el {{date}}',
  '{{=names}} and {{#count}} more': '{{=names}} y {{#count}} más',
  'Soon to end: {{=names}}. Make new ones with "daybook token create".':
    'Caducan pronto: {{=names}}. Cree otros con «daybook token create».',
  'secret key': 'clave secreta',
  'Given by DAYBOOK_SECRET_KEY.': 'Dada por DAYBOOK_SECRET_KEY.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; {{#count}} authenticator apps cannot be opened without it.':
    'Ninguna: defina DAYBOOK_SECRET_KEY, la misma en cada nodo; sin ella no se pueden abrir {{#count}} aplicaciones de autenticación.',
  'None: set DAYBOOK_SECRET_KEY, the same for every node; authenticator apps need it.':
    'Ninguna: defina DAYBOOK_SECRET_KEY, la misma en cada nodo; las aplicaciones de autenticación la necesitan.',
  'None yet; it is made for the first authenticator app.':
    'Aún ninguna; se crea para la primera aplicación de autenticación.',
  '{{#count}} authenticator apps cannot be opened without it. Put it back from your copy, or lift them with "daybook user link --lift-second-factor".':
    'Sin ella no se pueden abrir {{#count}} aplicaciones de autenticación. Recupérela de su copia o retírelas con «daybook user link --lift-second-factor».',
  '{{path}} is missing; {{=loss}}': 'Falta {{path}}. {{=loss}}',
  '{{path}} holds no key; {{=loss}}': '{{path}} no contiene ninguna clave. {{=loss}}',
  'Other users can read {{path}}; run chmod 600 on it.': 'Otros usuarios pueden leer {{path}}; aplíquele chmod 600.',
  "{{path}} is its owner's alone; keep a copy of it with the backups.":
    '{{path}} es solo de su propietario; guarde una copia con las copias de seguridad.',
  feed: 'feed',
  '{{#seconds}} s behind: a transaction of the database has been open for that long. End it.':
    '{{#seconds}} s de retraso: una transacción de la base de datos lleva abierta ese tiempo. Termínela.',
  '{{#seconds}} s behind.': '{{#seconds}} s de retraso.',
}
