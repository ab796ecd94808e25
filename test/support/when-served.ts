import { pause } from './pause.ts'

/** Sends a request, again while the service is overloaded and answers 503, and returns the first other response. */
export async function whenServed<Response extends { readonly status?: number }>(
  send: () => Promise<Response>,
): Promise<Response> {
  let response = await send()
  while (response.status === 503) {
    await pause()
    response = await send()
  }
  return response
}
