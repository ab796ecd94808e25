import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { BookingVisitor, fieldOf, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { freshFolder } from '../support/daybook.ts'
import { hasPhp, php } from '../support/php.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const docs = readFileSync(new URL('../../docs/booking-page.md', import.meta.url), 'utf8')
const phpHere = await hasPhp()

onEachDatabase((open) => {
  let site: TestSite
  let admin: BrowserClient
  let visitor: BookingVisitor
  let secret = ''
  let visitors = 0
  let clock = 0
  before(async () => {
    site = await open({ env: { DAYBOOK_SECRET_KEY: '5e'.repeat(32) } })
    admin = (await insertSignedInUser(site, 'admin')).browser
    const body = { id: site.service('plain'), access: 'host' }
    assert.equal((await admin.post('/booking-page/service/edit/', body)).status, 200)
    secret = await newSecret()
  })
  after(() => site.close())
  beforeEach(async () => {
    visitors += 1
    visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.7.${visitors}` })
    clock = await admin.serverNow()
  })

  const newSecret = async () => {
    const made = await admin.post('/booking-page/host-secret/set/', {})
    assert.equal(made.status, 200, made.text)
    return String(Object(made.body.response).secret)
  }
  const ada = () => ({
    sub: String(40 + visitors),
    name: `Ada ${visitors}`,
    email: `ada${visitors}@example.org`,
    exp: clock + 300,
  })
  function token(claims: object, { key = secret, alg = 'HS256' } = {}): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const monthOf = (signed: string) =>
    visitor.open(`/book/plain/?with=1&date=${site.nextDay()}&host=${encodeURIComponent(signed)}`)
  const customers = (email: string) => site.sql('select id, name, host_user_id from customer where email = ?', [email])
  async function book(signed: string, change: Readonly<Record<string, string>> = {}): Promise<HtmlPage> {
    const form = await visitor.choose(await monthOf(signed))
    const own = { name: fieldOf(form, 'name'), email: fieldOf(form, 'email') }
    return visitor.confirm(await visitor.fillIn(form, { ...own, ...change }))
  }

  test('a user that the host site vouches for books, prefilled, and is linked to the user', async () => {
    assert.match(textOf(await visitor.open('/book/plain/?with=1')), /For signed-in users/)
    assert.doesNotMatch((await visitor.open('/book/')).html, /\/book\/plain\//)
    const { sub, name, email } = ada()
    const done = await book(token(ada()))
    assert.match(textOf(done), /You are booked/)
    assert.doesNotMatch(done.html, new RegExp(`(href|action)="[^"]*${email}`))
    assert.deepEqual(
      (await customers(email)).map((row) => [row.name, row.host_user_id]),
      [[name, Number(sub)]],
    )
    assert.match(textOf(await book(token(ada()))), /You are booked/)
    assert.equal((await customers(email)).length, 1)
  })

  for (const [name, make] of [
    ['with another secret', () => token(ada(), { key: 'dbh_other' })],
    ['without a signature', () => token(ada()).replace(/\.[^.]+$/, `.${'A'.repeat(43)}`)],
    ['of another algorithm', () => token(ada(), { alg: 'none' })],
    ['that has expired', () => token({ ...ada(), exp: clock - 61 })],
    ['that is not valid yet', () => token({ ...ada(), exp: clock + 600, nbf: clock + 600 })],
    ['that lives too long', () => token({ ...ada(), exp: clock + 86_400 })],
    ['without an expiry', () => token({ sub: '7' })],
    ['of no user', () => token({ ...ada(), sub: 'x' })],
  ] as const)
    test(`a token ${name} opens nothing`, async () => assert.equal((await monthOf(make())).status, 403))

  test('what pages repeat names nobody, and a changed one opens nothing', async () => {
    const month = await monthOf(token(ada()))
    const as = fieldOf(month, 'as')
    assert.doesNotMatch(Buffer.from(as.slice(3), 'base64url').toString('latin1'), /ada/i)
    const changed = `${as.slice(0, -2)}${as.endsWith('AA') ? 'BB' : 'AA'}`
    assert.equal((await visitor.open(`/book/plain/?as=${as}`)).status, 200)
    assert.equal((await visitor.open(`/book/plain/?as=${changed}`)).status, 403)
  })

  test('a blocked customer of the user does not book under another name', async () => {
    const { email } = ada()
    await book(token(ada()))
    const [one] = await customers(email)
    await site.sql('update customer set status = 2 where id = ?', [String(one?.id)])
    const refused = await book(token(ada()), { name: 'Somebody', email: `else.${email}` })
    assert.equal(refused.status, 403)
    assert.deepEqual(await customers(`else.${email}`), [])
  })

  test('without proof and without mail a user books with the address of the token, not with another', async () => {
    const { email } = ada()
    assert.equal((await admin.post('/booking-page/edit/', { proofOfWork: true })).status, 200)
    const refused = await book(token(ada()), { email: `else.${email}` })
    assert.equal(refused.status, 422)
    assert.match(textOf(refused), /Please switch on JavaScript/)
    assert.deepEqual(await customers(`else.${email}`), [])
    assert.match(textOf(await book(token(ada()))), /You are booked/)
    assert.equal((await admin.post('/booking-page/edit/', { proofOfWork: false })).status, 200)
  })

  test('the PHP sample of the documentation signs a token', {
    skip: phpHere ? false : 'PHP is not installed',
  }, async () => {
    const sample = /```php\n(<\?php[\s\S]*?)```/.exec(docs)?.[1]
    const file = join(freshFolder(), 'token.php')
    const { sub, name, email } = ada()
    writeFileSync(file, `${sample}\necho daybook_token('${secret}', ${sub}, '${name}', '${email}', ${clock});\n`)
    assert.match(textOf(await book(await php(file))), /You are booked/)
  })

  test('the page of the owner receives the signed reservation, by a button or at once', async () => {
    const edit = async (change: object) => assert.equal((await admin.post('/booking-page/edit/', change)).status, 200)
    await edit({ afterUrl: 'https://clinic.example/thanks?x=1', afterMode: 'redirect' })
    const redirected = await book(token(ada()))
    assert.equal(redirected.status, 303)
    const url = new URL(String(redirected.headers.location))
    assert.deepEqual([url.origin, url.pathname, url.searchParams.get('x')], ['https://clinic.example', '/thanks', '1'])
    const [id, time, signature] = ['reservation', 'time', 'signature'].map((name) =>
      url.searchParams.get(`daybook_${name}`),
    )
    assert.equal(signature, createHmac('sha256', secret).update(`${id}.${time}`).digest('hex'))
    assert.equal((await site.sql('select id from reservation where id = ?', [String(id)])).length, 1)
    const month = await monthOf(token(ada()))
    const summary = await visitor.fillIn(await visitor.choose(month), { name: ada().name, email: ada().email })
    await visitor.confirm(summary)
    await site.sql('update reservation set created_at = created_at - 100')
    const { searchParams: again } = new URL(String((await visitor.confirm(summary)).headers.location))
    const [booked] = await site.sql('select created_at from reservation where id = ?', [
      String(again.get('daybook_reservation')),
    ])
    assert.equal(Number(again.get('daybook_time')), Number(booked?.created_at))
    assert.match(String(month.headers['content-security-policy']), /form-action 'self' https:\/\/clinic\.example;/)
    await edit({ afterMode: 'button' })
    assert.match(
      (await book(token(ada()))).html,
      /href="https:\/\/clinic\.example\/thanks\?x=1&amp;daybook_reservation=r_/,
    )
    await edit({ afterUrl: '' })
  })

  test('the secret is shown once, stored encrypted, and replaced or removed', async () => {
    assert.ok(Number(Object((await admin.get('/booking-page/host-secret/')).body.response).createdAt) >= now)
    const rows = JSON.stringify(await site.sql('select * from host_secret'))
    assert.ok(!rows.includes(secret))
    const old = token(ada())
    const { browser } = await insertSignedInUser(site, 'manager')
    assert.equal((await browser.post('/booking-page/host-secret/set/', {})).status, 403)
    secret = await newSecret()
    assert.equal((await monthOf(old)).status, 403)
    assert.equal((await monthOf(token(ada()))).status, 200)
    assert.equal((await admin.post('/booking-page/host-secret/remove/', {})).status, 200)
    assert.equal((await monthOf(token(ada()))).status, 403)
  })
})
