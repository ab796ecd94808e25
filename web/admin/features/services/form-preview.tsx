import { Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormField } from '../../../../src/catalogue/services/booking-form.ts'
import { AnswerFields, type Answers } from '../reservations/answer-fields.tsx'

/** A preview of the booking form that can be filled in but not submitted. */
export function FormPreview({ form }: { readonly form: readonly FormField[] }) {
  const { t } = useTranslation()
  const [answers, setAnswers] = useState<Answers>({})
  if (form.length === 0) return null
  return (
    <Paper component="section" aria-label={t('services.form.preview')} p="sm" mt="sm">
      <Title order={3} size="h2">
        {t('services.form.preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('services.form.previewText')}
      </Text>
      <AnswerFields form={form} answers={answers} onChange={setAnswers} errors={{}} />
    </Paper>
  )
}
