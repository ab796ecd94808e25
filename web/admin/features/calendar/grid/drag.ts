import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type Clock, minutesOfDay } from '../../../data/dates/clock.ts'
import { createStore, type Store } from '../../../data/store.ts'
import type { CalendarColumn, ColumnReservation, ColumnService, TimeSpan } from './columns.ts'
import { edge, edgeScroll, inDirection, preventTouchScroll } from './drag-scroll.ts'
import {
  columnEdgesOf,
  columnIndexOf,
  headerHeightOf,
  isEmptyTime,
  isResizeHandle,
  reservationIdOf,
} from './grid-elements.ts'
import type { Scale } from './scale.ts'

/** The item being dragged, and the interval at which it would be dropped. */
export interface Drag extends TimeSpan {
  readonly mode: 'move' | 'resize' | 'select'
  /** The dragged reservation; undefined while an interval of empty time is selected. */
  readonly reservation: ColumnReservation | undefined
  /** The index of the target column in the grid, from 0. */
  readonly place: number
  /**
   * The start of the dragged item in minutes since local midnight of the column, negative on an earlier day; `height`
   * is its length in minutes.
   */
  readonly top: number
  readonly height: number
  readonly byKeys: boolean
}

/** The provider and the interval to which a reservation is dragged, or which the user selects in empty time. */
export interface DropTarget extends TimeSpan {
  readonly providerId: number
}

interface Options {
  readonly columns: readonly CalendarColumn[]
  readonly services: ReadonlyMap<string, ColumnService>
  readonly clock: Clock
  readonly scale: Scale
  /** Called when a reservation is dropped at another time or provider, or resized. */
  readonly onDrop: (reservation: ColumnReservation, target: DropTarget & { readonly resized: boolean }) => void
  /** Called when an interval of empty time was selected by dragging. */
  readonly onSelect: (target: DropTarget) => void
  /** Called when empty time was clicked. */
  readonly onPoint: (target: Pick<DropTarget, 'providerId' | 'start'>) => void
  /** Called when the context menu of empty time was requested, with the position of the pointer. */
  readonly onMenu: (target: Pick<DropTarget, 'providerId' | 'start'>, pointer: PointerPosition) => void
}

/** A position in the window, in pixels. */
export interface PointerPosition {
  readonly x: number
  readonly y: number
}

/**
 * The state and event handlers of dragging by mouse, touch and keyboard. While an item is dragged, only the components
 * that subscribe to `drag` are rendered again.
 */
