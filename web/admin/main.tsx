import './app/mantine.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './app/styles.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { cssVariables, theme } from './app/theme.ts'
import { LocalisedDates } from './components/fields/localised-dates.tsx'
import { queryClient } from './data/queries.ts'
import { initI18n } from './i18n/index.ts'

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
// The library that locks scrolling behind dialogs reads the nonce of its style element from this global variable.
Object.assign(globalThis, { __webpack_nonce__: nonce })

/** Renders the panel into an element of the page. */
function render(place: HTMLElement): void {
  createRoot(place).render(
    <StrictMode>
      <DirectionProvider>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <LocalisedDates>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
              <Notifications position="bottom-right" />
            </QueryClientProvider>
          </LocalisedDates>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  )
}

/** Says that the panel is not available, in English since the texts of a language could not be loaded. */
function showFailure(place: HTMLElement): void {
  const text = document.createElement('p')
  text.role = 'alert'
  text.textContent = 'The panel could not be loaded. Reload the page in a moment.'
  place.replaceChildren(text)
}

const place = document.getElementById('panel')
// This module does not await the texts: the file of a language may import the file that contains this module, and each
// would wait for the other.
if (place)
  initI18n().then(
    () => render(place),
    () => showFailure(place),
  )
