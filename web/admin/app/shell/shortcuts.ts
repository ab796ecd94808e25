import { useEffect, useRef } from 'react'
import { createStore } from '../../data/store.ts'

/** Keyboard shortcuts: the function to run for each key (`KeyboardEvent.key`, letters in lower case). */
export type Shortcuts = Readonly<Record<string, () => void>>

/** Whether the dialog that lists all keyboard shortcuts is open. */
export const shortcutsOpened = createStore(false)

/**
 * Runs the shortcuts while the calling component is mounted. A shortcut is ignored while Ctrl, Alt or Meta is pressed,
 * while a modal dialog or a menu is open, while the focused element, such as a text field, handles the key, and when
 * another listener has cancelled the event.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const run = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!run || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('[aria-modal="true"], [role="menu"]') || usesKey(event)) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Whether the focused element handles the pressed key, so that no shortcut may run. */
function usesKey({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (key.startsWith('Arrow') && target.closest('input, [data-card], [role="tab"]')) return true
  // The arrow keys scroll a focused area whose content is wider than the area.
  if (key.startsWith('Arrow') && target.matches('[tabindex="0"]') && target.scrollWidth > target.clientWidth)
    return true
  const types = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="listbox"]'
  return target.closest(types) !== null
}
