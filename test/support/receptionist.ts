import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { CountedInput } from './counted-input.ts'
import { closeNotification, waitForData } from './panel.ts'
import type { Translate } from './panel-translator.ts'

/** What a caller wants to book: a service, and optionally a provider, a time and a note. */
export interface CallerRequest {
  /** The text that the receptionist types to find the service. */
  readonly service: string
  /** The text that the receptionist types to find the provider; when absent, the form's default stays. */
  readonly provider?: string
  /** A date (`YYYY-MM-DD`) and a wall time (`HH:MM`); when absent, the next free time. */
  readonly at?: { readonly date: string; readonly time: string }
  readonly note?: string
}

/** A caller with a record: the text that the receptionist types to find the record, and the customer's name. */
export interface KnownCaller {
  readonly typed: string
  readonly name: string
}

/** A caller without a record: the name and contact details that the caller gives. */
export interface NewCaller {
  readonly name: string
  readonly phone?: string
  readonly email?: string
}

/** A simulated receptionist who uses the panel in one language, with a keyboard and a mouse or with a touch screen. */
export class Receptionist {
  readonly input: CountedInput
  readonly #page: Page
  readonly #translate: Translate
  readonly #locale: string
  readonly #touches: boolean

  constructor(page: Page, { translate, locale, touches }: { translate: Translate; locale: string; touches: boolean }) {
    this.input = new CountedInput(page, touches)
    this.#page = page
    this.#translate = translate
    this.#locale = locale
    this.#touches = touches
  }

  /** Books an appointment for a caller who has a record. */
  async bookKnown(request: CallerRequest, { typed, name }: KnownCaller): Promise<void> {
    const dialog = await this.#openBooking(request)
    this.input.countDecision()
    await this.#fill(dialog.getByRole('combobox', { name: this.#translate('reservations.customer') }), typed)
    await this.#take(this.#page.getByRole('option', { name }))
    await this.#finishBooking(dialog, request)
  }

