/** Returns the left and right edges of the calendar's columns in pixels, relative to the left edge of the grid. */
export function columnEdgesOf(body: HTMLElement): { left: number; right: number }[] {
  const { left } = body.getBoundingClientRect()
  return [...body.querySelectorAll('[data-column]')].map((column) => {
    const box = column.getBoundingClientRect()
    return { left: box.left - left, right: box.right - left }
  })
}

/** Returns the height of the column headers of the grid in pixels. */
export function headerHeightOf({ currentTarget }: { readonly currentTarget: HTMLElement }): number {
  const column = currentTarget.querySelector('[data-column]')
  return (column?.getBoundingClientRect().top ?? 0) - currentTarget.getBoundingClientRect().top
}

function closestData(target: EventTarget, name: string): string | undefined {
  const found = target instanceof Element ? target.closest(`[data-${name}]`) : null
  return found?.getAttribute(`data-${name}`) ?? undefined
}

/** Returns the index of the calendar column that contains an element; -1 outside of the columns. */
export function columnIndexOf(target: EventTarget): number {
  return Number(closestData(target, 'column') ?? -1)
}

/** Returns the id of the reservation whose card contains an element; undefined outside of cards. */
export function reservationIdOf(target: EventTarget): string | undefined {
  return closestData(target, 'card')
}

/** Whether an element is the resize handle of a card. */
export function isResizeHandle(target: EventTarget): boolean {
  return closestData(target, 'handle') !== undefined
}

/** Whether an element shows empty time, that is, is not part of a card or another button. */
export function isEmptyTime(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button') === null
}
