import type { SaidOf } from '../said.ts'
import type { booking as english } from './en.ts'

/** What the service says of booking: verdicts, refusals, reasons. */
export const booking: SaidOf<typeof english> = {
  'The service is offered.': 'El servicio se ofrece.',
  'This service is not offered at the moment.': 'Este servicio no se ofrece en este momento.',
  'It starts at or after the earliest start, {{time}}.': 'No empieza antes de la primera hora posible, {{time}}.',
  'It starts too soon: the earliest start is {{time}}. Choose a later one.':
    'Empieza demasiado pronto: lo antes posible es {{time}}. Elija una hora posterior.',
  'It starts at or before the latest start, {{time}}.': 'No empieza después de la última hora posible, {{time}}.',
  'It is too far ahead: the latest start is {{time}}. Choose an earlier one.':
    'Es con demasiada anticipación: lo más tarde posible es {{time}}. Elija una hora anterior.',
  'The provider is away at this time. Choose another time.': 'El profesional está ausente a esa hora. Elija otra hora.',
  'No time off is in the way.': 'Ninguna ausencia lo impide.',
  'The provider is busy at this time. Choose another time.': 'El profesional está ocupado a esa hora. Elija otra hora.',
  'No connected calendar is in the way.': 'Ningún calendario conectado lo impide.',
  'The provider has another booking then. Choose another time.':
    'El profesional tiene otra reserva a esa hora. Elija otra hora.',
  'No other booking is in the way.': 'Ninguna otra reserva lo impide.',
  'No limit is reached.': 'No se ha alcanzado ningún límite.',
  'The provider takes no more bookings of this service that day. Choose another day.':
    'El profesional no admite más reservas de este servicio ese día. Elija otro día.',
  'This service takes no more bookings that day. Choose another day.':
    'Este servicio no admite más reservas ese día. Elija otro día.',
  'The provider takes no more bookings of this service that week. Choose another week.':
    'El profesional no admite más reservas de este servicio esa semana. Elija otra semana.',
  'The customer has as many bookings of this service that day as it allows. Choose another day.':
    'El cliente ya tiene ese día todas las reservas de este servicio que se permiten. Elija otro día.',
  'The provider does not take part in this service. Choose another provider.':
    'El profesional no participa en este servicio. Elija otro profesional.',
  'The provider does not handle this service. Choose another one.':
    'El profesional no atiende este servicio. Elija otro.',
  'All providers of this service are booked together, under provider {{id}}.':
    'Todos los profesionales de este servicio se reservan juntos, a nombre del profesional {{id}}.',
  'The provider handles this service.': 'El profesional atiende este servicio.',
  'It is one of the starts of an opening window.': 'Es una de las horas de comienzo del horario.',
  'An appointment of this service takes {{#minutes}} minutes here. Ask for the times on offer.':
    'Una cita de este servicio dura aquí {{#minutes}} minutos. Consulte las horas que se ofrecen.',
  'It does not lie within the opening hours. Choose another time.': 'No está dentro del horario. Elija otra hora.',
  'Appointments begin every {{#minutes}} minutes from the start of opening hours. Choose one of those times.':
    'Las citas empiezan cada {{#minutes}} minutos desde la apertura. Elija una de esas horas.',
  'There is a seat left.': 'Queda una plaza.',
  'Every seat of this slot is taken. Choose another time.':
    'Todas las plazas de esta hora están ocupadas. Elija otra hora.',
  'This slot is fully booked. Choose another time.': 'Esta hora está completa. Elija otra hora.',
  'There is no such provider.': 'Ese profesional no existe.',
  'There is no such service.': 'Ese servicio no existe.',
  'This customer may not be given new reservations.': 'Este cliente no puede recibir reservas nuevas.',
  'The provider is no longer free at this time.': 'El profesional ya no está libre a esa hora.',
  'The availabilityId does not belong to this service, provider, start and end. Ask for availability again.':
    'El availabilityId no corresponde a este servicio, profesional, comienzo y fin. Consulte de nuevo las horas libres.',
  'The price of this slot has changed. Ask for availability again.':
    'El precio de este horario ha cambiado. Vuelva a consultar la disponibilidad.',
  'The availabilityId was shown too long ago. Ask for availability again.':
    'El availabilityId se mostró hace demasiado tiempo. Consulte de nuevo las horas libres.',
  'By its wall time it has begun already.': 'Según la hora local ya ha empezado.',
  'The start and end must lie between the years 1970 and 9999.':
    'El comienzo y el fin deben estar entre los años 1970 y 9999.',
  'Must lie between the years 1970 and 9999, in Unix seconds.':
    'Debe estar entre los años 1970 y 9999, en segundos Unix.',
  'The end must be later than the start.': 'El fin debe ser posterior al comienzo.',
  'Must be later than start.': 'Debe ser posterior al comienzo.',
  'The service {{id}} of this reservation is no longer there.': 'El servicio {{id}} de esta reserva ya no existe.',
  'Reservations of this site are never removed. Cancel it instead.':
    'Las reservas de este sitio no se quitan nunca. Cancélela en su lugar.',
  'This reservation is still active. Cancel it before removing it.':
    'Esta reserva sigue vigente. Cancélela antes de quitarla.',
  'This customer has pending or confirmed reservations. Cancel or remove those first.':
    'Este cliente tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero.',
  'This customer has pending or confirmed reservations to come. Cancel those first.':
    'Este cliente tiene reservas futuras pendientes o confirmadas. Cancélelas primero.',
  'This service has pending or confirmed reservations. Cancel or remove those first, or switch it off in the panel.':
    'Este servicio tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero, o deje de ofrecerlo.',
  'This provider has pending or confirmed reservations. Cancel or remove those first, or have the provider take no bookings.':
    'Este profesional tiene reservas pendientes o confirmadas. Cancélelas o quítelas primero, o haga que no acepte más reservas.',
  'No service has this id.': 'Ningún servicio tiene este identificador.',
  'No provider has this id.': 'Ningún profesional tiene este identificador.',
  'No customer has this id.': 'Ningún cliente tiene este identificador.',
  'No reservation has this id.': 'Ninguna reserva tiene este identificador.',
  'Some of these services do not exist.': 'Algunos de estos servicios no existen.',
  'No service has the id {{ids}}.': 'Ningún servicio tiene el identificador {{ids}}.',
  'A customer cannot be merged with itself.': 'Un cliente no se puede unir consigo mismo.',
  'Is the same customer; choose another one.': 'Es el mismo cliente; elija otro.',
  'Keeps at most {{#count}} notes; remove one first.': 'Se guardan como máximo {{#count}} notas; quite una primero.',
  'This note is gone already.': 'Esta nota ya no está.',
  'The status of customers is not for your role.': 'El estado de los clientes no es para su rol.',
  'Leave it out: the status of customers is not for your role.':
    'Déjelo sin indicar: el estado de los clientes no es para su rol.',
  'Provider {{listed}} was listed and is still free; the rule would now pick provider {{picked}}. {{=because}}':
    'El profesional {{listed}} estaba en la lista y sigue libre; ahora la regla elegiría al profesional {{picked}}. {{=because}}',
  'Provider {{id}} was asked for.': 'Se pidió al profesional {{id}}.',
  'All providers of the service are needed at once; provider {{id}} has the lowest id.':
    'El servicio necesita a todos sus profesionales a la vez; el profesional {{id}} tiene el número más bajo.',
  'Provider {{id}} has never been assigned.': 'El profesional {{id}} no ha recibido ninguna reserva todavía.',
  'Provider {{id}} was assigned least recently, at {{time}}.':
    'El profesional {{id}} es quien lleva más tiempo sin recibir una reserva, la última a las {{time}}.',
  'Provider {{id}} has the fewest minutes reserved that day: {{#minutes}}.':
    'El profesional {{id}} tiene ese día menos minutos reservados que nadie: {{#minutes}}.',
  'Provider {{id}} has the highest priority of those free: {{#priority}}.':
    'El profesional {{id}} tiene la prioridad más alta entre los libres: {{#priority}}.',
  'Provider {{id}} is furthest below its share: weight {{#weight}}, assigned {{#count}} times.':
    'El profesional {{id}} está más por debajo de su parte que nadie: peso {{#weight}}, asignado {{#count}} veces.',
  'Provider {{id}} was drawn by lot.': 'El profesional {{id}} salió por sorteo.',
  'Booked anyway, against: {{rules}}.': 'Reservado de todos modos, contra: {{rules}}.',
  'Must be at most two years after start; add another time off behind.':
    'Debe estar como mucho dos años después del comienzo; añada otro tiempo libre a continuación.',
  'The calendar shows a stretch of time of at most 46 days.': 'El calendario muestra como mucho 46 días.',
  'Must be later than from, by 46 days at the most.': 'Debe ser posterior al comienzo, como mucho 46 días.',
  'The calendar shows at most {{#count}} providers at once.':
    'El calendario muestra como mucho {{#count}} profesionales a la vez.',
  'Name at most {{#count}}.': 'Indique como mucho {{#count}}.',
  'No appointment can end then.': 'Ninguna cita puede terminar entonces.',
  'Must be later than start, by a week at the most.': 'Debe ser posterior al comienzo, como mucho una semana.',
  'Booking against the rules is for those who run the site; ask one of them.':
    'Reservar contra las reglas es cosa de quienes llevan la sede; pregunte a alguien de ellos.',
  'This is no stretch of time off.': 'Esto no es un tiempo libre.',
  'One reservation lies in this time. Move or cancel it, or keep the time off despite it.':
    'Hay una reserva en este tiempo. Muévala o cancélela, o guarde el tiempo libre a pesar de ella.',
  '{{#count}} reservations lie in this time. Move or cancel them, or keep the time off despite them.':
    'Hay {{#count}} reservas en este tiempo. Muévalas o cancélelas, o guarde el tiempo libre a pesar de ellas.',
  'This time off is gone already.': 'Este tiempo libre ya no está.',
  'Too many requests of this client are in flight; wait for them first.':
    'Hay demasiadas solicitudes de este equipo o red en curso; espere a que terminen.',
  'You have too many screens of the panel open; close some of them.':
    'Tiene demasiadas ventanas del panel abiertas; cierre algunas.',
  'Too many screens listen for changes; try later.': 'Demasiadas ventanas esperan cambios; inténtelo más tarde.',
  'A secret that was replaced does not come back.': 'Un secreto sustituido no vuelve.',
  'What was removed does not come back; add it again.': 'Lo que se quitó no vuelve; añádalo de nuevo.',
  'People, their passwords and sessions are changed under Team and Profile.':
    'Las personas, sus contraseñas y sesiones se cambian en Equipo y Perfil.',
  'A token stays as it is; make another one.': 'Un token se queda como está; cree otro.',
  'This only told of a changed wall time; the reservation stayed as it was.':
    'Esto solo avisó de otra hora de reloj; la reserva quedó como estaba.',
  'Customers who were merged are not taken apart again.': 'Los clientes que se unieron no se vuelven a separar.',
  'What was erased is gone for good.': 'Lo que se borró ya no existe.',
  'A user of the website is not removed here.': 'Un usuario de la web no se quita aquí.',
  'What stood here was erased.': 'Lo que aquí constaba se borró.',
  'This was undone already.': 'Esto ya se ha deshecho.',
  'Changed again since: {{fields}}. Undo the later change first, or change it by hand.':
    'Se ha vuelto a cambiar desde entonces: {{fields}}. Deshaga primero el cambio posterior o cámbielo a mano.',
  'It is there again already.': 'Ya está de nuevo ahí.',
  'The history has no such entry.': 'El historial no tiene esa entrada.',
}
