import type { siteFile as english } from '../en/site-file.ts'
import type { Translation } from '../message.ts'

export const siteFile: Translation<typeof english> = {
  site_file_not_json: 'El archivo no es JSON válido: {{fault}}',
  site_file_invalid: {
    one: 'No se ha cambiado nada: hay un error en el archivo.',
    other: 'No se ha cambiado nada: hay {{count, number}} errores en el archivo.',
  },
  duplicate_key: 'También es la clave de {{kind}}[{{at}}]; las claves son únicas.',
  duplicate_id: 'También es el identificador de {{kind}}[{{at}}]; los identificadores son únicos.',
  duplicate_name: 'Se llama como {{kind}}[{{at}}]; dé una clave a cada uno para distinguirlos.',
  key_taken: 'Ya es la clave de {{id}}.',
  ambiguous_match: 'Coincide con {{count, number}} que ya existen ({{ids, list}}); indique cuál por su identificador.',
  same_row: 'Se refiere a lo mismo que {{kind}}[{{at}}].',
  override_without_effect: 'No cambia nada: indique hours, slot o ambos.',
  override_without_dates: 'Necesita date, o bien from y to.',
  ends_before_start: 'Es anterior a from ({{date}}).',
  unknown_service_reference:
    'No hay ningún servicio con la clave o el identificador «{{reference}}», ni en este archivo ni en el sitio.',
  end_minutes_out_of_range: 'Debe ser posterior al comienzo, en 10.080 minutos como máximo.',
  seats_taken: 'Todas las plazas de esta hora están ocupadas ({{count, number}}).',
  overlaps_entry: 'Se solapa con reservations[{{at}}] en el tiempo de {{name}}, márgenes incluidos.',
  overlaps_hold: 'Se solapa con una hora retenida en el tiempo de {{name}}, márgenes incluidos.',
  overlaps_reservation: 'Se solapa con la reserva {{id}} en el tiempo de {{name}}, márgenes incluidos.',
  unknown_provider_reference:
    'No hay ningún profesional con la clave o el identificador «{{reference}}», ni en este archivo ni en el sitio.',
  unknown_customer_reference:
    'No hay ningún cliente con la clave o el identificador «{{reference}}», ni en este archivo ni en el sitio.',
}
