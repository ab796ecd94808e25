interface PreviewOptions {
  /** The nonce of the panel's content security policy, which the frame inherits. */
  readonly nonce: string
  readonly dark: boolean
}

/**
 * Returns the HTML of a message for a frame of the panel. Style attributes become rules in a style element, because the
 * content security policy permits style elements with the nonce, but no style attributes. `dark` selects the colour
 * scheme, whatever the browser prefers.
 */
export function previewDocument(html: string, { nonce, dark }: PreviewOptions): string {
  const rules: string[] = []
  const unstyled = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    rules.push(`[data-style="${rules.length}"]{${style.replaceAll('&#39;', "'")}}`)
    return ` data-style="${rules.length - 1}"`
  })
  return unstyled
    .replaceAll('<style>', `<style nonce="${nonce}">`)
    .replaceAll('color-scheme:light dark', `color-scheme:${dark ? 'dark' : 'light'}`)
    .replaceAll('(prefers-color-scheme:dark)', dark ? 'all' : 'not all')
    .replace('</head>', `<style nonce="${nonce}">${rules.join('')}</style></head>`)
}
