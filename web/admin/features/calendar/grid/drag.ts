import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Clock } from '../../../data/dates/clock.ts'
import { createStore, type Store } from '../../../data/store.ts'
import {
  type CalendarColumn,
  type ColumnReservation,
  type ColumnService,
  minutesOfDay,
  type TimeSpan,
} from './columns.ts'
import { cardOf, edgesOf, headOf, isEmpty, isHandle, placeOf } from './grid-elements.ts'
import type { Scale } from './scale.ts'

/** The item being dragged and its current target. */
export interface Drag extends TimeSpan {
  readonly does: 'move' | 'stretch' | 'select'
  /** The dragged reservation; undefined while an interval of empty time is selected. */
  readonly reservation: ColumnReservation | undefined
  /** The index of the column in the grid. */
  readonly place: number
  /** Minutes between local midnight of the column and the start of the dragged item. */
  readonly top: number
  readonly height: number
  readonly byKeys: boolean
}

/** A time of one provider at which an item is dropped or selected. */
export interface Target extends TimeSpan {
  readonly providerId: number
}

interface Options {
  readonly columns: readonly CalendarColumn[]
  readonly services: ReadonlyMap<string, ColumnService>
  readonly clock: Clock
  readonly scale: Scale
  /** Called when a reservation is dropped at another place, or resized. */
  readonly onDrop: (reservation: ColumnReservation, target: Target & { readonly resized: boolean }) => void
  /** Called when an interval of empty time was selected by dragging. */
  readonly onSelect: (target: Target) => void
  /** Called when empty time was clicked. */
  readonly onPoint: (target: Pick<Target, 'providerId' | 'start'>) => void
  /** Called when the context menu of empty time was requested, with the position of the pointer. */
  readonly onMenu: (target: Pick<Target, 'providerId' | 'start'>, pointer: Pointer) => void
}

/** A position in the window, in pixels. */
export interface Pointer {
  readonly x: number
  readonly y: number
}

/** Dragging by mouse, touch and keyboard. Only subscribers of `drag` render while dragging. */
export interface GridDrag {
  readonly drag: Store<Drag | undefined>
  /** The element of the grid, to which the handlers are attached. */
  readonly grid: RefObject<HTMLDivElement | null>
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    readonly onClick: (event: MouseEvent<HTMLElement>) => void
    readonly onClickCapture: (event: MouseEvent<HTMLElement>) => void
    readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void
    readonly onBlur: () => void
  }
}

const emptyStep = 15
const threshold = 5
/** Milliseconds of touch before a reservation is picked up, and the tolerated movement in pixels. */
const longPress = 400
const touchTolerance = 10
const edge = 36