export interface GridDrag {
  readonly drag: Store<Drag | undefined>
  /** The grid element; the caller sets this ref and attaches `handlers` to the element. */
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
/** A touch of `longPress` milliseconds grabs a reservation, unless the finger moves by over `touchTolerance` pixels. */
const longPress = 400
const touchTolerance = 10

/** Lets the user move and resize reservations that have their own card, and select empty time, in the grid. */
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
    else if (!isAtTarget(reservation, target)) onDrop(reservation, { ...target, resized: done.mode === 'resize' })
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || !event.isPrimary) return
    const { pointerId } = event
    const byFinger = event.pointerType === 'touch'
    const grabPoint = byFinger ? touchGrabPointAt(event, latest.current) : grabPointAt(event, latest.current)
    if (!grabPoint) return
    const body = event.currentTarget
    const scroller = body.parentElement ?? body
    const lefts = columnEdgesOf(body)
    let [x, y] = [event.clientX, event.clientY]
    const began = [x, y] as const
    let scrolling = 0
    const follow = (): void => {
      const box = body.getBoundingClientRect()
      const at = x - box.left
      const found = lefts.findIndex(({ left, right }) => at >= left && at < right)
      const minute = minuteAt(latest.current.scale, y - box.top - grabPoint.headHeight)
      const next = dragTo(latest.current, grabPoint, { place: found === -1 ? grabPoint.place : found, minute })
      if (!isSame(next, drag.get())) drag.set(next)
    }
    const scroll = (): void => {
      const { left, top, right, bottom } = scroller.getBoundingClientRect()
      const byX = inDirection(x - began[0], edgeScroll(x, left + edge, right))
      const byY = inDirection(y - began[1], edgeScroll(y, top + grabPoint.headHeight, bottom))
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
      // The click event that follows a drag must not count as a click, so `dragged` is reset only after that event.
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
      const next = dragByKey(latest.current, event, staged)
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
      // A long press on a card would also open the browser's context menu, which would interrupt the drag.
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

/** What was grabbed when a drag began, and at which point. */
interface GrabPoint {
  readonly mode: Drag['mode']
  readonly reservation: ColumnReservation | undefined
  readonly place: number
  /** `top`: the start of the grabbed item; `minute`: the grabbed point; both in minutes since midnight. */
  readonly top: number
  readonly minute: number
  /** `length`: the duration in seconds; `step`: the grid step in minutes; `headHeight`: the header height in pixels. */
  readonly length: number
  readonly step: number
  readonly headHeight: number
}

/**
 * Returns the provider and the time, rounded down to 15 minutes, of the empty area under the pointer; undefined over a
 * card or another button, and outside of the columns.
 */
function emptyAt(
  event: MouseEvent<HTMLElement>,
  { columns, clock, scale }: Options,
): Pick<DropTarget, 'providerId' | 'start'> | undefined {
  const column = columns[columnIndexOf(event.target)]
  if (!column || !isEmptyTime(event.target)) return undefined
  const minute = minuteAt(
    scale,
    event.clientY - event.currentTarget.getBoundingClientRect().top - headerHeightOf(event),
  )
  return { providerId: column.provider.id, start: clock.at(column.date, snapDown(minute, emptyStep)) }
}

/** Returns the minute of the day at a distance in pixels below the column header. */
function minuteAt({ first, perMinute }: Scale, below: number): number {
  return first + below / perMinute
}

function grabPointAt(event: PointerEvent<HTMLElement>, { columns, services, scale }: Options): GrabPoint | undefined {
  const place = columnIndexOf(event.target)
  const column = columns[place]
  if (!column) return undefined
  const headHeight = headerHeightOf(event)
  const minute = minuteAt(scale, event.clientY - event.currentTarget.getBoundingClientRect().top - headHeight)
  const id = reservationIdOf(event.target)
  if (id === undefined) {
    const top = snapDown(minute, emptyStep)
    const empty = { mode: 'select', reservation: undefined, place, minute, top, length: 0, step: emptyStep } as const
    return isEmptyTime(event.target) ? { ...empty, headHeight } : undefined
  }
  const card = column.cards.find(({ item }) => item.id === id)
  if (!card) return undefined
  const { item: reservation } = card
  const begins = reservation.start >= column.day.start
  const mode = isResizeHandle(event.target) && begins ? 'resize' : 'move'
  const step = services.get(reservation.serviceId)?.step ?? emptyStep
  const top = startMinuteOf(card, column)
  return { mode, reservation, place, minute, top, length: reservation.end - reservation.start, step, headHeight }
}

/** Returns the start of a card's reservation in minutes since the column's midnight: negative if on an earlier day. */
function startMinuteOf({ item, block }: CalendarColumn['cards'][number], { day }: CalendarColumn): number {
  return block.top - Math.max(0, day.start - item.start) / 60
}

/**
 * Returns the earliest minute to which a reservation that starts at the minute `from` is moved within a column: the
 * first one shown, or, if it began on an earlier day, the one that leaves one step of it in the column.
 */
function earliestMinute(from: number, length: number, step: number, { first }: Scale): number {
  return from < first ? step - length / 60 : first
}

/**
 * Returns the grab point of a touch, which can only move a reservation: a finger is too broad for the resize handle,
 * and a touch of empty time scrolls.
 */
function touchGrabPointAt(event: PointerEvent<HTMLElement>, options: Options): GrabPoint | undefined {
  const grabPoint = grabPointAt(event, options)
  return grabPoint?.reservation && { ...grabPoint, mode: 'move' }
}

function dragTo(
  { columns, clock, scale }: Options,
  grabPoint: GrabPoint,
  to: { place: number; minute: number },
): Drag | undefined {
  const { mode, reservation, step } = grabPoint
  const minute = Math.min(Math.max(to.minute, scale.first), scale.last)
  const place = mode === 'move' ? to.place : grabPoint.place
  const column = columns[place]
  if (!column) return undefined
  const shown = { mode, reservation, place, byKeys: false }
  if (mode === 'select') {
    const top = Math.min(grabPoint.top, snapDown(minute, step))
    const bottom = Math.max(grabPoint.top + step, snapDown(minute, step) + step)
    const [start, end] = [clock.at(column.date, top), clock.at(column.date, Math.min(bottom, minutesOfDay))]
    return { ...shown, top, height: bottom - top, start, end }
  }
  if (mode === 'resize') {
    const { start } = reservation ?? column.day
    const height = Math.max(step, Math.round((minute - grabPoint.top) / step) * step)
    return { ...shown, top: grabPoint.top, height, start, end: start + height * 60 }
  }
  const wished = Math.round((minute - grabPoint.minute + grabPoint.top) / step) * step
  const earliest = earliestMinute(grabPoint.top, grabPoint.length, step, scale)
  const top = Math.min(Math.max(wished, earliest), scale.last - step)
  const start = clock.at(column.date, top)
  return { ...shown, top, height: grabPoint.length / 60, start, end: start + grabPoint.length }
}

/**
 * Returns the drag after an arrow key was pressed on a reservation's card: the drag by earlier keys (`staged`) or a new
 * one, moved by a step, or resized with Shift. Undefined for other keys, outside of cards of one reservation, and
 * without a column in that direction.
 */
function dragByKey(options: Options, event: KeyboardEvent, staged: Drag | undefined): Drag | undefined {
  const arrow = arrows.get(event.key)
  const id = reservationIdOf(event.target)
  if (!arrow || id === undefined) return undefined
  const { columns, services, clock, scale } = options
  const from = staged?.place ?? columnIndexOf(event.target)
  const own = columns[columnIndexOf(event.target)]
  const card = own?.cards.find(({ item }) => item.id === id)
  const column = columns[from + (event.shiftKey ? 0 : arrow.across)]
  if (!own || !card || !column) return undefined
  const { item: reservation } = card
  const step = services.get(reservation.serviceId)?.step ?? emptyStep
  const grabbed = startMinuteOf(card, own)
  const now = staged ?? { ...reservation, top: grabbed, mode: 'move' as const }
  const length = now.end - now.start
  const place = columns.indexOf(column)
  const shown = { reservation, place, byKeys: true }
  if (event.shiftKey) {
    const height = Math.max(step, length / 60 + arrow.down * step)
    return { ...shown, mode: 'resize', top: now.top, height, start: now.start, end: now.start + height * 60 }
  }
  const earliest = earliestMinute(grabbed, length, step, scale)
  const top = Math.min(Math.max(now.top + arrow.down * step, earliest), scale.last - step)
  const start = clock.at(column.date, top)
  return { ...shown, mode: now.mode, top, height: length / 60, start, end: start + length }
}

const arrows: ReadonlyMap<string, { readonly across: number; readonly down: number }> = new Map([
  ['ArrowUp', { across: 0, down: -1 }],
  ['ArrowDown', { across: 0, down: 1 }],
  ['ArrowLeft', { across: -1, down: 0 }],
  ['ArrowRight', { across: 1, down: 0 }],
])

function isAtTarget(reservation: ColumnReservation, { providerId, start, end }: DropTarget): boolean {
  return reservation.providerId === providerId && reservation.start === start && reservation.end === end
}

function isSame(one: Drag | undefined, other: Drag | undefined): boolean {
  return one?.place === other?.place && one?.start === other?.start && one?.end === other?.end
}

function snapDown(minute: number, step: number): number {
  return Math.min(Math.max(Math.floor(minute / step) * step, 0), minutesOfDay - step)
}
