import { contrast, textColorOn } from '../../catalogue/site/appearance.ts'
import type { PageSettings } from '../settings.ts'
import { fontFaces, fontFamily } from './fonts.ts'

const defaultColor = '#1f5fbf'

/** The settings on which the style sheet of the booking page depends. */
export interface StyleSettings extends Pick<PageSettings, 'radius' | 'scheme' | 'font'> {
  /** The site's brand colour as `#rrggbb`; null for the default colour. */
  readonly color: string | null
}

/**
 * Returns the style sheet of the booking page with the site's colour, which is adjusted when its contrast is too low.
 */
export function pageStyle({ color, radius, scheme, font }: StyleSettings): string {
  const accent = color ?? defaultColor
  const light = tokens(lightPalette, readableOn(accent, lightPalette.card, '#111111'))
  const dark = tokens(darkPalette, readableOn(accent, darkPalette.card, '#ffffff'))
  const other = scheme === 'auto' ? `@media (prefers-color-scheme:dark){:root{${dark}}}` : ''
  const schemes = scheme === 'auto' ? 'light dark' : scheme
  return `${fontFaces(font)}:root{color-scheme:${schemes};--r:${radius}px;--font:${fontFamily(font)};${scheme === 'dark' ? dark : light}}${other}${rules}`
}

interface Palette {
  readonly back: string
  readonly card: string
  readonly text: string
  readonly soft: string
  readonly line: string
  readonly field: string
  readonly bad: string
}

const lightPalette: Palette = {
  back: '#f3f4f6',
  card: '#ffffff',
  text: '#1c2126',
  soft: '#545d66',
  line: '#d5dae0',
  field: '#ffffff',
  bad: '#b3261e',
}

const darkPalette: Palette = {
  back: '#15171b',
  card: '#22252b',
  text: '#eceff3',
  soft: '#aab3bd',
  line: '#3f4650',
  field: '#1a1c21',
  bad: '#ff9c94',
}

function tokens(palette: Palette, accent: string): string {
  const colors = { ...palette, accent, on: textColorOn(accent) }
  return Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')
}

/** Returns `color`, mixed with `towards` until its contrast with the background is at least 4.5 (WCAG level AA). */
function readableOn(color: string, background: string, towards: string): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, towards, share)
    if (contrast(mixed, background) >= 4.5) return mixed
  }
  return towards
}

function mix(one: string, other: string, share: number): string {
  const channel = (at: number) => {
    const [from, to] = [one, other].map((color) => Number.parseInt(color.slice(at, at + 2), 16))
    return Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share)
  }
  return `#${[1, 3, 5].map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`
}

