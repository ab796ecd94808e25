import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

interface OpenDialog {
  readonly id: string
  readonly zIndex: number
  readonly onEscape: () => void
}

// The open dialogs and drawers of the panel, in the order in which they were opened.
const openDialogs: OpenDialog[] = []

const lowestZIndex = 200

interface StackedDialog {
  readonly opened: boolean
  readonly onClose: () => void
  readonly closeOnEscape?: boolean | undefined
  readonly zIndex?: string | number | undefined
}

/** The props of a Mantine dialog or drawer that this module determines. */
export interface StackedDialogProps {
  readonly id: string
  readonly zIndex: number
  readonly closeOnEscape: false
  readonly returnFocus: false
}

/**
 * Registers a dialog or drawer while it is open. The dialog is shown above those that were open before it. Escape
 * closes only the topmost dialog; Mantine's own listeners would close all of them. When the dialog closes, the focus
 * returns to the element that had it before, also when the dialog is unmounted instead of closed.
 */
export function useDialogStack({ opened, onClose, closeOnEscape = true, zIndex }: StackedDialog): StackedDialogProps {
  const id = useId()
  // The position and the focused element are read while the dialog opens: a menu whose item opens the dialog disappears
  // in the same commit. Position and element remain the same while the dialog fades out.
  const [start, setStart] = useState(() => startOf(opened))
  if (start.opened !== opened) setStart(opened ? startOf(opened) : { ...start, opened })
  const { before } = start
  const shownAt = Number(zIndex ?? lowestZIndex + start.level)
  const onEscape = useRef(onClose)
  useEffect(() => {
    onEscape.current = closeOnEscape ? onClose : () => {}
  })
  useLayoutEffect(() => {
    if (!opened) return
    const dialog = { id, zIndex: shownAt, onEscape: () => onEscape.current() }
    if (openDialogs.length === 0) addEventListener('keydown', closeTopmost, { capture: true })
    openDialogs.push(dialog)
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1)
      if (openDialogs.length === 0) removeEventListener('keydown', closeTopmost, { capture: true })
      setTimeout(() => returnFocus(id, before))
    }
  }, [opened, id, shownAt, before])
  return { id, zIndex: shownAt, closeOnEscape: false, returnFocus: false }
}

function startOf(opened: boolean) {
  return { opened, level: openDialogs.length, before: triggerOf(document.activeElement) }
}

function topmost(): OpenDialog | undefined {
  return openDialogs.toSorted((one, other) => one.zIndex - other.zIndex).at(-1)
}

function closeTopmost(event: KeyboardEvent): void {
  const { key, isComposing, target } = event
  if (key !== 'Escape' || isComposing) return
  // Escape first closes what is open inside of the dialog, such as the list of a select, and the command palette.
  const handled = '[data-mantine-stop-propagation="true"], .mantine-Spotlight-content *'
  if (target instanceof Element && target.matches(handled)) return
  topmost()?.onEscape()
}

/** Returns the element to which the focus returns: for a menu item, which disappears, the button of the menu. */
function triggerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
}

/**
 * Moves the focus from a closed dialog to `before`, or to the topmost open dialog or the heading of the screen if
 * `before` no longer exists. Does nothing if another element has taken the focus.
 */
function returnFocus(closedId: string, before: Element | null): void {
  const { activeElement, body } = document
  const isLost = !activeElement || activeElement === body || activeElement.closest(`#${CSS.escape(closedId)}`) !== null
  if (!isLost) return
  const dialog = document.getElementById(topmost()?.id ?? '')?.querySelector('[role="dialog"]')
  const target = before?.isConnected && before !== body ? before : (dialog ?? document.querySelector('h1'))
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
