import type { Words } from '../messages.ts'

/** Texts of the screen that plans the absence of a provider. */
export const absence: Pick<Words, 'absence'> = {
  absence: {
    title: 'Planificar una ausencia',
    text: 'Registre la ausencia de un profesional y cambie las reservas afectadas. Horas en {{zone}}.',
    from: 'Primer día',
    to: 'Último día',
    choose: 'Elija al profesional que está ausente.',
    record: 'Registrar la ausencia',
    recorded: '{{name}} consta como ausente: no hay nuevas reservas en este tiempo.',
    notRecorded:
      'Todavía se puede reservar con {{name}} en este tiempo. Registre la ausencia para impedir nuevas reservas.',
    affected: 'Reservas afectadas',
    none: 'No hay reservas próximas afectadas.',
    more: 'Solo se muestran las primeras cien. Las siguientes aparecen cuando estas se hayan cambiado.',
    acceptAll_one: 'Aceptar {{count}} propuesta',
    acceptAll_other: 'Aceptar {{count}} propuestas',
    accept: 'Aceptar',
    suggestion: 'Propuesta para {{name}}',
    sameTime: 'Misma hora',
    otherTimes: 'Otras horas',
    with: '{{time}}, {{name}}',
    noSuggestion: 'No hay ninguna hora libre. Use el menú para cambiarla o cancelarla.',
    replaced: 'Hay una propuesta nueva.',
    progress: 'Cambiando: {{done}} de {{all}}',
    moved_one: '{{count}} reserva cambiada.',
    moved_other: '{{count}} reservas cambiadas.',
    movedBack_one: '{{count}} reserva devuelta a su hora.',
    movedBack_other: '{{count}} reservas devueltas a su hora.',
    doneTitle: 'Hecho',
    doneText: 'Deshaga un cambio o todos. Los clientes que recibieron un aviso reciben otro.',
    undoAll: 'Deshacer todo',
  },
}
