import type { Growth } from './report.ts'

const size = { width: 640, height: 360 }
const inner = { left: 80, right: 620, top: 48, bottom: 300 }

/**
 * Returns an SVG chart of a cost at growing sizes. The axis of sizes is logarithmic if the largest size is at least 100
 * times the smallest positive one.
 */
export function picture({ name, x, y, points }: Growth): string {
  const sizes = points.map(([at]) => at)
  const top = niceAbove(Math.max(...points.map(([, cost]) => cost)))
  const across = scaleOf(sizes)
  const up = (cost: number): number => inner.bottom - (cost / top) * (inner.bottom - inner.top)
  const place = ([at, cost]: readonly [number, number]): string => `${round(across(at))},${round(up(cost))}`
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * top)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>${escaped(name)}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    `<text x="${inner.left}" y="26" font-size="16">${escaped(name)}</text>`,
    ...marks.map(
      (mark) =>
        `<path d="M${inner.left} ${round(up(mark))}H${inner.right}" stroke="#ddd"/><text x="${inner.left - 8}" y="${round(up(mark) + 4)}" text-anchor="end">${short(mark)}</text>`,
    ),
    ...sizes.map(
      (at) => `<text x="${round(across(at))}" y="${inner.bottom + 20}" text-anchor="middle">${short(at)}</text>`,
    ),
    `<text x="${(inner.left + inner.right) / 2}" y="${inner.bottom + 46}" text-anchor="middle">${escaped(x)}</text>`,
    `<text x="${inner.left - 8}" y="${inner.top - 8}" text-anchor="end" font-size="11">${escaped(y)}</text>`,
    `<polyline points="${points.map(place).join(' ')}" fill="none" stroke="#1c6dd0" stroke-width="2"/>`,
    ...points.map(([at, cost]) => `<circle cx="${round(across(at))}" cy="${round(up(cost))}" r="4" fill="#1c6dd0"/>`),
    '</svg>\n',
  ].join('\n')
}

function scaleOf(sizes: readonly number[]): (at: number) => number {
  const [min, max] = [Math.min(...sizes), Math.max(...sizes)]
  const positive = sizes.filter((at) => at > 0)
  const steep = max / Math.min(...positive) >= 100
  // Zero has no logarithm, so it is placed at a tenth of the smallest size.
  const low = min > 0 ? min : Math.min(...positive) / 10
  const share = steep
    ? (at: number) => Math.log(Math.max(at, low) / low) / Math.log(max / low)
    : (at: number) => (at - min) / (max - min)
  return (at) => inner.left + share(at) * (inner.right - inner.left)
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 4, 5, 8].find((digit) => digit * power >= value) ?? 10)
}

function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
