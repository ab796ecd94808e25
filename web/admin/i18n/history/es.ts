import type { Words } from '../messages.ts'

/** Texts of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Historial',
    text: 'Quién cambió qué y cuándo, con los valores anteriores y posteriores.',
    when: 'Cuándo',
    who: 'Quién',
    what: 'Qué',
    object: 'Objeto',
    type: 'Tipo de cambio',
    typeHint: 'Por ejemplo reservation',
    objectId: 'Objeto',
    objectHint: 'Por ejemplo r_… o 7',
    actor: 'Por',
    actorHint: 'ID de un usuario o un token',
    empty: 'Todavía no hay cambios.',
    undo: 'Deshacer este cambio',
    undone: 'Deshecho: {{type}}, {{object}}.',
    isUndone: 'Deshecho',
    undid: 'Esta entrada deshizo un cambio anterior.',
    asks: {
      move: {
        title: '¿Devolver la reserva a su hora anterior?',
        text: 'La reserva vuelve a su hora anterior. La hora debe estar libre; no se aplican otras reglas.',
        action: 'Devolver',
      },
      cancel: {
        title: '¿Volver a cancelar la reserva?',
        text: 'La reserva estaba cancelada antes de este cambio. Se vuelve a cancelar y su hora queda libre para otros.',
        action: 'Cancelar reserva',
      },
      remove: {
        title: '¿Eliminar lo que se añadió?',
        text: 'Se elimina lo que añadió este cambio. El historial conserva los valores, pero la eliminación no se puede deshacer.',
        action: 'Eliminar',
      },
    },
    kinds: {
      token: 'mediante la API',
      command: 'por línea de comandos',
      worker: 'automáticamente',
      user: 'en el panel',
      customer: 'por el cliente',
    },
  },
}
