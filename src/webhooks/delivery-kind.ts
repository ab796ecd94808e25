/** The kind of the jobs that send deliveries; their lane is the endpoint. */
export const deliveryKind = 'webhook-delivery'

/** The kind of the job that reports changed availability. */
export const availabilityKind = 'webhook-availability'

/** The kind of the jobs that send events of the past again. */
export const replayKind = 'webhook-replay'

/** The name of the consumer of the event log that makes deliveries. */
export const consumerName = 'webhooks'
