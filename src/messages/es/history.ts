import type { history as english } from '../en/history.ts'
import type { Translation } from '../message.ts'

export const history: Translation<typeof english> = {
  undo_secret_rotated: 'Un secreto sustituido no vuelve.',
  undo_removed: 'Lo que se quitó no vuelve; añádalo de nuevo.',
  undo_person: 'Las personas, sus contraseñas y sesiones se cambian en Equipo y Perfil.',
  undo_token: 'Un token se queda como está; cree otro.',
  undo_zone_changed: 'Esta entrada solo informa de otra hora local; la reserva no se cambió.',
  undo_customer_merged: 'Los clientes que se unieron no se pueden volver a separar.',
  undo_customer_erased: 'Lo que se borró ya no existe.',
  undo_host_user: 'Un usuario de la web no se quita aquí.',
  undo_entry_erased: 'Lo que aquí constaba se borró.',
  undone_already: 'Esto ya se ha deshecho.',
  changed_since:
    'Se ha vuelto a cambiar desde entonces: {{fields, list}}. Deshaga primero el cambio posterior o cámbielo a mano.',
  present_already: 'Ya se ha restaurado.',
  entry_not_found: 'El historial no tiene esa entrada.',
  must_be_seq: 'Debe ser la seq de un suceso, o faltar para empezar por el principio.',
}
