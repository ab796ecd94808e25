import { Fieldset, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTextNames, type OwnTexts as Texts } from '../../../../src/booking-page/words/own-texts.ts'
import { builtInLanguages } from '../../../../src/booking-page/words/words.ts'
import { type BookingPageLanguage, pageLanguages } from './local-texts.ts'

interface OwnTextsProps {
  readonly texts: Texts
  readonly change: (texts: Texts) => void
}

/** Edits the texts that replace built-in texts of the booking page, one language at a time. */
export function OwnTexts({ texts, change }: OwnTextsProps) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<BookingPageLanguage>('en')
  const languages = Object.keys(pageLanguages) as BookingPageLanguage[]
  const words = builtInLanguages.get(language)?.words
  const set = (name: (typeof ownTextNames)[number], text: string) => {
    const { [language]: _, ...others } = texts[name] ?? {}
    const own = text === '' ? others : { ...others, [language]: text }
    const { [name]: __, ...rest } = texts
    change(Object.keys(own).length === 0 ? rest : { ...rest, [name]: own })
  }
  return (
    <Fieldset legend={t('bookingPage.texts')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('bookingPage.textsHelp')}
        </Text>
        <Select
          label={t('bookingPage.textsLanguage')}
          data={languages.map((value) => ({ value, label: pageLanguages[value] }))}
          value={language}
          onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'en')}
          allowDeselect={false}
        />
        {ownTextNames.map((name) => (
          <TextInput
            key={`${language} ${name}`}
            label={words?.[name]}
            lang={language}
            maxLength={500}
            value={texts[name]?.[language] ?? ''}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}
