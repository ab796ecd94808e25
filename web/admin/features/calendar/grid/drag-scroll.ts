import type { RefObject } from 'react'

/** The distance in pixels from an edge of the grid within which a drag scrolls it. */
export const edge = 36

/** Prevents scrolling while an item is dragged by touch, and the click after the drag. */
export function preventTouchScroll(grid: HTMLElement | null, dragged: RefObject<boolean>): () => void {
  const prevent = (event: TouchEvent): void => {
    if (dragged.current && event.cancelable) event.preventDefault()
  }
  // The listeners are registered in advance: some browsers ignore listeners that are added during a touch.
  grid?.addEventListener('touchmove', prevent, { passive: false })
  grid?.addEventListener('touchend', prevent, { passive: false })
  return () => {
    grid?.removeEventListener('touchmove', prevent)
    grid?.removeEventListener('touchend', prevent)
  }
}

/** Returns the pixels to scroll per frame: up to -20 near the edge `first`, up to 20 near `last`, 0 in between. */
export function edgeScroll(at: number, first: number, last: number): number {
  if (at < first + edge) return Math.max((at - first - edge) / 3, -20)
  return at > last - edge ? Math.min((at - last + edge) / 3, 20) : 0
}

/** Returns `scroll` if the pointer moved in its direction (by `way` pixels), else 0: a mere grab does not scroll. */
export function inDirection(way: number, scroll: number): number {
  return way * scroll > 0 ? scroll : 0
}
