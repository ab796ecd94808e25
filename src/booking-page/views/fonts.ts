/**
 * The fonts of the booking page: the system font of the visitor, or an openly licensed font that this installation
 * serves.
 */
export type PageFont = 'system' | 'inter' | 'nunito' | 'atkinson' | 'serif'

// The CSS names of the open fonts, all under the SIL Open Font License 1.1.
const families: Readonly<Record<Exclude<PageFont, 'system'>, string>> = {
  inter: "'Inter Variable'",
  nunito: "'Nunito Sans Variable'",
  atkinson: "'Atkinson Hyperlegible Next Variable'",
  serif: "'Source Serif 4 Variable'",
}

// The served subsets of a font, with the characters of each; other characters are shown in the system font.
const parts = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
}

const systemFamily = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** Returns the CSS value of `font-family` for a font. */
export function fontFamily(font: PageFont): string {
  return font === 'system' ? systemFamily : `${families[font]},${systemFamily}`
}

/** Returns the CSS rules that load a font; empty for the system font. */
export function fontFaces(font: PageFont): string {
  if (font === 'system') return ''
  return Object.entries(parts)
    .map(
      ([part, range]) =>
        `@font-face{font-family:${families[font]};font-display:swap;font-weight:200 900;src:url(/book/-/fonts/${font}-${part}.woff2) format('woff2');unicode-range:${range}}`,
    )
    .join('')
}
