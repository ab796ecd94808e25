// The pauses in milliseconds before code that could not be loaded is requested again. They are longer than the time for
// which a burst of requests usually overloads the service.
const pauses = [500, 2_000]

/**
 * Loads code by a dynamic import, up to three times: the service refuses requests for a moment when it is overloaded,
 * and a connection may be interrupted. Rejects with the last error.
 */
export async function loadRepeatedly<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    const loaded = await load().then(
      (module) => ({ module }),
      () => undefined,
    )
    if (loaded) return loaded.module
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return load()
}
