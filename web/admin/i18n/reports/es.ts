import type { PanelTexts } from '../messages.ts'

/** Panel texts in Spanish: the reports. */
export const reports: Pick<PanelTexts, 'reports'> = {
  reports: {
    title: 'Informes',
    text: 'Según la fecha en que empieza cada reserva, en la zona horaria del centro ({{zone}}).',
    by: 'Desglosar por',
    period: 'Periodo',
    periods: {
      last30: 'Últimos 30 días',
      thisMonth: 'Este mes',
      lastMonth: 'Mes pasado',
      thisYear: 'Este año',
      lastYear: 'Año pasado',
      other: 'Otras fechas',
    },
    dimensions: {
      provider: 'Profesional',
      service: 'Servicio',
      weekday: 'Día de la semana',
      hour: 'Hora',
      month: 'Mes',
    },
    noShows: 'Citas perdidas',
    noShowsText: '{{share}} de las visitas registradas',
    newCustomers: 'Clientes nuevos',
    returning_one: '{{count}} recurrente',
    returning_other: '{{count}} recurrentes',
    before: '{{value}} en el periodo anterior',
    previous: 'Periodo anterior',
    income: 'Cobros',
    incomeText: 'Lo pagado menos lo devuelto, según la fecha del pago',
    incomeOf: 'Cobros en {{currency}}',
    payments: 'Ver los pagos',
    table: 'Cifras',
    csv: 'Descargar como CSV',
    empty: 'No hay reservas en este periodo.',
  },
}
