/** Returns the left and right edges of the columns, relative to the grid. */
export function edgesOf(body: HTMLElement): { left: number; right: number }[] {
  const { left } = body.getBoundingClientRect()
  return [...body.querySelectorAll('[data-column]')].map((column) => {
    const box = column.getBoundingClientRect()
    return { left: box.left - left, right: box.right - left }
  })
}

/** Returns the height of the column header in pixels. */
export function headOf({ currentTarget }: { readonly currentTarget: HTMLElement }): number {
  const column = currentTarget.querySelector('[data-column]')
  return (column?.getBoundingClientRect().top ?? 0) - currentTarget.getBoundingClientRect().top
}

function dataAt(target: EventTarget, name: string): string | undefined {
  const found = target instanceof Element ? target.closest(`[data-${name}]`) : null
  return found?.getAttribute(`data-${name}`) ?? undefined
}

/** Returns the index of the column of an element; -1 outside of the columns. */
export function placeOf(target: EventTarget): number {
  return Number(dataAt(target, 'column') ?? -1)
}

/** Returns the id of the reservation of the card around an element. */
export function cardOf(target: EventTarget): string | undefined {
  return dataAt(target, 'card')
}

/** Whether an element resizes its card. */
export function isHandle(target: EventTarget): boolean {
  return dataAt(target, 'handle') !== undefined
}

/** Whether an element of a column is free time. */
export function isEmpty(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button') === null
}
