import { parentPort, workerData } from 'node:worker_threads'
import Holidays from 'date-holidays'
import type { HolidayQuestion, PublicHoliday, PublicHolidays } from './public-holidays.ts'

const { language, country, state, region, year, years }: HolidayQuestion = workerData

const names = (of: Readonly<Record<string, string>> | undefined) =>
  Object.entries(of ?? {})
    .map(([code, name]) => ({ code, name }))
    .sort((one, other) => one.name.localeCompare(other.name, language))

const all = new Holidays()
const known = country !== undefined && Object.hasOwn(all.getCountries(), country)
const found: PublicHolidays = {
  countries: names(all.getCountries(language)),
  states: known ? names(all.getStates(country, language)) : [],
  regions: known && state !== undefined ? names(all.getRegions(country, state, language)) : [],
  holidays: known ? holidaysIn(country) : [],
}
parentPort?.postMessage(found)

function holidaysIn(name: string): PublicHoliday[] {
  const place = { country: name, ...(state !== undefined && { state }), ...(region !== undefined && { region }) }
  const calendar = new Holidays(place, { languages: [language, 'en'], types: ['public'] })
  return Array.from({ length: years }, (_, at) => calendar.getHolidays(year + at)).flatMap((listed) =>
    listed.flatMap(({ date, start, end, name: title }) => {
      // Holidays that begin at another time than midnight, such as half days, are left out, since the site can close
      // for whole days only.
      if (!date.includes(' 00:00:00')) return []
      const from = date.slice(0, 10)
      const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000))
      return [{ from, to: lastDate(from, days), name: title }]
    }),
  )
}

function lastDate(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days - 1)
  return day.toISOString().slice(0, 10)
}