const rules = [
  '*{box-sizing:border-box}',
  'body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 var(--font);overflow-wrap:break-word}',
  'a{color:var(--accent)}h1{font-size:1.45rem;line-height:1.25;margin:0 0 .25rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}p{margin:.25rem 0 .75rem}',
  '.skip{position:absolute;inset-inline-start:-9999px}.skip:focus{position:static;display:block;padding:.5rem}',
  '.wrap{max-width:60rem;margin:0 auto;padding:1rem}',
  'header.site img{display:block;max-height:3rem;max-width:12rem}header.site{display:flex;gap:1rem;align-items:baseline;justify-content:space-between;flex-wrap:wrap;padding:.25rem 0 1rem}',
  'header.site a{color:inherit;text-decoration:none;font-weight:600}',
  '.langs{display:flex;gap:.75rem;font-size:.875rem}header.site .langs a{font-weight:400;text-decoration:underline;color:var(--soft);padding:.2rem 0}',
  'main{background:var(--card);border:1px solid var(--line);border-radius:calc(var(--r)*1.4);padding:clamp(1rem,4vw,2rem)}',
  '.embed .wrap{padding:0}.embed main{border:0;border-radius:0}.embed body{background:var(--card)}',
  '.soft{color:var(--soft)}.small{font-size:.875rem}',
  '.back{display:inline-block;margin-bottom:.75rem;padding:.3rem 0}',
  '.list{list-style:none;margin:.5rem 0 0;padding:0;display:grid;gap:.6rem}',
  '.card{display:flex;gap:1rem;align-items:center;width:100%;padding:.9rem 1rem;border:1px solid var(--line);border-radius:var(--r);color:inherit;text-decoration:none;background:none;font:inherit;text-align:start}',
  '.card:hover{border-color:var(--accent)}.card img{width:4rem;height:4rem;object-fit:cover;border-radius:calc(var(--r)*.7);flex:none}',
  '.card .grow{flex:1;min-width:0}.card b{display:block}.card .side{text-align:end;white-space:nowrap;font-size:.9rem}',
  ':focus-visible{outline:3px solid var(--accent);outline-offset:2px}',
  '.split{display:grid;gap:1.5rem}@media (min-width:46rem){.split{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}}',
  '.month{display:flex;align-items:center;justify-content:space-between;gap:.5rem;margin-bottom:.5rem}.month h2{margin:0}.split section>h2:first-child{margin-top:.5rem}',
  '.nav{display:inline-flex;align-items:center;justify-content:center;min-width:2.75rem;min-height:2.75rem;border:1px solid var(--line);border-radius:var(--r);text-decoration:none;background:none;font:inherit;color:var(--accent);cursor:pointer}',
  '.nav.off{visibility:hidden}',
  'table.days{width:100%;border-collapse:separate;border-spacing:.15rem;table-layout:fixed;text-align:center}',
  '.days th{font-weight:400;font-size:.8rem;color:var(--soft);padding:.25rem 0}.days td{padding:0;height:2.6rem}',
  '.day{display:flex;align-items:center;justify-content:center;width:100%;height:2.6rem;border:1px solid transparent;border-radius:var(--r);background:none;font:inherit;color:var(--soft);text-decoration:none;padding:0}',
  '.day.free{font-weight:600;color:var(--accent);border-color:var(--accent);cursor:pointer}.day.on{background:var(--accent);color:var(--on)}.day.free:hover{text-decoration:underline}',
  '.times{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.2rem,1fr));gap:.5rem;list-style:none;margin:.25rem 0 1rem;padding:0}',
  '.time{width:100%;min-height:2.75rem;padding:.4rem .3rem;border:1px solid var(--accent);border-radius:var(--r);background:none;color:var(--accent);font:inherit;font-weight:600;cursor:pointer}',
  '.time small{display:block;font-weight:400;color:var(--soft)}.time:hover{background:var(--accent);color:var(--on)}.time:hover small{color:inherit}',
  'h3{font-size:.9rem;color:var(--soft);margin:.75rem 0 .25rem;font-weight:600}',
  '.tools{display:flex;gap:.75rem 1rem;flex-wrap:wrap;align-items:end;margin:1.25rem 0 0;padding-top:1rem;border-top:1px solid var(--line)}',
  '.tools label{flex:0 1 auto;max-width:100%;font-size:.875rem;color:var(--soft)}.tools select{max-width:100%}',
  'label{display:block}.field{margin:0 0 1rem}.field>label,.field>.label,legend{font-weight:600;margin-bottom:.2rem;padding:0}',
  'fieldset{border:0;margin:0 0 1rem;padding:0;min-width:0}',
  'input,select,textarea{font:inherit;color:inherit;background:var(--field);border:1px solid var(--soft);border-radius:var(--r);padding:.55rem .7rem;max-width:100%;min-height:2.75rem}',
  'input:not([type=checkbox],[type=radio]),textarea,.field select{width:100%}textarea{min-height:6rem}',
  'input[type=checkbox],input[type=radio]{min-height:0;width:1.25rem;height:1.25rem;margin:.15rem .6rem 0 0;flex:none;accent-color:var(--accent)}',
  '.check{display:flex;align-items:flex-start;font-weight:400!important;padding:.3rem 0}',
  '.bad input,.bad select,.bad textarea{border-color:var(--bad);border-width:2px}.error{color:var(--bad);margin:.25rem 0 0;font-weight:600}',
  '.alert{border:2px solid var(--bad);border-radius:var(--r);padding:.75rem 1rem;margin:0 0 1rem}.alert ul{margin:.25rem 0 0;padding-inline-start:1.25rem}',
  '.note{border-inline-start:4px solid var(--accent);padding:.4rem .9rem;margin:.75rem 0 1.25rem}',
  '.code{display:grid;grid-template-columns:1fr auto;gap:.5rem;align-items:stretch}',
  '.phone{display:grid;grid-template-columns:minmax(6rem,2fr) 3fr;gap:.5rem}',
  '.main,.plain{display:inline-block;min-height:2.9rem;padding:.6rem 1.4rem;border-radius:var(--r);font:inherit;font-weight:600;cursor:pointer;text-decoration:none;text-align:center}',
  '.main{border:1px solid var(--accent);background:var(--accent);color:var(--on)}.plain{border:1px solid var(--line);background:none;color:var(--accent)}.main[disabled]{opacity:.6}',
  '.buttons{display:flex;gap:.75rem;flex-wrap:wrap;margin-top:1.25rem}',
  'dl.sum{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1.25rem;margin:1rem 0}.sum dt{color:var(--soft)}.sum dd{margin:0;min-width:0;white-space:pre-line}',
  '.trap{position:absolute;inset-inline-start:-9999px;width:1px;height:1px;overflow:hidden}',
  '.stars{display:flex;gap:1rem;flex-wrap:wrap}',
  '[aria-busy=true]{opacity:.55}[hidden]{display:none!important}',
  '@media (max-width:24rem){dl.sum{grid-template-columns:1fr;gap:0}.sum dd{margin-bottom:.5rem}.phone{grid-template-columns:1fr}}',
  '@media (prefers-reduced-motion:no-preference){.card,.time,.day{transition:border-color .12s,background-color .12s}}',
].join('')
