/** What the rows of a report stand for. */
export type ReportDimension = 'provider' | 'service' | 'weekday' | 'hour'
