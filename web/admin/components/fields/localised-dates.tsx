import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Sets the language of month and weekday names in calendar pop-ups to that of the panel. */
export function LocalisedDates({ children }: { readonly children: ReactNode }) {
  const { language } = useTranslation().i18n
  return <DatesProvider settings={{ locale: language, firstDayOfWeek: 1 }}>{children}</DatesProvider>
}
