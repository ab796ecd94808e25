import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** Queues a test event for a webhook; the running service delivers it. */
export const webhookTest: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: ['ID'],
  async run(app, { positionals: [id = ''] }) {
    const { deliveryId } = await performCommand(app, 'webhooks.test', { id }, { by: 'webhook test' })
    return done(`Delivery ${deliveryId} waits for the running service.\n`)
  },
}