  /** Books an appointment for a caller who has no record yet. */
  async bookNew(request: CallerRequest, caller: NewCaller): Promise<void> {
    const dialog = await this.#openBooking(request)
    this.input.countDecision()
    await this.#fill(dialog.getByRole('combobox', { name: this.#translate('reservations.customer') }), caller.name)
    await this.#take(
      this.#page.getByRole('option', { name: this.#translate('calendar.newNamed', { name: caller.name }) }),
    )
    for (const [field, text] of [
      ['phone', caller.phone],
      ['email', caller.email],
    ] as const) {
      if (text === undefined) continue
      this.input.countDecision()
      await this.#fill(dialog.getByRole('textbox', { name: this.#translate(`customers.${field}`) }), text)
    }
    await this.#finishBooking(dialog, request)
  }

  /**
   * Finds a customer's next reservation with the command palette, and opens and returns the drawer of the
   * reservation.
   */
  async #open(typed: string, name: string): Promise<Locator> {
    await this.#find(typed)
    await this.#take(this.#found(name))
    const drawer = this.#page.getByRole('dialog', { name })
    await drawer.getByRole('button', { name: this.#translate('reservations.cancel') }).waitFor()
    return drawer
  }

  /** Finds the time of a customer's next reservation with the command palette, without opening the reservation. */
  async tellTime(typed: string, name: string): Promise<void> {
    await this.#find(typed)
    await this.#found(name).waitFor()
    await this.input.press('Escape')
    await this.#page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  }

  /** Opens the command palette and types a text into it. */
  async #find(typed: string): Promise<void> {
    this.input.countDecision()
    if (this.#touches)
      await this.input.click(this.#page.getByRole('button', { name: this.#translate('shell.commands') }))
    else await this.input.press('Control+k')
    await this.#page.locator(`input[aria-label="${this.#translate('shell.commands')}"]:focus`).waitFor()
    await this.input.type(typed)
  }

  /** Returns the palette's entry for a customer's reservation, whose description contains the service and the time. */
  #found(name: string): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`${name}.*(Check-up|Massage|Advice)`) }).first()
  }

  /** Moves the next reservation of a customer to the first free time of a date. */
  async move(caller: KnownCaller, date: string): Promise<void> {
    const drawer = await this.#open(caller.typed, caller.name)
    this.input.countDecision()
    await this.input.click(drawer.getByRole('button', { name: this.#translate('calendar.move'), exact: true }))
    const dialog = this.#page.getByRole('dialog', {
      name: this.#translate('calendar.moveTitle', { customer: caller.name }),
    })
    await this.#chooseTime(dialog, date)
    await dialog.getByText(this.#translate('calendar.fits'), { exact: true }).waitFor()
    await this.input.click(dialog.getByRole('button', { name: this.#translate('calendar.move'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await this.#closeNotification(caller.name)
    await this.#closeDrawer()
  }

  /** Chooses the first free time of a date in a dialog. */
  async #chooseTime(dialog: Locator, date: string): Promise<void> {
    this.input.countDecision()
    const times = dialog.getByRole('group', { name: this.#translate('calendar.freeTimes') })
    const later = times.getByRole('button', { name: this.#translate('calendar.laterTimes') })
    await later.waitFor()
    const ofDay = times.getByLabel(mediumDate(date, this.#locale))
    while ((await ofDay.count()) === 0) {
      await this.input.click(later)
      await waitForData(this.#page)
    }
    await this.input.click(times.locator(`label[for="${await ofDay.first().getAttribute('id')}"]`))
  }

  /**
   * Taps on a time of a date in the list of free times, and counts the swipe with which a user would scroll to that
   * time.
   */
  async #tapTime(dialog: Locator, { date, time }: NonNullable<CallerRequest['at']>): Promise<void> {
    const times = dialog.getByRole('group', { name: this.#translate('calendar.freeTimes') })
    const name = new RegExp(`${mediumDate(date, this.#locale)}.* 0?${time.replace(/^0/, '')}`)
    const id = await times.getByRole('radio', { name }).getAttribute('id')
    this.input.countSwipe()
    await this.input.click(times.locator(`label[for="${id}"]`))
  }

  /** Cancels the next reservation of a customer, for a reason from the list. */
  async cancel(caller: KnownCaller): Promise<void> {
    const drawer = await this.#open(caller.typed, caller.name)
    this.input.countDecision()
    await this.input.click(drawer.getByRole('button', { name: this.#translate('reservations.cancel') }))
    const dialog = this.#page.getByRole('dialog', { name: this.#translate('cancellation.title') })
    this.input.countDecision()
    await this.input.click(
      dialog.getByRole('button', { name: this.#translate('cancellation.reasons.customer'), exact: true }),
    )
    await this.input.click(dialog.getByRole('button', { name: this.#translate('reservations.cancel') }))
    await dialog.waitFor({ state: 'hidden' })
    await this.#closeNotification(this.#translate('reservations.done.cancelled'))
    await this.#closeDrawer()
  }

  /** Opens a page of the panel by a part of its title, with the command palette. */
  async visit(place: string): Promise<void> {
    await this.#find(place)
    // While the text is typed slowly, the palette may highlight a customer who was found for its beginning.
    await this.#take(this.#page.getByRole('dialog').getByRole('button', { name: place }).first())
    await this.#page.getByRole('heading', { level: 1, name: place }).waitFor()
    await waitForData(this.#page)
  }

  /** Sets the attendance of a customer's reservation on the page "Today". */
  async mark(name: string, state: 'arrived' | 'completed' | 'no_show'): Promise<void> {
    const step = this.#page.getByRole('button', { name: `${this.#translate('attendance.mark.arrived')}: ${name}` })
    if (state === 'arrived') await this.input.click(step)
    else {
      await this.input.click(
        this.#page.getByRole('button', { name: `${this.#translate('attendance.title')}: ${name}` }),
      )
      await this.input.click(this.#page.getByRole('menuitem', { name: this.#translate(`attendance.states.${state}`) }))
    }
    await this.#closeNotification(this.#translate(`attendance.done.${state}`))
  }

  /** Marks the arrival of every customer who is still expected, on the page "Today", and completes all visits. */
  async closeDay(): Promise<void> {
    const next = this.#page.getByRole('button', {
      name: new RegExp(`^${this.#translate('attendance.mark.arrived')}: `),
    })
    for (let left = await next.count(); left > 0; left -= 1) {
      await this.input.click(next.first())
      await this.#closeNotification(this.#translate('attendance.done.arrived'))
    }
    const came = await this.#page
      .getByRole('button', { name: new RegExp(`^${this.#translate('attendance.mark.in_service')}: `) })
      .count()
    this.input.countDecision()
    await this.input.click(
      this.#page.getByRole('button', { name: this.#translate('attendance.completeAll', { count: came }) }),
    )
    await this.#closeNotification(this.#translate('attendance.allCompleted', { count: came }))
  }

  /** Records that a provider is away today, and accepts all suggestions for the affected reservations. */
  async replanToday(provider: string): Promise<void> {
    await this.visit(this.#translate('absence.title'))
    this.input.countDecision()
    await this.#fill(this.#page.getByRole('combobox', { name: this.#translate('reservations.provider') }), provider)
    await this.#enter(this.#page.getByRole('option', { name: provider }))
    await this.input.click(this.#page.getByRole('button', { name: this.#translate('absence.record'), exact: true }))
    await this.#page
      .getByRole('status')
      .filter({ hasText: this.#translate('absence.recorded', { name: provider }) })
      .waitFor()
    this.input.countDecision()
    const affected = await this.#page.getByRole('combobox').count()
    await this.input.click(
      this.#page.getByRole('button', { name: this.#translate('absence.acceptAll', { count: affected - 1 }) }),
    )
    await this.#page.getByText(this.#translate('absence.none')).waitFor()
  }

  /** Adds a holiday on one date, and confirms the change although it brings a reservation into conflict. */
  async closeOn(date: string, name: string): Promise<void> {
    await this.visit(this.#translate('policies.title'))
    this.input.countDecision()
    await this.input.click(
      this.#page.getByRole('button', { name: this.#translate('policies.addHoliday'), exact: true }),
    )
    await this.#fill(
      this.#page.getByRole('textbox', { name: this.#translate('policies.from') }),
      shortDate(date, this.#locale),
    )
    await this.#fill(this.#page.getByRole('textbox', { name: this.#translate('policies.name'), exact: true }), name)
    await this.input.press('Enter')
    const question = this.#page.getByRole('dialog', { name: this.#translate('providers.leftTitle', { count: 1 }) })
    this.input.countDecision()
    await this.input.click(question.getByRole('button', { name: this.#translate('providers.leftKeep') }))
    await this.#closeNotification(this.#translate('common.saved'))
  }

  /** Moves a reservation that the page "Today" lists as a conflict to a free time. */
  async resolve(name: string, date: string, time: string): Promise<void> {
    await this.visit(this.#translate('today.title'))
    this.input.countDecision()
    await this.input.click(this.#page.getByRole('button', { name: `${this.#translate('calendar.move')}: ${name}` }))
    const dialog = this.#page.getByRole('dialog', { name: this.#translate('calendar.moveTitle', { customer: name }) })
    await this.#fill(
      dialog.getByRole('textbox', { name: new RegExp(`^${this.#translate('calendar.start')} \\(`) }),
      `${shortDate(date, this.#locale)} ${time}`,
    )
    await this.input.press('Tab')
    await dialog.getByText(this.#translate('calendar.fits'), { exact: true }).waitFor()
    await this.input.click(dialog.getByRole('button', { name: this.#translate('calendar.move'), exact: true }))
    await this.#closeNotification(name)
    await dialog.waitFor({ state: 'hidden' })
    await this.#page
      .getByRole('heading', { name: new RegExp(`^${this.#translate('conflicts.title')}`) })
      .waitFor({ state: 'hidden' })
  }

  /** Closes the drawer of a reservation with Escape. */
  async #closeDrawer(): Promise<void> {
    await this.#page.keyboard.press('Escape')
    await this.#page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  }

  #closeNotification(text: string): Promise<void> {
    return closeNotification(this.#page, text, this.#translate('common.close'))
  }

  async #openBooking({ service, provider, at }: CallerRequest): Promise<Locator> {
    const dialog = this.#page.getByRole('dialog', { name: this.#translate('calendar.bookTitle') })
    if (this.#touches) {
      const name = this.#translate('calendar.book')
      await this.input.click(this.#page.getByRole('button', { name }).or(this.#page.getByRole('link', { name })))
    } else await this.input.press('n')
    await dialog.waitFor()
    await waitForData(this.#page)
    // The dialog takes the focus in a timer; a Tab before it would leave the field that the dialog then focuses.
    await dialog.locator(':focus').waitFor()
    this.input.countDecision()
    const serviceField = dialog.getByRole('combobox', { name: this.#translate('reservations.service') })
    await this.#fill(serviceField, service)
    await this.#enter(this.#page.getByRole('option'))
    if (provider !== undefined) {
      this.input.countDecision()
      await this.#fill(dialog.getByRole('combobox', { name: this.#translate('reservations.provider') }), provider)
      await this.#enter(this.#page.getByRole('option'))
    }
    // The form must first show the time that it proposes, because the receptionist tells the caller that time.
    await waitForData(this.#page)
    await dialog.getByRole('radio', { checked: true }).waitFor({ state: 'attached' })
    if (at) {
      this.input.countDecision()
      if (this.#touches) await this.#tapTime(dialog, at)
      else {
        const text = `${shortDate(at.date, this.#locale)} ${at.time}`
        await this.#fill(
          dialog.getByRole('textbox', { name: new RegExp(`^${this.#translate('calendar.start')} \\(`) }),
          text,
        )
      }
    }
    return dialog
  }

  async #finishBooking(dialog: Locator, { note }: CallerRequest): Promise<void> {
    if (note !== undefined) {
      this.input.countDecision()
      await this.#fill(dialog.getByRole('textbox', { name: this.#translate('note.title') }), note)
    }
    this.input.countDecision()
    if (this.#touches)
      await this.input.click(dialog.getByRole('button', { name: this.#translate('calendar.bookNow'), exact: true }))
    else await this.input.press(note === undefined ? 'Enter' : 'Control+Enter')
    await dialog.waitFor({ state: 'hidden' }).catch(async (error: unknown) => {
      assert.fail(`The booking was not accepted (${error}): ${await dialog.innerText()}`)
    })
  }

  /** Moves the focus to a field, with Tab or a tap, and types a text into it. */
  async #fill(field: Locator, text: string): Promise<void> {
    const focused = async (): Promise<boolean> => (await field.and(this.#page.locator(':focus')).count()) > 0
    if (this.#touches) await this.input.click(field)
    else
      for (let tabs = 0; !(await focused()); tabs += 1) {
        assert.ok(tabs < 12, `Tab does not reach ${field}`)
        await this.input.press('Tab')
      }
    // The text in a field is selected first, because a phone does not select it when the field is tapped.
    if (this.#touches) await this.#page.keyboard.press('Control+a')
    await this.input.type(text)
  }

  /** Chooses the first option of a list that filters its options by the typed text. */
  async #enter(options: Locator): Promise<void> {
    await options.first().waitFor()
    if (this.#touches) return this.input.click(options.first())
    await this.#waitForFrames()
    await this.input.press('Enter')
  }

  /** Waits two frames, after which an opened list reacts to keys; a person does not notice that time. */
  async #waitForFrames(): Promise<void> {
    await this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }

  /** Chooses an entry of a list, with the arrow keys or a tap. */
  async #take(entry: Locator): Promise<void> {
    await entry.waitFor()
    if (this.#touches) return this.input.click(entry)
    await this.#waitForFrames()
    const isCurrent = async (): Promise<boolean> =>
      (await entry.and(this.#page.locator('[data-combobox-selected], [data-selected]')).count()) > 0
    for (let steps = 0; steps < 12 && !(await isCurrent()); steps += 1) await this.input.press('ArrowDown')
    await this.input.press('Enter')
  }
}

/** Formats a date in the locale's medium style, which the labels of free times have. */
function mediumDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date))
}

/** Formats a date as people type it, without the year: `8.10.` in German, `8/10` in other languages. */
function shortDate(date: string, locale: string): string {
  const [, month, day] = date.split('-').map(Number)
  return locale.startsWith('de') ? `${day}.${month}.` : `${day}/${month}`
}
