import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadRepeatedly } from '../data/load-repeatedly.ts'
import { Modal } from './dialogs/modal.tsx'
import { ErrorState } from './states.tsx'

interface LazyPartOptions<Props> {
  /** Returns what is shown while the code loads; nothing when absent. */
  readonly fallback?: (props: Props) => ReactNode
  /** For a dialog or drawer: returns the function that closes it. When it cannot be loaded, a dialog shows the error. */
  readonly closeOf?: (props: Props) => () => void
}

/**
 * Creates a component whose code is loaded when the component is first rendered. When the code cannot be loaded, as
 * while the service is overloaded, the error is shown in place of the component, and what surrounds it stays usable.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { fallback, closeOf }: LazyPartOptions<Props> = {},
): (props: Props) => ReactNode {
  const loadPart = () => lazy(() => loadRepeatedly(load))
  let Part = loadPart()
  return function LazyPart(props) {
    return (
      <CatchBoundary
        getResetKey={() => ''}
        errorComponent={({ error, reset }) => {
          const retry = (): void => {
            Part = loadPart()
            reset()
          }
          const state = <ErrorState error={error} retry={retry} />
          return closeOf ? <FailedDialog close={closeOf(props)}>{state}</FailedDialog> : state
        }}
      >
        <Suspense fallback={fallback?.(props)}>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    )
  }
}

function FailedDialog({ close, children }: { readonly close: () => void; readonly children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={close} title={t('states.wrongTitle')}>
      {children}
    </Modal>
  )
}
