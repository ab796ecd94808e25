import type { Words } from '../messages.ts'

/** Texts of connected calendars. */
export const calendars: Pick<Words, 'calendars'> = {
  calendars: {
    title: 'Calendarios',
    text: 'Los eventos de los calendarios conectados bloquean reservas. Los calendarios se leen cada {{poll}} minutos; tras {{maxAge}} minutos sin éxito no se ofrece al profesional.',
    empty:
      'No hay ningún calendario conectado. Conecte un calendario privado o de empresa para que sus citas bloqueen reservas.',
    connect: 'Conectar calendario',
    connectTitle: 'Conectar un calendario',
    editTitle: 'Cambiar {{name}}',
    connected_one: '{{name}} está conectado y bloquea {{count}} hora.',
    connected_other: '{{name}} está conectado y bloquea {{count}} horas.',
    states: {
      ok: 'Conectado',
      failing: 'No se pudo leer',
      too_old: 'Demasiado antiguo: no se ofrece',
      new: 'Leyendo',
    },
    fault: 'La última vez:',
    tooOldText: 'Sin datos actuales no se ofrece ninguna hora, porque no es seguro que esté libre.',
    lastRead: 'Leído:',
    nextRead: 'próxima vez:',
    blocks_one: '{{count}} hora ocupada hasta',
    blocks_other: '{{count}} horas ocupadas hasta',
    actionsFor: 'Acciones para {{name}}',
    readNow: 'Leer ahora',
    syncing: 'Se está leyendo {{name}}.',
    removeTitle: '¿Desconectar {{name}}?',
    removeText: 'Sus eventos ya no bloquean reservas. Para volver a conectarlo necesita su dirección.',
    removed: '{{name}} está desconectado.',
    name: 'Nombre',
    nameHint: 'Para distinguir sus calendarios, por ejemplo «Privado»',
    nameMissing: 'Introduzca un nombre.',
    address: 'Dirección',
    addressHint:
      'La dirección secreta del calendario en formato iCal (ICS), en los ajustes de su programa de calendario. Solo se leen las horas, no los títulos.',
    addressKept: 'Déjelo vacío para conservar la dirección en {{host}}.',
    addressMissing: 'Introduzca la dirección del calendario.',
    blocking: 'Qué eventos bloquean, además de los ocupados',
    blockingHint: 'Los eventos de sus reservas aquí nunca bloquean.',
    kinds: {
      outOfOffice: 'Fuera de la oficina',
      tentative: 'Provisional',
      free: 'Libre, o trabajando en otro lugar',
    },
  },
}
