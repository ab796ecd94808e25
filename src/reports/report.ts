/** The dimension by which a report groups reservations into rows. */
export type ReportDimension = 'provider' | 'service' | 'month' | 'weekday' | 'hour'