/** Makes the reservations of the grid draggable and resizable. */
export function useGridDrag(options: Options): GridDrag {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const dragged = useRef(false)
  const [drag] = useState(() => createStore<Drag | undefined>(undefined))
  const stopping = useRef<() => void>(() => {})
  useEffect(() => () => stopping.current(), [])
  const grid = useRef<HTMLDivElement>(null)
  useEffect(() => preventTouchScroll(grid.current, dragged), [])

  const finish = (done: Drag): void => {
    const { columns, onDrop, onSelect } = latest.current
    const column = columns[done.place]
    if (!column) return
    const target = { providerId: column.provider.id, start: done.start, end: done.end }
    const { reservation } = done
    if (!reservation) onSelect(target)
    else if (!isWhere(reservation, target)) onDrop(reservation, { ...target, resized: done.does === 'stretch' })
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || !event.isPrimary) return
    const { pointerId } = event
    const byFinger = event.pointerType === 'touch'
    const grip = byFinger ? fingerGripAt(event, latest.current) : gripAt(event, latest.current)
    if (!grip) return
    const body = event.currentTarget
    const scroller = body.parentElement ?? body
    const lefts = edgesOf(body)
    let [x, y] = [event.clientX, event.clientY]
    const began = [x, y] as const
    let scrolling = 0
    const follow = (): void => {
      const box = body.getBoundingClientRect()
      const at = x - box.left
      const found = lefts.findIndex(({ left, right }) => at >= left && at < right)
      const minute = minuteAt(latest.current.scale, y - box.top - grip.headHeight)
      const next = dragTo(latest.current, grip, { place: found === -1 ? grip.place : found, minute })
      if (!isSame(next, drag.get())) drag.set(next)
    }
    const scroll = (): void => {
      const { left, top, right, bottom } = scroller.getBoundingClientRect()
      const byX = inDirection(x - began[0], edgeScroll(x, left + edge, right))
      const byY = inDirection(y - began[1], edgeScroll(y, top + grip.headHeight, bottom))
      if (byX !== 0 || byY !== 0) {
        scroller.scrollBy(byX, byY)
        follow()
      }
      scrolling = requestAnimationFrame(scroll)
    }
    const pickUp = (): void => {
      dragged.current = true
      scrolling = requestAnimationFrame(scroll)
      follow()
    }
    const waiting = byFinger ? setTimeout(pickUp, longPress) : undefined
    const onMove = (move: globalThis.PointerEvent): void => {
      if (move.pointerId !== pointerId) return
      ;[x, y] = [move.clientX, move.clientY]
      const way = Math.hypot(x - began[0], y - began[1])
      if (dragged.current) follow()
      else if (byFinger && way > touchTolerance) stop()
      else if (!byFinger && way >= threshold) pickUp()
    }
    const stop = (): void => {
      clearTimeout(waiting)
      cancelAnimationFrame(scrolling)
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onCancel)
      removeEventListener('keydown', onKey)
      stopping.current = () => {}
      drag.set(undefined)
      // The click event that follows a drag is part of the drag, so the drag ends after it.
      setTimeout(() => {
        dragged.current = false
      })
    }
    const onCancel = (cancel: globalThis.PointerEvent): void => {
      if (cancel.pointerId === pointerId) stop()
    }
    const onUp = (up: globalThis.PointerEvent): void => {
      if (up.pointerId !== pointerId) return
      const done = dragged.current ? drag.get() : undefined
      stop()
      if (done) finish(done)
    }
    const onKey = (key: globalThis.KeyboardEvent): void => {
      if (key.key === 'Escape') stop()
    }
    stopping.current = stop
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onCancel)
    addEventListener('keydown', onKey)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const staged = drag.get()
    if (staged && event.key === 'Escape') {
      event.stopPropagation()
      drag.set(undefined)
    } else if (staged?.byKeys && event.key === 'Enter') {
      event.preventDefault()
      drag.set(undefined)
      finish(staged)
    } else {
      const next = keyed(latest.current, event, staged)
      if (!next) return
      event.preventDefault()
      drag.set(next)
    }
  }

  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const target = emptyAt(event, latest.current)
    if (target) latest.current.onPoint(target)
  }

  return {
    drag,
    grid,
    handlers: {
      onPointerDown,
      onKeyDown,
      onClick,
      onClickCapture: (event) => {
        if (dragged.current) event.stopPropagation()
      },
      // A long press on a card also opens the browser's context menu, which would interrupt the drag.
      onContextMenu: (event) => {
        const target = dragged.current ? undefined : emptyAt(event, latest.current)
        if (dragged.current || target) event.preventDefault()
        if (target) latest.current.onMenu(target, { x: event.clientX, y: event.clientY })
      },
      onBlur: () => {
        if (drag.get()?.byKeys) drag.set(undefined)
      },
    },
  }
}

/** Prevents scrolling while an item is dragged by touch, and the click after the drag. */
function preventTouchScroll(grid: HTMLElement | null, dragged: RefObject<boolean>): () => void {
  const prevent = (event: TouchEvent): void => {
    if (dragged.current && event.cancelable) event.preventDefault()
  }
  // The listener is registered in advance: browsers ignore a listener that is added during the touch.
  grid?.addEventListener('touchmove', prevent, { passive: false })
  grid?.addEventListener('touchend', prevent, { passive: false })
  return () => {
    grid?.removeEventListener('touchmove', prevent)
    grid?.removeEventListener('touchend', prevent)
  }
}

/** The point at which an item was grabbed. */
interface Grip {
  readonly does: Drag['does']
  readonly reservation: ColumnReservation | undefined
  readonly place: number
  /** Minutes since midnight of the start of the block, and of the grabbed point. */
  readonly top: number
  readonly minute: number
  /** The length of the reservation in seconds. */
  readonly length: number
  readonly step: number
  readonly headHeight: number
}

/** Returns the empty time below the pointer; undefined over anything else. */
function emptyAt(
  event: MouseEvent<HTMLElement>,
  { columns, clock, scale }: Options,
): Pick<Target, 'providerId' | 'start'> | undefined {
  const column = columns[placeOf(event.target)]
  if (!column || !isEmpty(event.target)) return undefined
  const minute = minuteAt(scale, event.clientY - event.currentTarget.getBoundingClientRect().top - headOf(event))
  return { providerId: column.provider.id, start: clock.at(column.date, snapDown(minute, emptyStep)) }
}

/** Returns the minute of the day at a distance in pixels below the column header. */
function minuteAt({ first, perMinute }: Scale, below: number): number {
  return first + below / perMinute
}

