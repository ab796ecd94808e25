import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { Desk } from './desk.ts'
import { allRead, closeNotification } from './panel.ts'
import type { Say } from './panel-words.ts'

/** What a caller wants to book. */
export interface Wish {
  /** What is typed to find the service. */
  readonly service: string
  /** What is typed to find the provider; anyone when absent. */
  readonly provider?: string
  /** A date (`YYYY-MM-DD`) and a wall time; the next available time when absent. */
  readonly at?: { readonly date: string; readonly time: string }
  readonly note?: string
}

/** A caller with a record: what is typed to find it, and the name to recognise it by. */
export interface KnownCaller {
  readonly typed: string
  readonly name: string
}

/** A caller without a record, by what they gave. */
export interface NewCaller {
  readonly name: string
  readonly phone?: string
  readonly email?: string
}

/** A receptionist who serves callers in one language, with a keyboard and a mouse or with a touch screen. */
export class Reception {
  readonly desk: Desk
  readonly #page: Page
  readonly #say: Say
  readonly #locale: string
  readonly #touches: boolean

  constructor(page: Page, { say, locale, touches }: { say: Say; locale: string; touches: boolean }) {
    this.desk = new Desk(page, touches)
    this.#page = page
    this.#say = say
    this.#locale = locale
    this.#touches = touches
  }

  /** Books an appointment for a caller who has a record. */
  async bookKnown(wish: Wish, { typed, name }: KnownCaller): Promise<void> {
    const dialog = await this.#openBooking(wish)
    this.desk.think()
    await this.#fill(dialog.getByRole('combobox', { name: this.#say('reservations.customer') }), typed)
    await this.#take(this.#page.getByRole('option', { name }))
    await this.#finishBooking(dialog, wish)
  }

  /** Books an appointment for a caller who has no record yet. */
  async bookNew(wish: Wish, caller: NewCaller): Promise<void> {
    const dialog = await this.#openBooking(wish)
    this.desk.think()
    await this.#fill(dialog.getByRole('combobox', { name: this.#say('reservations.customer') }), caller.name)
    await this.#take(this.#page.getByRole('option', { name: this.#say('calendar.newNamed', { name: caller.name }) }))
    for (const [field, text] of [
      ['phone', caller.phone],
      ['email', caller.email],
    ] as const) {
      if (text === undefined) continue
      this.desk.think()
      await this.#fill(dialog.getByRole('textbox', { name: this.#say(`customers.${field}`) }), text)
    }
    await this.#finishBooking(dialog, wish)
  }

  /** Finds the next reservation of a customer in the palette, and opens it. */
  async #open(typed: string, name: string): Promise<Locator> {
    await this.#find(typed)
    await this.#take(this.#found(name))
    const drawer = this.#page.getByRole('dialog', { name })
    await drawer.getByRole('button', { name: this.#say('reservations.cancel') }).waitFor()
    return drawer
  }

  /** Finds the time of the next reservation of a customer without opening it. */
  async tellTime(typed: string, name: string): Promise<void> {
    await this.#find(typed)
    await this.#found(name).waitFor()
    await this.desk.press('Escape')
  }

  /** Types a text into the palette. */
  async #find(typed: string): Promise<void> {
    this.desk.think()
    if (this.#touches) await this.desk.point(this.#page.getByRole('button', { name: this.#say('shell.commands') }))
    else await this.desk.press('Control+k')
    await this.#page.locator(`input[aria-label="${this.#say('shell.commands')}"]:focus`).waitFor()
    await this.desk.type(typed)
  }

  /** The reservation that the palette found; its description has the service and the time. */
  #found(name: string): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`${name}.*(Check-up|Massage|Advice)`) }).first()
  }

