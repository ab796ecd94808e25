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

await initI18n()
const place = document.getElementById('panel')
if (place)
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
