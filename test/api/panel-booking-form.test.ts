import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser, type PanelBody } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, at, onEachDatabase, type TestSite } from '../support/test-site.ts'

const visit = [
  { key: 'reason', label: 'What brings you here?', kind: 'long_text', required: true },
  { key: 'insured', label: 'Insured', kind: 'choice', options: ['Yes', 'No'] },
  { key: 'insurer', label: 'Where', kind: 'text', required: true, when: { field: 'insured', is: 'Yes' } },
  { key: 'keep', label: 'Keep copies', kind: 'checkbox', help: 'Of the papers.' },
]
const shown = visit.map((field) => ({ help: '', required: false, options: [], when: null, ...field }))

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object, browser = desk): Promise<PanelBody> => {
    const answer = await browser.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const added = async (name: string): Promise<string> =>
    String((await post('/services/add/', { name, form: visit })).response.id)
  const formOf = async (id: string, browser = desk) =>
    (await browser.get(`/services/form/?id=${id}`)).body.response.fields
  const wish = (serviceId: string) => ({
    serviceId,
    providerId: ana,
    customerId: site.customer('Jo'),
    start: at(`${site.nextDay()}T10:00`),
  })
  const book = (body: object, browser = desk) => browser.post('/calendar/book/', body)
  const reservation = async (id: string) => (await desk.get(`/reservations/one/?id=${id}`)).body.response
  const refused = (answer: ApiResponse<unknown>, fields: Readonly<Record<string, string>>): void => {
    assertRefused(asAny(answer), 400, 'invalid_parameter', Object.keys(fields))
    assert.deepEqual(asAny(answer).body.details, fields)
  }

  test('a form is stored with its service, listed completely, and removed by an empty one', async () => {
    const id = await added('Asked')
    assert.deepEqual((await desk.get(`/services/one/?id=${id}`)).body.response.form, shown)
    assert.deepEqual(await formOf(id, asAna), shown)
    await post('/services/edit/', { id, name: 'Asked more' })
    assert.deepEqual(await formOf(id), shown)
    await post('/services/edit/', { id, form: [] })
    assert.deepEqual(await formOf(id), [])
    assert.equal((await desk.get('/services/form/?id=s_none')).status, 404)
  })

  test('the API lists the form with the other fields of the service, and omits an empty one', async () => {
    const id = await added('Told')
    const listed = async (full: boolean) =>
      (await site.get('/services/get/', { full, per_page: 500 })).body.response.find((one) => one.id === id)
    assert.deepEqual((await listed(true))?.form, shown)
    assert.equal('form' in Object(await listed(false)), false)
    await post('/services/edit/', { id, form: [] })
    assert.equal('form' in Object(await listed(true)), false)
  })

  test('an invalid form is refused with a message per field, and nothing is stored', async () => {
    const twice = { key: 'reason', label: 'Again', kind: 'text' }
    const empty = { key: 'what', label: 'What', kind: 'choices' }
    refused(await desk.post('/services/add/', { name: 'Odd', form: [...visit, twice, empty] }), {
      'form[4].key': 'Is the key of an earlier field; each field needs its own.',
      'form[5].options': 'Add the options to choose from.',
    })
    refused(await desk.post('/services/add/', { name: 'Odd', form: [{ key: '1 a', label: ' ', kind: 'voice' }] }), {
      'form[0].key': 'Must be a letter, then letters, digits or _.',
      'form[0].kind': 'Must be one of text, long_text, number, date, choice, choices, checkbox.',
      'form[0].label': 'Must be a string of 1 to 200 characters.',
    })
    assert.deepEqual((await desk.get('/services/?search=Odd')).body.response, [])
  })

  test('a booking in the panel stores the answers, and is refused without required ones', async () => {
    const wanted = wish(await added('Booked'))
    refused(await book(wanted), { 'answers.reason': 'Is required for the booking.' })
    refused(await book({ ...wanted, answers: { reason: 'Pain', insured: 'Maybe', room: 1 } }), {
      'answers.room': 'The booking form has no such field.',
      'answers.insured': 'Must be one of the options.',
    })
    refused(await book({ ...wanted, answers: { reason: 'Pain', insured: 'Yes' } }, asAna), {
      'answers.insurer': 'Is required for the booking.',
    })
    const answers = { reason: ' Pain ', insured: 'No', insurer: 'dropped', keep: true }
    const { id } = await post('/calendar/book/', { ...wanted, answers })
    const kept = await reservation(String(id))
    assert.deepEqual(kept.data, { reason: 'Pain', insured: 'No', keep: true })
    assert.deepEqual(kept.form, shown)
  })

  test('answers are corrected later, also incomplete ones, and keys of integrations are kept', async () => {
    const wanted = wish(await added('Corrected'))
    const { id } = await post('/calendar/book/', { ...wanted, answers: { reason: 'Pain', keep: true } })
    await site.edit(String(id), { data: { room: 'A' } })
    await post('/reservations/answer/', { id, answers: { insured: 'Yes', insurer: 'Sund' } })
    assert.deepEqual((await reservation(String(id))).data, { room: 'A', insured: 'Yes', insurer: 'Sund' })
    refused(await desk.post('/reservations/answer/', { id, answers: { keep: 'maybe' } }), {
      'answers.keep': 'Must be true or false.',
    })
    assert.deepEqual((await reservation(String(id))).data, { room: 'A', insured: 'Yes', insurer: 'Sund' })
    assertRefused(
      asAny(await desk.post('/reservations/answer/', { id: 'r_none', answers: {} })),
      404,
      'reservation_not_found',
    )
  })

  test('the API books without answers: the form is required in the panel only', async () => {
    await post('/services/edit/', { id: site.service('own'), form: visit })
    const { id } = await site.booked({ service: 'own', provider: ana, on: site.nextDay() })
    assert.deepEqual((await reservation(id)).data, {})
    assert.deepEqual((await reservation(id)).form, shown)
  })

  test('a change of the form is in the history and can be undone', async () => {
    const id = await added('Undone')
    const changeAndUndo = async (form: readonly object[], before: readonly object[]) => {
      await post('/services/edit/', { id, form })
      const [entry] = (await desk.get(`/history/?objectId=${id}`)).body.response
      await post('/history/undo/', { seq: entry?.seq })
      assert.deepEqual(await formOf(id), before)
    }
    await changeAndUndo([], shown)
    await post('/services/edit/', { id, form: [] })
    await changeAndUndo(visit.slice(0, 1), [])
  })
})

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
