import type { catalogue as english } from '../en/catalogue.ts'
import type { Translation } from '../message.ts'

export const catalogue: Translation<typeof english> = {
  service_has_history:
    'Este servicio tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero, o deje de ofrecerlo.',
  provider_has_reservations:
    'Este profesional tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero, o haga que no acepte más reservas.',
  service_not_found: 'Ningún servicio tiene este identificador.',
  provider_not_found: 'Ningún profesional tiene este identificador.',
  services_not_found: 'Algunos de estos servicios no existen.',
  no_services_with_ids: 'Ningún servicio tiene el identificador {{ids, list}}.',
  time_off_too_long: 'Debe estar como mucho dos años después del comienzo; añada otra ausencia a continuación.',
  time_off_invalid: 'Esta ausencia no es válida.',
  reservations_in_the_way: {
    one: 'Hay una reserva en este tiempo. Muévala o cancélela, o guarde la ausencia a pesar de ella.',
    other:
      'Hay {{count, number}} reservas en este tiempo. Muévalas o cancélelas, o guarde la ausencia a pesar de ellas.',
  },
  time_off_not_found: 'Esta ausencia ya no existe.',
  must_be_minutes: 'Debe ser un número entero de minutos, de 1 a 10.080.',
  must_be_name: 'Debe ser un nombre de 1 a 200 caracteres.',
  must_be_description: 'Debe ser un texto de 10.000 caracteres como máximo.',
  must_be_color: 'Debe ser un color CSS como #3366cc o quedar vacío.',
  values_invalid: 'Algunos valores no son válidos.',
  set_in_panel: 'Algunos ajustes solo se cambian en el panel.',
  changed_in_panel: 'Se cambia en el panel; déjelo como está.',
  differs_from_alias: 'Difiere de {{name}} enviado junto a data; envíe solo uno.',
  must_not_precede_first_day: 'No puede ser anterior al primer día.',
  form_key_duplicate: 'Es la clave de un campo anterior; cada campo necesita la suya.',
  form_options_missing: 'Indique entre qué se puede elegir.',
  form_options_unwanted: 'Solo una elección tiene opciones; quítelas.',
  form_option_duplicate: 'Indique cada opción una sola vez.',
  form_condition_not_above: 'Indique un campo de más arriba.',
  form_condition_kind: 'Solo una elección o una casilla puede decidir sobre otro campo.',
  form_condition_not_boolean: 'Una casilla está marcada (true) o no (false).',
  form_condition_not_option: 'Indique una de las opciones de ese campo.',
  form_invalid: 'El formulario de reserva no se puede guardar.',
  slot_overrides_forbidden:
    'Los ajustes de las horas de una fecha los fijan administradores y gestores; déjelos como están.',
  service_name_ambiguous: 'Ningún servicio, o más de uno, se llama «{{name}}».',
  provider_name_ambiguous: 'Ningún profesional, o más de uno, se llama «{{name}}».',
}
