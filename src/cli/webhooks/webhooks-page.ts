import { readFile } from 'node:fs/promises'
import { webhookEvents, webhookEventTypes } from '../../webhooks/event-types.ts'
import { samplePayload } from '../../webhooks/samples.ts'
import { retryDelays } from '../../webhooks/schedule.ts'

const examples = new URL('../../../examples/webhooks/', import.meta.url)

/** Returns the guide to webhooks in Markdown, with the sample receivers of `examples/webhooks/`. */
export async function webhooksPage(): Promise<string> {
  const receiver = async (language: string, name: string) =>
    `### ${language}\n\`\`\`${name.split('.')[1]}\n${(await readFile(new URL(name, examples), 'utf8')).trimEnd()}\n\`\`\`\n`
  const receivers = [
    await receiver('TypeScript', 'receiver.ts'),
    await receiver('Python', 'receiver.py'),
    await receiver('PHP', 'receiver.php'),
  ]
  return `${introduction}
${samples()}
## Event types
| Type | Reports |
|---|---|
${webhookEventTypes.map((type) => `| \`${type}\` | ${webhookEvents[type]} |\n`).join('')}
A subscription is a type, a kind such as \`reservation.*\`, or \`*\` for everything.

## Retries
An attempt is successful when the receiver answers 2xx within 15 seconds. Redirects are not followed. After a failure the next attempts are
${retryDelays.map(durationText).join(', ')} later, each up to a tenth longer; the delivery has then failed. A longer \`Retry-After\` is obeyed,
up to a day. An answer 410 disables the webhook at once; a failure five days after the first one since the last
success disables it as well, and the panel says so under Today. Another URL, or
enabling the webhook again, starts the five days anew. While a webhook is disabled nothing is delivered: what waited is cancelled, and later
events do not wait for it. After enabling it, send the events since then again, in the panel or by \`daybook webhook replay\`.

${delivery}
## Receivers
Each reads its secret from \`WEBHOOK_SECRET\`.

${receivers.join('\n')}`
}

function durationText(seconds: number): string {
  if (seconds >= 3_600) return `${seconds / 3_600} h`
  return seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`
}

function samples(): string {
  const sample = JSON.stringify(samplePayload('reservation.rescheduled'), null, 2)
  return `\`\`\`json\n${sample}\n\`\`\`\n`
}

const introduction = `# Webhooks

<!-- Made by "npm run docs" from the code; edit it there. -->

Daybook posts events to other systems as they happen. A webhook is added in the panel under **Settings → API and webhooks**: an address, the event
types, and a secret that is shown once. Addresses are reached over https on the public internet alone; \`--outbound-networks\` (see
[configuration](configuration.md)) allows others.

## Payload
\`id\`, \`type\`, \`seq\`, \`objectId\` (the id of what changed, also after its erasure), \`createdAt\`, \`apiVersion\`, and \`data\` with the
state after (\`object\`) and before (\`previous\`) in the format of the
[event feed](contract.md#the-event-feed). \`payment.*\` has \`id\`, \`amount\` (in the smallest unit), \`currency\` and \`reservationIds\`, and
\`payment.card_removed\` \`id\` alone. The JSON Schema is [webhooks.schema.json](webhooks.schema.json); the OpenAPI document has a
\`webhooks\` section.
`

const delivery = `## Delivery
- **At least once.** Every committed change is delivered while the webhook is enabled, until its attempts are used up; none that was
  rolled back. After a crash an attempt is repeated: \`webhook-id\` is the
  same for all attempts and redeliveries, so store it with what you do.
- **Order.** Deliveries are concurrent. \`seq\` sorts as text in the order of the changes: ignore an event of an object whose \`seq\` is lower than
  the last one you applied. To be certain after an outage, read the feed from the last \`seq\` up to which you have every event, best one
  that you read from the feed itself: below the highest one that you received, others may still wait. \`token.revoked\`,
  \`availability.changed\` and \`webhook.test\` are not in the feed; the \`seq\` of the last two is that of an earlier event.
- **Signature.** [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: \`webhook-signature\` contains \`v1,\` and the base64 of
  HMAC-SHA256 over \`id.timestamp.body\`, by the secret without \`whsec_\`, decoded. After a rotation two signatures are sent for a day. Refuse a
  \`webhook-timestamp\` more than five minutes off.
- **Log.** The panel keeps requests, responses and times for 30 days, and sends deliveries again: one, those that failed, or every event of the log
  since a date; \`daybook webhook replay\` does the last.
- **Templates.** For receivers that cannot change, a LiquidJS template makes the body from the payload, such as
  \`{"text": {{ type | json }}}\`. It must fit every event of the webhook and the test event; \`default\` and \`if\` serve for fields that some lack.
- **Erasure.** Payloads are made from the event log when they are sent; erased data is null in them.

## Local development
\`npx daybook listen --forward-to http://127.0.0.1:3000/hook\` forwards new events of the log (all but \`availability.changed\` and
\`webhook.test\`) to a program on this machine and prints each answer, without a webhook in the panel. It prints the secret that it signs with.
`
