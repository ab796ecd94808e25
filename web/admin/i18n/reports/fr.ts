import type { PanelTexts } from '../messages.ts'

/** Panel texts in French: the reports. */
export const reports: Pick<PanelTexts, 'reports'> = {
  reports: {
    title: 'Rapports',
    text: 'Selon la date de début de chaque réservation, dans le fuseau horaire de l’établissement ({{zone}}).',
    by: 'Répartir par',
    period: 'Période',
    periods: {
      last30: '30 derniers jours',
      thisMonth: 'Ce mois-ci',
      lastMonth: 'Mois dernier',
      thisYear: 'Cette année',
      lastYear: 'Année dernière',
      other: 'Autres dates',
    },
    dimensions: {
      provider: 'Praticien',
      service: 'Prestation',
      weekday: 'Jour de la semaine',
      hour: 'Heure',
      month: 'Mois',
    },
    noShows: 'Rendez-vous manqués',
    noShowsText: '{{share}} des visites renseignées',
    newCustomers: 'Nouveaux clients',
    returning_one: '{{count}} déjà venu',
    returning_other: '{{count}} déjà venus',
    before: '{{value}} sur la période précédente',
    previous: 'Période précédente',
    income: 'Encaissements',
    incomeText: 'Montants payés moins les remboursements, selon la date du paiement',
    incomeOf: 'Encaissements en {{currency}}',
    payments: 'Voir les paiements',
    table: 'Chiffres',
    csv: 'Télécharger en CSV',
    empty: 'Aucune réservation sur cette période.',
  },
}
