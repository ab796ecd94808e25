import type { RunningServer } from './server.ts'

/** Returns the value of one sample of a service's `/metrics`, given by its name with labels. */
export async function metric({ host, port }: RunningServer, name: string): Promise<number> {
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  if (!line) throw new Error(`There is no figure ${name}.`)
  return Number(line.slice(name.length))
}

/** Returns the 99th percentile of the event loop delay since `/metrics` was last read, in milliseconds. */
export async function loopDelay(server: RunningServer): Promise<number> {
  return 1000 * (await metric(server, 'daybook_event_loop_delay_seconds{quantile="0.99"}'))
}
