/** Texts of the reports. */
export const reports = {
  reports: {
    title: 'Reports',
    text: 'By the date on which a reservation starts, in the site’s time zone ({{zone}}).',
    by: 'Show by',
    dimensions: {
      provider: 'Provider',
      service: 'Service',
      weekday: 'Weekday',
      hour: 'Hour',
      month: 'Month',
    },
    noShows: 'No-shows',
    noShowsText: '{{share}} of marked visits',
    newCustomers: 'New customers',
    returning_one: '{{count}} returning',
    returning_other: '{{count}} returning',
    before: '{{value}} in the period before',
    previous: 'Period before',
    income: 'Income',
    incomeText: 'Paid less what went back, by the date of payment',
    incomeOf: 'Income in {{currency}}',
    payments: 'View payments',
    table: 'Figures',
    csv: 'Download as CSV',
    empty: 'No reservations in this period.',
  },
}
