/**
 * The kind of the jobs that send deliveries. The jobs of one endpoint form a lane, a group of which a limited number
 * run at once.
 */
export const deliveryKind = 'webhook-delivery'

/** The kind of the job that reports changed availability. */
export const availabilityKind = 'webhook-availability'
/** The key of the only job of this kind. */
export const availabilityKey = 'site'

/** The kind of the jobs that send past events again. */
export const replayKind = 'webhook-replay'

/** The name of the event log's consumer that creates deliveries. */
export const consumerName = 'webhooks'
