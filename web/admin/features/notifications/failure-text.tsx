import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mailFailure } from './mail-failure.ts'

/** A failure in plain words, with the explanation of the server below. */
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
