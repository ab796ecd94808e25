import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, cleo } from '../support/clinic.ts'
import type { Effort } from '../support/counted-input.ts'
import { openPanel, startPanelService } from '../support/panel.ts'
import { panelLanguages, panelTranslator } from '../support/panel-translator.ts'
import { newHoliday, opensAt, practice } from '../support/practice.ts'
import { proved } from '../support/proof.ts'
import { Receptionist } from '../support/receptionist.ts'
import { scaled, seed, suiteTimeout } from '../support/scale.ts'
import { openSql, type Sql } from '../support/sql.ts'

const locales = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR' } as const
const variants = panelLanguages.flatMap((language) => [1280, 390].map((width) => ({ language, width })))
/**
 * The seconds, predicted by the keystroke-level model, within which a caller with a customer record must be served, and
 * a caller without one.
 */
const [knownLimit, newLimit] = [15, 30]

describe('a working day at the front desk', {
  skip: chromiumProgram() ? false : 'Chromium is not installed',
  timeout: suiteTimeout,
}, () => {
  for (let run = 0; run < scaled(1); run += 1) {
    const { language, width } = variants[(seed + run) % variants.length] ?? { language: 'en', width: 1280 }
    test(`is done in time, in ${language}, ${width} pixels wide`, async (t) => {
      const { service, browser } = await startPanelService({ site: practice, now: opensAt }, ana)
      t.after(async () => {
        await browser.close()
        await service.kill()
      })
      const sql = openSql(service)
      t.after(() => sql.close())
      const locale = locales[language]
      const touches = width < 600
      const look = { as: 'manager@clinic.example', width, locale, hasTouch: touches }
      const { page, errors } = await openPanel(browser, service, '/today', look)
      await page.clock.setSystemTime(opensAt * 1000)
      const translate = panelTranslator(language)
      const receptionist = new Receptionist(page, { translate, locale, touches })
      await page.getByRole('heading', { level: 1, name: translate('today.title') }).waitFor()

      const efforts: Effort[] = []
      const errand = async (what: string, limit: number, act: () => Promise<void>): Promise<void> => {
        await act()
        const effort = receptionist.input.effort()
        const { keys, clicks, seconds } = effort
        t.diagnostic(`${what}: ${keys} keys, ${clicks} clicks, ${seconds} s`)
        assert.ok(seconds <= limit, `${what} takes ${seconds} s, more than ${limit} s`)
        efforts.push(effort)
      }
      const expect = async (customer: string, pattern: RegExp): Promise<void> =>
        assert.match(await bookingsOf(sql, customer), pattern)

      await errand('call 1, the next free time', knownLimit, () =>
        receptionist.bookKnown({ service: 'che' }, { typed: 'kow', name: 'Jan Kowalski' }),
      )
      await expect('Jan Kowalski', /^Check-up, \d, 2026-10-05T08:30.*, confirmed/)
      await errand('call 2, found by the end of the number', knownLimit, () =>
        receptionist.bookKnown({ service: 'mas' }, { typed: '669698', name: 'Élodie Moreau' }),
      )
      await expect('Élodie Moreau', /Massage, \d, 2026-10-05T.*, confirmed/)
      await errand('call 3, with Ben', knownLimit, () =>
        receptionist.bookKnown({ service: 'adv', provider: 'ben' }, { typed: 'lindq', name: 'Åsa Lindqvist' }),
      )
      await expect('Åsa Lindqvist', new RegExp(`Advice, ${ben}, 2026-10-05T.*, confirmed`))
      await errand('call 4, on a day of the caller’s choice', knownLimit, () =>
        receptionist.bookKnown(
          { service: 'che', at: { date: '2026-10-07', time: '14:00' } },
          { typed: 'silva', name: 'Rui Silva' },
        ),
      )
      await expect('Rui Silva', /Check-up, \d, 2026-10-07T14:00.*, confirmed/)
      await errand('call 5, with a note', knownLimit, () =>
        receptionist.bookKnown({ service: 'che', note: 'Knee' }, { typed: 'jonas', name: 'Jonas Weber' }),
      )
      await expect('Jonas Weber', /^Check-up, \d, 2026-10-05T.*, confirmed, expected, Knee,/)
      await errand('call 6, moves to next week', knownLimit, () =>
        receptionist.move({ typed: 'karin', name: 'Karin Weber' }, '2026-10-13'),
      )
      await expect('Karin Weber', new RegExp(`^Check-up, ${ben}, 2026-10-13T08:00.*, confirmed`))
      await errand('call 7, cancels', knownLimit, () => receptionist.cancel({ typed: 'brandt', name: 'Uwe Brandt' }))
      await expect(
        'Uwe Brandt',
        new RegExp(`^Massage, .*, cancelled, .*, ${translate('cancellation.reasons.customer')},`),
      )
      await errand('call 8, asks for the time', knownLimit, () => receptionist.tellTime('haas', 'Petra Haas'))
      await errand('call 9, new, with a phone number', newLimit, () =>
        receptionist.bookNew({ service: 'che' }, { name: 'Nadia Berg', phone: '0151 23456789' }),
      )
      await expect('Nadia Berg', /^Check-up, .*, confirmed, .*0?151 ?23456789/)
      await errand('call 10, new, with an address, with Cleo', newLimit, () =>
        receptionist.bookNew({ service: 'mas', provider: 'cleo' }, { name: 'Tom Yilmaz', email: 'tom@yilmaz.example' }),
      )
      await expect('Tom Yilmaz', new RegExp(`^Massage, ${cleo}, .*, confirmed, .*, tom@yilmaz.example$`))
      await errand('call 11, new, on a day, with a note', newLimit, () =>
        receptionist.bookNew(
          { service: 'adv', at: { date: '2026-10-09', time: '09:30' }, note: 'Stairs' },
          { name: 'Lea Roth', phone: '040 998877' },
        ),
      )
      await expect('Lea Roth', /^Advice, \d, 2026-10-09T09:30.*, confirmed, expected, Stairs,/)
      await errand('call 12, new, in a hurry', newLimit, () =>
        receptionist.bookNew({ service: 'che' }, { name: 'Mila Ost', phone: '040 112233' }),
      )
      await expect('Mila Ost', /^Check-up, \d, 2026-10-05T.*, confirmed/)

      const arrives = async (name: string): Promise<void> => {
        await receptionist.visit(translate('today.title'))
        await receptionist.mark(name, 'arrived')
      }
      await errand('walk-in, known', newLimit, async () => {
        await receptionist.bookKnown({ service: 'che' }, { typed: 'brandt', name: 'Uwe Brandt' })
        await arrives('Uwe Brandt')
      })
      await errand('walk-in, new', newLimit + knownLimit, async () => {
        await receptionist.bookNew({ service: 'che' }, { name: 'Kai Sommer', phone: '0170 1234567' })
        await arrives('Kai Sommer')
      })
      for (const name of ['Uwe Brandt', 'Kai Sommer'])
        await expect(name, /Check-up, \d, 2026-10-05T.*, confirmed, arrived/)

      await errand('a sick provider', 30, () => receptionist.replanToday('Ana'))
      const [ofAna] = await sql(
        `select count(*) as n from reservation where provider_id = ? and status = 'confirmed' and start_at between ? and ?`,
        [ana, opensAt, opensAt + 50_000],
      )
      assert.equal(Number(ofAna?.n), 0)

      await errand('a holiday', 30, () => receptionist.closeOn(newHoliday, 'X'))
      await errand('the appointment of that day', 30, () => receptionist.resolve('Petra Novak', '2026-12-22', '09:30'))
      await expect('Petra Novak', new RegExp(`^Advice, ${ben}, 2026-12-22T09:30.*, confirmed`))

      await errand('closing', 60, () => receptionist.closeDay())
      const open = await sql(
        `select id from reservation where status = 'confirmed' and start_at between ? and ? and attendance <> 'completed'`,
        [opensAt, opensAt + 50_000],
      )
      assert.deepEqual(open, [])
      assert.deepEqual(errors, [])
      proved(t, `D1 ${language} ${width}`, {
        errands: efforts.length,
        keys: efforts.reduce((sum, { keys }) => sum + keys, 0),
        clicks: efforts.reduce((sum, { clicks }) => sum + clicks, 0),
        seconds: Math.round(efforts.reduce((sum, { seconds }) => sum + seconds, 0)),
      })
    })
  }
})

/**
 * Returns a customer's reservations, one per line: service, provider, local start, status, attendance, note, reason,
 * phone, e-mail.
 */
async function bookingsOf(sql: Sql, customer: string): Promise<string> {
  const rows = await sql(
    `select service.name, provider_id, local_start, reservation.status, attendance, reservation.note, cancel_reason, phone, email
     from reservation join customer on customer.id = customer_id join service on service.id = service_id
     where customer.name = ? order by start_at`,
    [customer],
  )
  return rows.map((row) => Object.values(row).join(', ')).join('\n')
}