function gripAt(event: PointerEvent<HTMLElement>, { columns, services, scale }: Options): Grip | undefined {
  const place = placeOf(event.target)
  const column = columns[place]
  if (!column) return undefined
  const headHeight = headOf(event)
  const minute = minuteAt(scale, event.clientY - event.currentTarget.getBoundingClientRect().top - headHeight)
  const id = cardOf(event.target)
  if (id === undefined) {
    const top = snapDown(minute, emptyStep)
    const empty = { does: 'select', reservation: undefined, place, minute, top, length: 0, step: emptyStep } as const
    return isEmpty(event.target) ? { ...empty, headHeight } : undefined
  }
  const card = column.cards.find(({ item }) => item.id === id)
  if (!card) return undefined
  const { item: reservation, block } = card
  const begins = reservation.start >= column.day.start
  const does = isHandle(event.target) && begins ? 'stretch' : 'move'
  const step = services.get(reservation.serviceId)?.step ?? emptyStep
  // The grabbed point of a reservation that began the day before is measured from its actual start.
  const top = begins ? block.top : block.top - (column.day.start - reservation.start) / 60
  return { does, reservation, place, minute, top, length: reservation.end - reservation.start, step, headHeight }
}

/** Touch moves reservations only: a finger is too broad for the resize handle, and on empty time it scrolls. */
function fingerGripAt(event: PointerEvent<HTMLElement>, options: Options): Grip | undefined {
  const grip = gripAt(event, options)
  return grip?.reservation && { ...grip, does: 'move' }
}

function dragTo(
  { columns, clock, scale }: Options,
  grip: Grip,
  to: { place: number; minute: number },
): Drag | undefined {
  const { does, reservation, step } = grip
  const minute = Math.min(Math.max(to.minute, scale.first), scale.last)
  const place = does === 'move' ? to.place : grip.place
  const column = columns[place]
  if (!column) return undefined
  const shown = { does, reservation, place, byKeys: false }
  if (does === 'select') {
    const top = Math.min(grip.top, snapDown(minute, step))
    const bottom = Math.max(grip.top + step, snapDown(minute, step) + step)
    const [start, end] = [clock.at(column.date, top), clock.at(column.date, Math.min(bottom, minutesOfDay))]
    return { ...shown, top, height: bottom - top, start, end }
  }
  if (does === 'stretch') {
    const { start } = reservation ?? column.day
    const height = Math.max(step, Math.round((minute - grip.top) / step) * step)
    return { ...shown, top: grip.top, height, start, end: start + height * 60 }
  }
  const wished = Math.round((minute - grip.minute + grip.top) / step) * step
  const top = Math.min(Math.max(wished, scale.first), scale.last - step)
  const start = clock.at(column.date, top)
  return { ...shown, top, height: grip.length / 60, start, end: start + grip.length }
}

/** Returns the drag after an arrow key; with Shift the reservation is resized. */
function keyed(options: Options, event: KeyboardEvent, staged: Drag | undefined): Drag | undefined {
  const arrow = arrows.get(event.key)
  const id = cardOf(event.target)
  if (!arrow || id === undefined) return undefined
  const { columns, services, clock, scale } = options
  const from = staged?.place ?? placeOf(event.target)
  const card = columns[placeOf(event.target)]?.cards.find(({ item }) => item.id === id)
  const column = columns[from + (event.shiftKey ? 0 : arrow.across)]
  if (!card || !column) return undefined
  const { item: reservation, block } = card
  const step = services.get(reservation.serviceId)?.step ?? emptyStep
  const now = staged ?? { ...reservation, top: block.top, does: 'move' as const }
  const length = now.end - now.start
  const place = columns.indexOf(column)
  const shown = { reservation, place, byKeys: true }
  if (event.shiftKey) {
    const height = Math.max(step, length / 60 + arrow.down * step)
    return { ...shown, does: 'stretch', top: now.top, height, start: now.start, end: now.start + height * 60 }
  }
  const top = Math.min(Math.max(now.top + arrow.down * step, scale.first), scale.last - step)
  const start = clock.at(column.date, top)
  return { ...shown, does: now.does, top, height: length / 60, start, end: start + length }
}

const arrows: ReadonlyMap<string, { readonly across: number; readonly down: number }> = new Map([
  ['ArrowUp', { across: 0, down: -1 }],
  ['ArrowDown', { across: 0, down: 1 }],
  ['ArrowLeft', { across: -1, down: 0 }],
  ['ArrowRight', { across: 1, down: 0 }],
])

function isWhere(reservation: ColumnReservation, { providerId, start, end }: Target): boolean {
  return reservation.providerId === providerId && reservation.start === start && reservation.end === end
}

function isSame(one: Drag | undefined, other: Drag | undefined): boolean {
  return one?.place === other?.place && one?.start === other?.start && one?.end === other?.end
}

function snapDown(minute: number, step: number): number {
  return Math.min(Math.max(Math.floor(minute / step) * step, 0), minutesOfDay - step)
}

/** Returns how many pixels to scroll in one animation frame; the step grows towards the edge of the visible area. */
function edgeScroll(at: number, first: number, last: number): number {
  if (at < first + edge) return Math.max((at - first - edge) / 3, -20)
  return at > last - edge ? Math.min((at - last + edge) / 3, 20) : 0
}

/** Scrolls only in the direction of the drag, so that items near an edge can be grabbed. */
function inDirection(way: number, scroll: number): number {
  return way * scroll > 0 ? scroll : 0
}
