import type { customers as english } from '../en/customers.ts'
import type { Translation } from '../message.ts'

export const customers: Translation<typeof english> = {
  customer_has_reservations: 'Este cliente tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero.',
  customer_has_coming_reservations: 'Este cliente tiene reservas futuras pendientes o confirmadas. Cancélelas primero.',
  customer_not_found: 'Ningún cliente tiene este identificador.',
  merge_with_itself: 'Un cliente no se puede unir consigo mismo.',
  same_customer: 'Es el mismo cliente; elija otro.',
  too_many_notes: 'Se guardan como máximo {{count, number}} notas; quite una primero.',
  note_not_found: 'Esta nota ya no existe.',
  customer_status_forbidden: 'Su rol no puede ver el estado de los clientes.',
  leave_out_customer_status: 'Déjelo sin indicar: su rol no puede ver el estado de los clientes.',
  narrow_by_search: 'Está detrás de las primeras 10.000 entradas; acote la lista con una búsqueda o invierta su orden.',
  search_too_broad: 'Más de 10.000 clientes coinciden.',
  narrow_customer_search: 'Coincide con más de 10.000 clientes; escriba más del nombre, de la dirección o del número.',
  contact_missing: 'Introduzca un correo electrónico o un número de teléfono.',
  email_of_nobody: 'Es de un cliente sin correo electrónico; envíe uno real.',
}
