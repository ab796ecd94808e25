import { Box, Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../../components/section.tsx'
import { LoadingState } from '../../../components/states.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { useRead } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import styles from './preview.module.css'
import { previewDocument } from './preview-document.ts'

const upcoming = 20
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

interface Choice {
  readonly id: string | null
  readonly choose: (id: string | null) => void
}

interface TemplatePreviewProps {
  /** The composed message; undefined until the first response. */
  readonly message: Item<'POST /notifications/preview/'> | undefined
  /** Whether the message is a mail; a short message is plain text. */
  readonly isMail: boolean
  /** Whether the current text has an error, so that `message` shows an earlier text. */
  readonly wrong: boolean
  /**
   * The reservation that the previewed message is about; its `id` is null for an invented reservation. Absent for kinds
   * of messages that are not about one reservation.
   */
  readonly reservation?: Choice
}

/**
 * Shows a composed message as its recipient sees it: the HTML of a mail in the width and the colours of a device, or
 * plain text.
 */
export function TemplatePreview({ message, isMail, wrong, reservation }: TemplatePreviewProps) {
  const { t } = useTranslation()
  const [chosen, setForm] = useState('html')
  const form = isMail ? chosen : 'text'
  const [narrow, setNarrow] = useState(false)
  const [dark, setDark] = useState(false)
  return (
    <Section title={t('notifications.preview')}>
      {reservation && <ReservationChoice {...reservation} />}
      <Group gap="md" display={isMail ? undefined : 'none'}>
        <SegmentedControl
          size="xs"
          aria-label={t('notifications.preview')}
          data={[
            { value: 'html', label: t('notifications.previewHtml') },
            { value: 'text', label: t('notifications.previewText') },
          ]}
          value={form}
          onChange={setForm}
        />
        {form === 'html' && (
          <>
            <Switch
              label={t('notifications.narrow')}
              checked={narrow}
              onChange={(event) => setNarrow(event.currentTarget.checked)}
            />
            <Switch
              label={t('notifications.dark')}
              checked={dark}
              onChange={(event) => setDark(event.currentTarget.checked)}
            />
          </>
        )}
      </Group>
      {wrong && (
        <Text size="sm" role="status">
          {t('notifications.previewWrong')}
        </Text>
      )}
      {message ? (
        <Stack gap="xs">
          {isMail && (
            <Text size="sm" fw={600} className="breakable">
              {message.subject}
            </Text>
          )}
          {form === 'html' ? (
            <iframe
              title={t('notifications.frame')}
              sandbox=""
              srcDoc={previewDocument(message.html, { nonce, dark })}
              className={styles.frame}
              data-narrow={narrow || undefined}
            />
          ) : (
            <Box component="pre" className={styles.text ?? ''} tabIndex={0}>
              {message.text}
            </Box>
          )}
          {!isMail && (
            <Text size="xs" c="dimmed">
              {t('sms.length', { count: message.text.length })}
            </Text>
          )}
        </Stack>
      ) : (
        <LoadingState lines={3} />
      )}
    </Section>
  )
}

function ReservationChoice({ id, choose }: Choice) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { data } = useRead('GET /reservations/', { when: 'upcoming', sort: 'start', per_page: upcoming })
  return (
    <Select
      label={t('notifications.previewOf')}
      placeholder={t('notifications.example')}
      clearable
      data={(data?.items ?? []).map(({ id, start, service, customer }) => ({
        value: id,
        label: [dateTime(start), customer.name, service.name].filter(Boolean).join(' · '),
      }))}
      value={id}
      onChange={choose}
    />
  )
}
