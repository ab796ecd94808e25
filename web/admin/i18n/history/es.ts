import type { Words } from '../messages.ts'

/** The words of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Historial',
    text: 'Quién cambió qué, y cuándo; antes y después.',
    when: 'Cuándo',
    who: 'Quién',
    what: 'Qué',
    object: 'Objeto',
    type: 'Clase de cambio',
    typeHint: 'Por ejemplo reservation',
    objectId: 'Objeto',
    objectHint: 'Por ejemplo r_… o 7',
    actor: 'Por',
    actorHint: 'Id de una persona o un token',
    empty: 'Todavía no se ha cambiado nada.',
    undo: 'Deshacer este cambio',
    undone: 'Deshecho: {{type}}, {{object}}.',
    isUndone: 'Deshecho',
    undid: 'Esto deshizo un cambio anterior.',
    asks: {
      move: {
        title: '¿Devolver la reserva a su lugar?',
        text: 'Vuelve al hueco que tenía antes. Solo hace falta que haya sitio, aunque ahora lo impida alguna regla.',
        action: 'Devolver a su lugar',
      },
      cancel: {
        title: '¿Cancelar de nuevo la reserva?',
        text: 'Antes de este cambio estaba cancelada y volverá a estarlo; su tiempo queda libre para otros.',
        action: 'Cancelar la reserva',
      },
      remove: {
        title: '¿Quitar lo que se añadió?',
        text: 'Se quita de nuevo. El historial conserva lo que era, pero no vuelve por sí solo.',
        action: 'Quitar',
      },
    },
    kinds: {
      token: 'token',
      command: 'orden',
      worker: 'automático',
      user: 'panel',
      customer: 'cliente',
    },
  },
}
