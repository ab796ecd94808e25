/** The kind of the jobs that send deliveries. Their lane is the endpoint, so the concurrency per endpoint is limited. */
export const deliveryKind = 'webhook-delivery'

/** The kind of the job that reports changed availability. */
export const availabilityKind = 'webhook-availability'

/** The kind of the jobs that send past events again. */
export const replayKind = 'webhook-replay'

/** The name of the event log's consumer that creates deliveries. */
export const consumerName = 'webhooks'
