import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mailFailure } from './mail-failure.ts'

/** Explains a failure of the mail server or SMS gateway in the user's language, with the original error text below. */
export function FailureText({ reason }: { readonly reason: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Text size="sm">{t(`notifications.failures.${mailFailure(reason)}`)}</Text>
      <Text size="xs" c="dimmed" mt={4} className="breakable">
        {t('notifications.answer')}: {reason}
      </Text>
    </>
  )
}