  /** Moves the next reservation of a customer to the first free time of a date. */
  async move(caller: KnownCaller, date: string): Promise<void> {
    const drawer = await this.#open(caller.typed, caller.name)
    this.desk.think()
    await this.desk.point(drawer.getByRole('button', { name: this.#say('calendar.move'), exact: true }))
    const dialog = this.#page.getByRole('dialog', { name: this.#say('calendar.moveTitle', { customer: caller.name }) })
    await this.#chooseTime(dialog, date)
    await dialog.getByText(this.#say('calendar.fits'), { exact: true }).waitFor()
    await this.desk.point(dialog.getByRole('button', { name: this.#say('calendar.move'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await this.#closeNotification(caller.name)
    await this.#closeDrawer()
  }

  /** Chooses the first free time of a date in a dialog. */
  async #chooseTime(dialog: Locator, date: string): Promise<void> {
    this.desk.think()
    const times = dialog.getByRole('group', { name: this.#say('calendar.freeTimes') })
    const later = times.getByRole('button', { name: this.#say('calendar.laterTimes') })
    await later.waitFor()
    const ofDay = times.getByLabel(mediumDate(date, this.#locale))
    while ((await ofDay.count()) === 0) {
      await this.desk.point(later)
      await allRead(this.#page)
    }
    await this.desk.point(times.locator(`label[for="${await ofDay.first().getAttribute('id')}"]`))
  }

  /** Scrolls the list of free times to a date, and taps on a time. */
  async #tapTime(dialog: Locator, { date, time }: NonNullable<Wish['at']>): Promise<void> {
    const times = dialog.getByRole('group', { name: this.#say('calendar.freeTimes') })
    const name = new RegExp(`${mediumDate(date, this.#locale)}.* 0?${time.replace(/^0/, '')}`)
    const id = await times.getByRole('radio', { name }).getAttribute('id')
    this.desk.swipe()
    await this.desk.point(times.locator(`label[for="${id}"]`))
  }

  /** Cancels the next reservation of a customer, for a reason from the list. */
  async cancel(caller: KnownCaller): Promise<void> {
    const drawer = await this.#open(caller.typed, caller.name)
    this.desk.think()
    await this.desk.point(drawer.getByRole('button', { name: this.#say('reservations.cancel') }))
    const dialog = this.#page.getByRole('dialog', { name: this.#say('cancellation.title') })
    this.desk.think()
    await this.desk.point(dialog.getByRole('button', { name: this.#say('cancellation.reasons.customer'), exact: true }))
    await this.desk.point(dialog.getByRole('button', { name: this.#say('reservations.cancel') }))
    await dialog.waitFor({ state: 'hidden' })
    await this.#closeNotification(this.#say('reservations.done.cancelled'))
    await this.#closeDrawer()
  }

  /** Opens a page of the panel by a part of its name. */
  async visit(place: string): Promise<void> {
    await this.#find(place)
    const found = this.#page.getByRole('dialog').getByRole('button', { name: place }).first()
    await found.waitFor()
    if (this.#touches) await this.desk.point(found)
    else await this.desk.press('Enter')
    await this.#page.getByRole('heading', { level: 1, name: place }).waitFor()
    await allRead(this.#page)
  }

  /** Marks a customer on Today with a state of the visit. */
  async mark(name: string, state: 'arrived' | 'completed' | 'no_show'): Promise<void> {
    const step = this.#page.getByRole('button', { name: `${this.#say('attendance.mark.arrived')}: ${name}` })
    if (state === 'arrived') await this.desk.point(step)
    else {
      await this.desk.point(this.#page.getByRole('button', { name: `${this.#say('attendance.title')}: ${name}` }))
      await this.desk.point(this.#page.getByRole('menuitem', { name: this.#say(`attendance.states.${state}`) }))
    }
    await this.#closeNotification(this.#say(`attendance.done.${state}`))
  }

  /** Marks on Today all customers who are still expected as arrived, and completes all visits. */
  async closeDay(): Promise<void> {
    const next = this.#page.getByRole('button', { name: new RegExp(`^${this.#say('attendance.mark.arrived')}: `) })
    for (let left = await next.count(); left > 0; left -= 1) {
      await this.desk.point(next.first())
      await this.#closeNotification(this.#say('attendance.done.arrived'))
    }
    const came = await this.#page
      .getByRole('button', { name: new RegExp(`^${this.#say('attendance.mark.in_service')}: `) })
      .count()
    this.desk.think()
    await this.desk.point(
      this.#page.getByRole('button', { name: this.#say('attendance.completeAll', { count: came }) }),
    )
    await this.#closeNotification(this.#say('attendance.allCompleted', { count: came }))
  }

  /** Records that a provider is away today, and accepts all suggestions for the affected reservations. */
  async replanToday(provider: string): Promise<void> {
    await this.visit(this.#say('absence.title'))
    this.desk.think()
    await this.#fill(this.#page.getByRole('combobox', { name: this.#say('reservations.provider') }), provider)
    await this.#enter(this.#page.getByRole('option', { name: provider }))
    await this.desk.point(this.#page.getByRole('button', { name: this.#say('absence.record'), exact: true }))
    await this.#page
      .getByRole('status')
      .filter({ hasText: this.#say('absence.recorded', { name: provider }) })
      .waitFor()
    this.desk.think()
    const affected = await this.#page.getByRole('combobox').count()
    await this.desk.point(
      this.#page.getByRole('button', { name: this.#say('absence.acceptAll', { count: affected - 1 }) }),
    )
    await this.#page.getByText(this.#say('absence.none')).waitFor()
  }

  /** Closes the site on one date, and keeps the change although a reservation is affected. */
  async closeOn(date: string, name: string): Promise<void> {
    await this.visit(this.#say('policies.title'))
    this.desk.think()
    await this.desk.point(this.#page.getByRole('button', { name: this.#say('policies.addHoliday'), exact: true }))
    await this.#fill(
      this.#page.getByRole('textbox', { name: this.#say('policies.from') }),
      shortDate(date, this.#locale),
    )
    await this.#fill(this.#page.getByRole('textbox', { name: this.#say('policies.name'), exact: true }), name)
    await this.desk.press('Enter')
    const question = this.#page.getByRole('dialog', { name: this.#say('providers.leftTitle', { count: 1 }) })
    this.desk.think()
    await this.desk.point(question.getByRole('button', { name: this.#say('providers.leftKeep') }))
    await this.#closeNotification(this.#say('common.saved'))
  }

  /** Moves a reservation that Today lists as a conflict to a free time. */
  async resolve(name: string, date: string, time: string): Promise<void> {
    await this.visit(this.#say('today.title'))
    this.desk.think()
    await this.desk.point(this.#page.getByRole('button', { name: `${this.#say('calendar.move')}: ${name}` }))
    const dialog = this.#page.getByRole('dialog', { name: this.#say('calendar.moveTitle', { customer: name }) })
    await this.#fill(
      dialog.getByRole('textbox', { name: new RegExp(`^${this.#say('calendar.start')} \\(`) }),
      `${shortDate(date, this.#locale)} ${time}`,
    )
    await this.desk.press('Tab')
    await dialog.getByText(this.#say('calendar.fits'), { exact: true }).waitFor()
    await this.desk.point(dialog.getByRole('button', { name: this.#say('calendar.move'), exact: true }))
    await this.#closeNotification(name)
    await dialog.waitFor({ state: 'hidden' })
    await this.#page
      .getByRole('heading', { name: new RegExp(`^${this.#say('conflicts.title')}`) })
      .waitFor({ state: 'hidden' })
  }

  /** Closes the drawer of a reservation, and the message about the last change. */
  async #closeDrawer(): Promise<void> {
    await this.#page.keyboard.press('Escape')
    await this.#page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  }

  #closeNotification(text: string): Promise<void> {
    return closeNotification(this.#page, text, this.#say('common.close'))
  }

  async #openBooking({ service, provider, at }: Wish): Promise<Locator> {
    const dialog = this.#page.getByRole('dialog', { name: this.#say('calendar.bookTitle') })
    if (this.#touches) {
      const name = this.#say('calendar.book')
      await this.desk.point(this.#page.getByRole('button', { name }).or(this.#page.getByRole('link', { name })))
    } else await this.desk.press('n')
    await dialog.waitFor()
    await allRead(this.#page)
    this.desk.think()
    const serviceField = dialog.getByRole('combobox', { name: this.#say('reservations.service') })
    await this.#fill(serviceField, service)
    await this.#enter(this.#page.getByRole('option'))
    if (provider !== undefined) {
      this.desk.think()
      await this.#fill(dialog.getByRole('combobox', { name: this.#say('reservations.provider') }), provider)
      await this.#enter(this.#page.getByRole('option'))
    }
    // The receptionist tells the caller the time that the form offers.
    await allRead(this.#page)
    await dialog.getByRole('radio', { checked: true }).waitFor({ state: 'attached' })
    if (at) {
      this.desk.think()
      if (this.#touches) await this.#tapTime(dialog, at)
      else {
        const text = `${shortDate(at.date, this.#locale)} ${at.time}`
        await this.#fill(dialog.getByRole('textbox', { name: new RegExp(`^${this.#say('calendar.start')} \\(`) }), text)
      }
    }
    return dialog
  }

  async #finishBooking(dialog: Locator, { note }: Wish): Promise<void> {
    if (note !== undefined) {
      this.desk.think()
      await this.#fill(dialog.getByRole('textbox', { name: this.#say('note.title') }), note)
    }
    this.desk.think()
    if (this.#touches)
      await this.desk.point(dialog.getByRole('button', { name: this.#say('calendar.bookNow'), exact: true }))
    else await this.desk.press(note === undefined ? 'Enter' : 'Control+Enter')
    await dialog.waitFor({ state: 'hidden' }).catch(async (error: unknown) => {
      assert.fail(`The booking was not accepted (${error}): ${await dialog.innerText()}`)
    })
  }

  /** Moves to a field, by Tab or by a tap, and types into it. */
  async #fill(field: Locator, text: string): Promise<void> {
    const focused = async (): Promise<boolean> => (await field.and(this.#page.locator(':focus')).count()) > 0
    if (this.#touches) await this.desk.point(field)
    else
      for (let tabs = 0; !(await focused()); tabs += 1) {
        assert.ok(tabs < 12, `Tab does not reach ${field}`)
        await this.desk.press('Tab')
      }
    // A phone does not select what a field has when it is tapped.
    if (this.#touches) await this.#page.keyboard.press('Control+a')
    await this.desk.type(text)
  }

  /** Takes the first option of a list that filters as one types. */
  async #enter(options: Locator): Promise<void> {
    await options.first().waitFor()
    if (this.#touches) return this.desk.point(options.first())
    await this.#drawn()
    await this.desk.press('Enter')
  }

  /** Waits until an opened list reacts to keys, which takes it no time that a person would notice. */
  async #drawn(): Promise<void> {
    await this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }

  /** Takes an entry of a list, by arrow keys or by a tap. */
  async #take(entry: Locator): Promise<void> {
    await entry.waitFor()
    if (this.#touches) return this.desk.point(entry)
    await this.#drawn()
    const isCurrent = async (): Promise<boolean> =>
      (await entry.and(this.#page.locator('[data-combobox-selected], [data-selected]')).count()) > 0
    for (let steps = 0; steps < 12 && !(await isCurrent()); steps += 1) await this.desk.press('ArrowDown')
    await this.desk.press('Enter')
  }
}

/** Returns a date as the labels of free times have it. */
function mediumDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date))
}

/** Returns a date as people type it, without the year: `8.10.` in German. */
function shortDate(date: string, locale: string): string {
  const [, month, day] = date.split('-').map(Number)
  return locale.startsWith('de') ? `${day}.${month}.` : `${day}/${month}`
}
