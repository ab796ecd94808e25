import type { SaidOf } from '../said.ts'
import type { fields as english } from './en.ts'

/** What the service says beside fields and of lists, bodies and site files. */
export const fields: SaidOf<typeof english> = {
  'Something is wrong with what was sent; see: {{names}}.': 'Algo de lo enviado no es correcto; vea: {{names}}.',
  'Something required is missing: {{names}}.': 'Falta algo necesario: {{names}}.',
  'Must be {{=expected}}.': 'Debe ser {{=expected}}.',
  'Missing: send {{=expected}}.': 'Falta; se necesita {{=expected}}.',
  '{{=expected}}, or {{=other}}': '{{=expected}} o {{=other}}',
  'one of {{words}}': 'uno de los valores {{words}}',
  null: 'vacío',
  'true or false': 'true o false',
  'a list': 'una lista',
  'an object': 'un objeto',
  'a text': 'un texto',
  'a text of {{#least}} to {{#most}} characters': 'un texto de {{#least}} a {{#most}} caracteres',
  'a text of at most {{#most}} characters': 'un texto de {{#most}} caracteres como máximo',
  'a whole number': 'un número entero',
  'a whole number from {{#least}} to {{#most}}': 'un número entero de {{#least}} a {{#most}}',
  'a whole number from {{#least}} up': 'un número entero a partir de {{#least}}',
  'an e-mail address such as name@example.com': 'una dirección de correo como name@example.com',
  'a CSS colour such as #3366cc': 'un color CSS como #3366cc',
  'an IANA time zone such as Europe/Berlin': 'una zona horaria IANA como Europe/Madrid',
  'a language tag such as en or pt-BR': 'una etiqueta de idioma como en o pt-BR',
  'a date such as 2026-12-24': 'una fecha como 2026-12-24',
  'opening hours such as 09:00-17:00 or 22:00-02:00': 'un horario como 09:00-17:00 o 22:00-02:00',
  'a local time such as 2026-12-01T09:00': 'una hora local como 2026-12-01T09:00',
  'an address that begins with http:// or https://': 'una dirección que empiece por http:// o https://',
  'a currency code such as EUR': 'un código de moneda como EUR',
  'a key: one line of text, without blanks around it': 'una clave (una línea de texto sin espacios alrededor)',
  's_ and 32 letters or digits': 's_ y 32 letras o cifras',
  'c_ and 32 letters or digits': 'c_ y 32 letras o cifras',
  'r_ and 32 letters or digits': 'r_ y 32 letras o cifras',
  'a provider id: a whole number or a text': 'el número de un profesional (un número entero o un texto)',
  'the id of a host user: a whole number from 1 up, or 0 for none':
    'el identificador de un usuario de la web (un número entero a partir de 1, o 0 si no hay)',
  'ids with commas between them': 'una lista de identificadores separados por comas',
  'provider ids with commas between them': 'una lista de números de profesionales separados por comas',
  'Must be true or false.': 'Debe ser true o false.',
  'Must be a whole number.': 'Debe ser un número entero.',
  'Must be a whole number of minutes from 1 to 10,080.': 'Debe ser un número entero de minutos, de 1 a 10.080.',
  'Must be a name of 1 to 200 characters.': 'Debe ser un nombre de 1 a 200 caracteres.',
  'Must be a text of at most 10,000 characters.': 'Debe ser un texto de 10.000 caracteres como máximo.',
  'Must be a CSS colour such as #3366cc, or null.': 'Debe ser un color CSS como #3366cc o quedar vacío.',
  'Must be a list.': 'Debe ser una lista.',
  'Must be a list of at most {{#count}}.': 'Debe ser una lista de {{#count}} como máximo.',
  'Must be an object.': 'Debe ser un objeto.',
  'Must hold at most {{#count}} keys.': 'Puede contener {{#count}} claves como máximo.',
  'Must nest at most {{#count}} levels.': 'Puede tener {{#count}} niveles como máximo.',
  'Must be at most {{#count}} bytes of JSON.': 'Puede ocupar {{#count}} bytes de JSON como máximo.',
  'Keeps at most {{#count}} keys; remove some first.':
    'Se guardan {{#count}} claves como máximo; quite algunas primero.',
  'Keeps at most {{#count}} bytes of JSON; send less.': 'Se guardan {{#count}} bytes de JSON como máximo; envíe menos.',
  'The data does not fit.': 'Los datos no caben.',
  'Is not known here.': 'No se conoce aquí.',
  'Is not known here; did you mean "{{name}}"?': 'No se conoce aquí; ¿quería decir «{{name}}»?',
  'Is sent more than once; send it once.': 'Se envía más de una vez; envíelo una sola vez.',
  'Some values cannot be kept.': 'Algunos valores no se pueden guardar.',
  'Some settings are changed in the panel only.': 'Algunos ajustes solo se cambian en el panel.',
  'Is changed in the panel; leave it as it is.': 'Se cambia en el panel; déjelo como está.',
  'Differs from the {{name}} sent beside data; send one of them.':
    'Difiere de {{name}} enviado junto a data; envíe solo uno.',
  'Must not be before the first day.': 'No puede ser anterior al primer día.',
  'The period is none that can be counted.': 'Este periodo no se puede contar.',
  'Must be the same date as from or a later one, and no more than {{#days}} days later.':
    'No puede ser anterior a la primera fecha, ni más de {{#days}} días posterior.',
  'This list goes no further than its first 10,000 entries.': 'Esta lista no pasa de sus primeras 10.000 entradas.',
  'Is behind the first 10,000 entries; narrow the list by a search, or turn its order around.':
    'Está detrás de las primeras 10.000 entradas; acote la lista con una búsqueda o invierta su orden.',
  'Is behind the first 10,000 entries; narrow the list by a filter, or turn its order around.':
    'Está detrás de las primeras 10.000 entradas; acote la lista con un filtro o invierta su orden.',
  'More than 10,000 customers are called that.': 'Más de 10.000 clientes se llaman así.',
  'Fits more than 10,000 customers; type more of the name, the address or the number.':
    'Coincide con más de 10.000 clientes; escriba más del nombre, de la dirección o del número.',
  'More than 500 customers are called that.': 'Más de 500 clientes se llaman así.',
  'Fits more than 500 customers; type more of the name, the address or the number.':
    'Coincide con más de 500 clientes; escriba más del nombre, de la dirección o del número.',
  file: 'archivo',
  body: 'cuerpo',
  'The {{=what}} is empty; send a JSON object.': 'El {{=what}} está vacío; envíe un objeto JSON.',
  'The {{=what}} must be a JSON object.': 'El {{=what}} debe ser un objeto JSON.',
  'The {{=what}} is not valid JSON in UTF-8; check quotes, commas and brackets.':
    'El {{=what}} no es JSON válido en UTF-8; compruebe comillas, comas y corchetes.',
  'The {{=what}} {{=oddity}}.': 'El {{=what}} {{=oddity}}.',
  'nests deeper than {{#count}} levels': 'tiene más de {{#count}} niveles',
  'holds a number that is too large': 'contiene un número demasiado grande',
  'holds a text with NUL or half a character': 'contiene un texto con NUL o medio carácter',
  'names a key twice in one object': 'nombra una clave dos veces en un objeto',
  'The file is not valid JSON: {{fault}}': 'El archivo no es JSON válido: {{fault}}',
  'Nothing was changed: there is one fault in the file.': 'No se ha cambiado nada: hay un error en el archivo.',
  'Nothing was changed: there are {{#count}} faults in the file.':
    'No se ha cambiado nada: hay {{#count}} errores en el archivo.',
  'Is the key of {{kind}}[{{at}}] too; keys are unique.':
    'También es la clave de {{kind}}[{{at}}]; las claves son únicas.',
  'Is the id of {{kind}}[{{at}}] too; ids are unique.':
    'También es el identificador de {{kind}}[{{at}}]; los identificadores son únicos.',
  'Is named like {{kind}}[{{at}}]; give each a key to tell them apart.':
    'Se llama como {{kind}}[{{at}}]; dé una clave a cada uno para distinguirlos.',
  'Is already the key of {{id}}.': 'Ya es la clave de {{id}}.',
  'Fits {{#count}} that are there ({{ids}}); say which by its id.':
    'Coincide con {{#count}} que ya existen ({{ids}}); indique cuál por su identificador.',
  'Means the same row as {{kind}}[{{at}}].': 'Se refiere a lo mismo que {{kind}}[{{at}}].',
  'Changes nothing: give it hours, slot, or both.': 'No cambia nada: indique hours, slot o ambos.',
  'Needs either a date, or from and to.': 'Necesita date, o bien from y to.',
  'Lies before from ({{date}}).': 'Es anterior a from ({{date}}).',
  service: 'ningún servicio',
  provider: 'ningún profesional',
  customer: 'ningún cliente',
  'There is no {{=noun}} with the key or id "{{reference}}", in this file or on the site.':
    'No hay {{=noun}} con la clave o el identificador «{{reference}}», ni en este archivo ni en el sitio.',
  'There is no service with the key or id "{{reference}}", in this file or on the site.':
    'No hay ningún servicio con la clave o el identificador «{{reference}}», ni en este archivo ni en el sitio.',
  'Must lie after the start, by at most 10,080 minutes.':
    'Debe ser posterior al comienzo, en 10.080 minutos como máximo.',
  'All seats of this slot are taken ({{#count}}).': 'Todas las plazas de esta hora están ocupadas ({{#count}}).',
  'Overlaps reservations[{{at}}] in the time of {{name}}, buffers included.':
    'Se solapa con reservations[{{at}}] en el tiempo de {{name}}, márgenes incluidos.',
  'Overlaps a slot being held in the time of {{name}}, buffers included.':
    'Se solapa con una hora retenida en el tiempo de {{name}}, márgenes incluidos.',
  'Overlaps reservation {{id}} in the time of {{name}}, buffers included.':
    'Se solapa con la reserva {{id}} en el tiempo de {{name}}, márgenes incluidos.',
  'Is the key of an earlier field; each field needs its own.':
    'Es la clave de un campo anterior; cada campo necesita la suya.',
  'Name what there is to choose from.': 'Indique entre qué se puede elegir.',
  'Only a choice has options; leave them out.': 'Solo una elección tiene opciones; quítelas.',
  'Name each option once.': 'Indique cada opción una sola vez.',
  'Name a field further up.': 'Indique un campo de más arriba.',
  'Only a choice or a box can decide about another field.':
    'Solo una elección o una casilla puede decidir sobre otro campo.',
  'A box is ticked (true) or not (false).': 'Una casilla está marcada (true) o no (false).',
  'Name one of the options of that field.': 'Indique una de las opciones de ese campo.',
  'The booking form has no such field.': 'El formulario de reserva no tiene ese campo.',
  'Is needed for the booking.': 'Es necesario para la reserva.',
  'Must be ticked for the booking.': 'Debe marcarse para reservar.',
  'Must be a text of at most {{#most}} characters.': 'Debe ser un texto de {{#most}} caracteres como máximo.',
  'Must be a number.': 'Debe ser un número.',
  'Must be one of the options.': 'Debe ser una de las opciones.',
  'Must be some of the options, each once.': 'Deben ser algunas de las opciones, cada una una vez.',
  'a letter, then letters, digits or _': 'una letra y luego letras, cifras o _',
  'Some answers cannot be kept.': 'Algunas respuestas no se pueden guardar.',
  'The booking form cannot be kept.': 'El formulario de reserva no se puede guardar.',
  'Must be a date such as 2026-12-24.': 'Debe ser una fecha como 2026-12-24.',
  'What slots of a date are like is set by those who run the site; leave it as it is.':
    'Cómo son los turnos de una fecha lo fijan quienes administran el sitio; déjelo como está.',
  'Enter an e-mail address or a phone number.': 'Introduzca un correo electrónico o un número de teléfono.',
  'Belongs to a customer without an e-mail address; send a real one.':
    'Es de un cliente sin correo electrónico; envíe uno real.',
}
