import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { LoadShedder } from './load-shedder.ts'

const piece = 10

function busy(): void {
  for (const since = performance.now(); performance.now() < since + piece; );
}

/**
 * Returns a function that submits a number of pieces of work of `piece` milliseconds each to one load shedder, and
 * returns the waiting times of the admitted and of the shed pieces, in milliseconds. The clock moves only while a piece
 * runs, so that other programs on the machine lengthen none.
 */
function asking() {
  let now = 0
  const shedder = new LoadShedder(() => now)
  return async (count: number) => {
    const begun: number[] = []
    const refused: number[] = []
    const since = now
    for (let n = 0; n < count; n++) {
      shedder.enter((admitted) => {
        const times = admitted ? begun : refused
        times.push(now - since)
        if (admitted) now += piece
      })
    }
    while (begun.length + refused.length < count) await setImmediate()
    return { begun, refused }
  }
}

test('work starts in order, one long piece per turn of the event loop', async () => {
  const shedder = new LoadShedder()
  const order: number[] = []
  for (let n = 0; n < 5; n++) {
    shedder.enter(() => {
      order.push(n)
      busy()
    })
  }
  assert.deepEqual(order, [0])
  await setImmediate()
  while (order.length < 5) await setImmediate()
  assert.deepEqual(order, [0, 1, 2, 3, 4])
})

test('short pieces share a turn, and no piece overtakes a queued one', async () => {
  let now = 0
  const shedder = new LoadShedder(() => now)
  assert.ok(shedder.share())
  assert.ok(shedder.share(), 'a turn begins with room')
  now += piece
  assert.ok(!shedder.share(), 'a long turn has no room')
  await setImmediate()
  assert.ok(shedder.share(), 'the next turn begins with room')
  now += piece
  let begun = false
  shedder.enter(() => {
    begun = true
  })
  assert.ok(!begun)
  assert.ok(!shedder.share(), 'a piece is queued')
  await setImmediate()
  assert.ok(begun)
})

test('under overload the last requests are shed early, and the first ones complete in time', async () => {
  const ask = asking()
  const first = await ask(400)
  assert.ok(first.refused.length > 200, `${first.refused.length} of 400 were shed`)
  assert.ok(first.begun.length > 10, `${first.begun.length} of 400 were begun`)
  // Pieces run one at a time, so the quotient is about the duration of one piece. The shedder can estimate this
  // duration after a few pieces, so the excess pieces must be shed before the time of 60 pieces has passed.
  const patience = (Math.max(...first.begun) / first.begun.length) * 60
  assert.ok(Math.max(...first.refused) < patience, `shed after ${Math.max(...first.refused)} ms`)
  const again = await ask(400)
  assert.ok(again.refused.length > 200, `${again.refused.length} of 400 were shed`)
})

test('a request that can be served in time is not shed', async () => {
  const { refused } = await asking()(10)
  assert.deepEqual(refused, [])
})

/** A load shedder whose clock moves only while a piece of work runs. */
class Simulation {
  begun = 0
  refused = 0
  #now = 0
  readonly #shedder = new LoadShedder(() => this.#now)

  /** Submits a piece of work; `duration` returns its milliseconds when it begins. */
  enter(duration: () => number): void {
    this.#shedder.enter((admitted) => {
      if (!admitted) {
        this.refused += 1
        return
      }
      this.begun += 1
      this.#now += duration()
    })
  }
}

test('no more long pieces are queued than begin within the wait that is allowed', async () => {
  const long = 50
  const simulation = new Simulation()
  const asked = 400
  for (let n = 0; n < asked; n++) simulation.enter(() => long)
  while (simulation.refused === 0) await setImmediate()
  const { begun, refused } = simulation
  assert.ok(begun <= 10, `the first was refused after ${begun} pieces`)
  const [queued, begin] = [asked - refused - begun, Math.ceil(800 / long) + 1]
  assert.ok(queued <= begin, `${queued} were queued, ${begin} can begin in 800 ms`)
})

test('a burst after the start is not shed because its first pieces take long', async () => {
  const simulation = new Simulation()
  const asked = 100
  // The first pieces take 20, 10, 7, 5, 4 … ms; the whole burst takes about 100 ms.
  for (let n = 0; n < asked; n++) simulation.enter(() => 20 / simulation.begun)
  while (simulation.begun + simulation.refused < asked) await setImmediate()
  assert.equal(simulation.refused, 0)
})

test('a burst is not shed because requests that came alone before it took long', async () => {
  const simulation = new Simulation()
  const alone = 64
  for (let n = 0; n < alone; n++) {
    simulation.enter(() => 20)
    await setImmediate()
  }
  assert.equal(simulation.begun, alone)
  const asked = 100
  for (let n = 0; n < asked; n++) simulation.enter(() => 2)
  while (simulation.begun + simulation.refused < alone + asked) await setImmediate()
  assert.equal(simulation.refused, 0)
})

test('requests without credentials never fill the queue of those with credentials', async () => {
  let now = 0
  const shedder = new LoadShedder(() => now)
  const order: string[] = []
  const enter = (what: string, open: boolean) =>
    shedder.enter(
      (admitted) => {
        if (!admitted) return
        order.push(what)
        now += piece
      },
      { open },
    )
  enter('first', true)
  for (let n = 0; n < 500; n++) enter('open', true)
  await setImmediate()
  while (order.length < 3) await setImmediate()
  order.length = 0
  assert.ok(!shedder.full)
  for (let n = 0; n < 6; n++) enter('with credentials', false)
  while (order.filter((what) => what === 'with credentials').length < 6) await setImmediate()
  // The shedder takes one piece in four from the queue of routes without authentication.
  assert.ok(order.length >= 7 && order.length <= 9, order.join(', '))
})
