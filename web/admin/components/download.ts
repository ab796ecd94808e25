/** Saves a text as a file through the browser's download. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  downloadFrom(url, name)
  URL.revokeObjectURL(url)
}

/** Downloads a file from an address; without a name, under the one that the service gives it. */
export function downloadFrom(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
